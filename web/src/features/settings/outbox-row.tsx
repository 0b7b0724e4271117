import type { OutboxMessage } from '@invigil/core/contract/invitations';
import { formatDateTime } from '../../lib/dates.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { GlyphName } from '../../ui/glyphs.tsx';

const STATES: Record<OutboxMessage['state'], readonly [BadgeTone, GlyphName, string]> = {
  queued: ['neutral', 'dashed', 'Queued'],
  sending: ['accent', 'half', 'Sending'],
  sent: ['ok', 'ticked', 'Sent'],
  uncertain: ['warn', 'ring', 'Uncertain'],
  failed: ['bad', 'slashed', 'Failed'],
};

/** One message: to whom, what about, where it stands, and why when it does not move. */
export function OutboxRow({
  message,
  onRead,
}: {
  message: OutboxMessage;
  onRead: (() => void) | undefined;
}) {
  const { recipient, subject, state, attempts, lastError, createdAt, sentAt } = message;
  const [tone, glyph, word] = STATES[state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="font-medium break-all">{recipient}</div>
        <div className="text-sm break-words text-ink-2">{subject}</div>
        {lastError !== null && (
          <div className="mt-0.5 text-sm break-words text-bad-ink">{lastError}</div>
        )}
      </div>
      <div className="text-right text-xs text-ink-3 tabular-nums">
        <div>{`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}</div>
        <time dateTime={sentAt ?? createdAt}>{formatDateTime(sentAt ?? createdAt)}</time>
      </div>
      <div className="flex min-w-24 justify-end">
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
      </div>
      {onRead !== undefined && (
        <Button size="dense" onClick={onRead} aria-label={`Open message to ${recipient}`}>
          Open message
        </Button>
      )}
    </li>
  );
}

import type { OutboxMessage } from '@invigil/core/contract/outbox';
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
  readable,
}: {
  message: OutboxMessage;
  /** This message can be read now. */
  onRead: (() => void) | undefined;
  /** Some messages of the list can, so all rows keep the room. */
  readable: boolean;
}) {
  const { recipient, subject, state, attempts, lastError, createdAt, sentAt } = message;
  const [tone, glyph, word] = STATES[state];
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0 ${readable ? 'sm:grid-cols-[minmax(0,1fr)_auto_6.5rem_8rem]' : 'sm:grid-cols-[minmax(0,1fr)_auto_6.5rem]'}`}
    >
      <div className="col-start-1 row-start-1 min-w-0">
        <div className="font-medium break-all">{recipient}</div>
        <div className="text-sm break-words text-ink-2">{subject}</div>
        {lastError !== null && (
          <div
            className={`mt-0.5 text-sm break-words ${state === 'failed' ? 'text-bad-ink' : 'text-ink-2'}`}
          >
            {lastError}
          </div>
        )}
      </div>
      <div className="col-start-1 row-start-2 text-xs text-ink-3 tabular-nums sm:col-start-2 sm:row-start-1 sm:text-right">
        <div>{`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}</div>
        <time dateTime={sentAt ?? createdAt}>{formatDateTime(sentAt ?? createdAt)}</time>
      </div>
      <div className="col-start-2 row-start-1 flex justify-end self-start sm:col-start-3 sm:self-center">
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
      </div>
      {onRead !== undefined && (
        <Button
          size="dense"
          onClick={onRead}
          aria-label={`Open message to ${recipient}`}
          className="col-start-2 row-start-2 justify-self-end sm:col-start-4 sm:row-start-1"
        >
          Open message
        </Button>
      )}
    </li>
  );
}

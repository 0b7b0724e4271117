import { isCancelledMail } from '@invigil/core/domain/cancelled-mail';
import type { MailState } from '@invigil/core/domain/invitation-states';
import { Badge, type BadgeTone } from './badge.tsx';
import type { GlyphName } from './glyphs.tsx';

const STATES = {
  queued: ['neutral', 'dashed', 'Queued'],
  delayed: ['warn', 'dashed', 'Delayed'],
  sending: ['accent', 'half', 'Sending'],
  sent: ['ok', 'ticked', 'Sent'],
  uncertain: ['warn', 'ring', 'Uncertain'],
  failed: ['bad', 'cross', 'Failed'],
  cancelled: ['neutral', 'slashed', 'Cancelled'],
} as const satisfies Record<string, readonly [BadgeTone, GlyphName, string]>;

/**
 * How a message stands. Delayed: a try failed and another one follows. Uncertain: the mail server took
 * it, or did not, and never said. Cancelled: its one-time password no longer works.
 */
export function MailBadge({
  mail: { state, attempts, lastError },
}: {
  mail: { state: MailState; attempts: number; lastError: string | null };
}) {
  const shown =
    state === 'queued' && attempts > 0
      ? 'delayed'
      : isCancelledMail(state, lastError)
        ? 'cancelled'
        : state;
  const [tone, glyph, word] = STATES[shown];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}

import { Badge, type BadgeTone } from './badge.tsx';
import type { GlyphName } from './glyphs.tsx';

const STATES = {
  queued: ['neutral', 'dashed', 'Queued'],
  delayed: ['warn', 'dashed', 'Delayed'],
  sending: ['accent', 'half', 'Sending'],
  sent: ['ok', 'ticked', 'Sent'],
  uncertain: ['warn', 'ring', 'Uncertain'],
  failed: ['bad', 'cross', 'Failed'],
  canceled: ['neutral', 'slashed', 'Canceled'],
} as const satisfies Record<string, readonly [BadgeTone, GlyphName, string]>;

/** The state of a message. Uncertain: no answer from the mail server on whether it was accepted. */
export function MailBadge({ status }: { status: keyof typeof STATES }) {
  const [tone, glyph, word] = STATES[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}

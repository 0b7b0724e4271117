import { Badge, type BadgeTone } from './badge.tsx';
import type { GlyphName } from './glyphs.tsx';

const STATUSES = {
  not_started: ['neutral', 'dashed', 'Not started'],
  in_progress: ['neutral', 'half', 'In progress'],
  completed: ['ok', 'ticked', 'Completed'],
  dismissed: ['bad', 'slashed', 'Dismissed'],
  active: ['ok', 'dot', 'Active'],
  ended: ['neutral', 'ticked', 'Ended'],
  inactive: ['neutral', 'ring', 'Inactive'],
  live: ['ok', 'dot', 'Live'],
  answered: ['ok', 'ticked', 'Answered'],
  not_answered: ['neutral', 'ring', 'Not Answered'],
  granted: ['ok', 'ticked', 'Granted'],
  denied: ['bad', 'cross', 'Denied'],
  not_asked: ['neutral', 'dashed', 'Not asked yet'],
} as const satisfies Record<string, readonly [BadgeTone, GlyphName, string]>;

export type StatusName = keyof typeof STATUSES;

/** The product's fixed statuses, each with its own glyph. */
export function StatusBadge({ status }: { status: StatusName }) {
  const [tone, glyph, word] = STATUSES[status];
  return (
    <Badge tone={tone} glyph={glyph}>
      {word}
    </Badge>
  );
}

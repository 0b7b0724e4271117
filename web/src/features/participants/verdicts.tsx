import type { Participant, Verdict } from '@invigil/core/contract/participants';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import type { GlyphName } from '../../ui/glyphs.tsx';

/** From harmless to grave. */
export const VERDICTS = ['no_concern', 'talk', 'breach'] as const satisfies readonly Verdict[];

export const VERDICT_WORDS: Record<Verdict, string> = {
  no_concern: 'No concern',
  talk: 'Talk to the participant',
  breach: 'Breach of the rules',
};

const LOOKS: Record<Verdict, readonly [BadgeTone, GlyphName]> = {
  no_concern: ['ok', 'ticked'],
  talk: ['warn', 'half'],
  breach: ['bad', 'cross'],
};

/** A verdict with its own glyph. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const [tone, glyph] = LOOKS[verdict];
  return (
    <Badge tone={tone} glyph={glyph}>
      {VERDICT_WORDS[verdict]}
    </Badge>
  );
}

/** What a reviewer decided, or that one is waited for; nothing where there is nothing to review. */
export function ReviewBadge({ row }: { row: Pick<Participant, 'verdict' | 'toReview'> }) {
  if (row.verdict !== null) return <VerdictBadge verdict={row.verdict} />;
  if (!row.toReview) return null;
  return (
    <Badge tone="warn" glyph="ring">
      To review
    </Badge>
  );
}

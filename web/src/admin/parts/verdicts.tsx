import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Participant, Verdict } from '@invigil/core/contract/review/participants';
import { listText } from '@invigil/core/domain/locale';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { t } from '@invigil/core/texts/i18n';
import { signalText } from '../../lib/signal-labels.ts';
import { Badge, type BadgeTone } from '../../ui/badges/badge.tsx';
import { Glyph, type GlyphName } from '../../ui/badges/glyphs.tsx';

/** Verdicts by increasing severity. */
export const VERDICTS = ['no_concern', 'talk', 'breach'] as const satisfies readonly Verdict[];

export const VERDICT_WORDS: Record<Verdict, () => string> = {
  no_concern: () => t(/* a verdict */ 'parts.verdict.noConcern', 'No concern'),
  talk: () => t(/* a verdict */ 'parts.verdict.talk', 'Talk to the candidate'),
  breach: () => t(/* a verdict */ 'parts.verdict.breach', 'Breach of the rules'),
};

const LOOKS: Record<Verdict, readonly [BadgeTone, GlyphName]> = {
  no_concern: ['ok', 'ticked'],
  talk: ['warn', 'half'],
  breach: ['bad', 'cross'],
};

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const [tone, glyph] = LOOKS[verdict];
  return (
    <Badge tone={tone} glyph={glyph}>
      {VERDICT_WORDS[verdict]()}
    </Badge>
  );
}

/**
 * The verdict, or why a review is due; empty if there is nothing to review. Unobtrusive, because most
 * rows of a long list have one.
 */
export function ReviewState({ row }: { row: Participant }) {
  if (row.verdict === null && !row.toReview) return null;
  const glyph = row.verdict === null ? 'ring' : LOOKS[row.verdict][1];
  return (
    <span className="flex items-baseline gap-1.5 text-ink-2">
      <Glyph name={glyph} className="translate-y-0.5" />
      <span className="min-w-0">
        {row.verdict === null
          ? t(/* said of an attempt */ 'parts.review.due', 'To review')
          : VERDICT_WORDS[row.verdict]()}
        {row.verdict === null && (
          <span className="block text-xs text-ink-3">{listText(reasonsOf(row), 'unit')}</span>
        )}
      </span>
    </span>
  );
}

type Counts = Pick<
  Participant,
  'violationCount' | 'fullscreenExits' | 'tabSwitches' | 'reviewFlags'
>;

/** Why an attempt needs a review, each count as a text: `2 violations`, `1 tab switch`. */
function reasonsOf({
  violationCount,
  fullscreenExits,
  tabSwitches,
  reviewFlags,
}: Counts): string[] {
  const reasons: [count: number, text: string][] = [
    [
      violationCount,
      t('parts.review.violations', '{count, plural, one {# violation} other {# violations}}', {
        count: violationCount,
      }),
    ],
    [
      fullscreenExits,
      t(
        'parts.review.fullscreenExits',
        '{count, plural, one {# fullscreen exit} other {# fullscreen exits}}',
        { count: fullscreenExits },
      ),
    ],
    [
      tabSwitches,
      t('parts.review.tabSwitches', '{count, plural, one {# tab switch} other {# tab switches}}', {
        count: tabSwitches,
      }),
    ],
    [
      reviewFlags,
      t(
        /* events to be looked at */ 'parts.review.flags',
        '{count, plural, one {# flag} other {# flags}}',
        { count: reviewFlags },
      ),
    ],
  ];
  return reasons.flatMap(([count, text]) => (count === 0 ? [] : text));
}

/** The same with the flags by name: `1 violation, Looking away (2)`. */
export function reviewReasonInFull({
  participant,
  violations,
}: Pick<ParticipantRecord, 'participant' | 'violations'>): string {
  const flags = new Map<string, number>();
  for (const { type, level } of violations) {
    if (level !== 'info' && !isCountingType(type)) flags.set(type, (flags.get(type) ?? 0) + 1);
  }
  const named = [...flags].map(([type, count]) =>
    count === 1
      ? signalText(type)
      : t(/* {name}: of an event, {count}: how often */ 'parts.review.often', '{name} ({count})', {
          name: signalText(type),
          count,
        }),
  );
  const rest = reasonsOf({
    ...participant,
    reviewFlags: named.length > 0 ? 0 : participant.reviewFlags,
  });
  return listText([...rest, ...named], 'unit');
}

import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Participant, Verdict } from '@invigil/core/contract/review/participants';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { signalText } from '../../lib/signal-labels.ts';
import { Badge, type BadgeTone } from '../../ui/badges/badge.tsx';
import { Glyph, type GlyphName } from '../../ui/badges/glyphs.tsx';

/** Verdicts by increasing severity. */
export const VERDICTS = ['no_concern', 'talk', 'breach'] as const satisfies readonly Verdict[];

export const VERDICT_WORDS: Record<Verdict, string> = {
  no_concern: 'No concern',
  talk: 'Talk to the candidate',
  breach: 'Breach of the rules',
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
      {VERDICT_WORDS[verdict]}
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
        {row.verdict === null ? 'To review' : VERDICT_WORDS[row.verdict]}
        {row.verdict === null && (
          <span className="block text-xs text-ink-3">{reviewReason(row)}</span>
        )}
      </span>
    </span>
  );
}

type Counts = Pick<
  Participant,
  'violationCount' | 'fullscreenExits' | 'tabSwitches' | 'reviewFlags'
>;

const counted = (n: number, one: string, many = `${one}s`) =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];

/** Why an attempt needs a review: `2 violations, 1 tab switch`. */
function reviewReason(row: Counts): string {
  return [
    ...counted(row.violationCount, 'violation'),
    ...counted(row.fullscreenExits, 'fullscreen exit'),
    ...counted(row.tabSwitches, 'tab switch', 'tab switches'),
    ...counted(row.reviewFlags, 'flag'),
  ].join(', ');
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
  const named = [...flags].map(([type, n]) => signalText(type) + (n === 1 ? '' : ` (${n})`));
  const rest = reviewReason({
    ...participant,
    reviewFlags: named.length > 0 ? 0 : participant.reviewFlags,
  });
  return [rest, ...named].filter((part) => part !== '').join(', ');
}

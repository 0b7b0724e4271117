import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Participant } from '@invigil/core/contract/review/participants';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { signalWords } from '../../lib/signal-words.ts';

type Counts = Pick<
  Participant,
  'violationCount' | 'fullscreenExits' | 'tabSwitches' | 'reviewFlags'
>;

const counted = (n: number, one: string, many = `${one}s`) =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];

/** Why an attempt needs a review: `2 violations, 1 tab switch`. */
export function reviewReason(row: Counts): string {
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
  const named = [...flags].map(([type, n]) => signalWords(type) + (n === 1 ? '' : ` (${n})`));
  const rest = reviewReason({
    ...participant,
    reviewFlags: named.length > 0 ? 0 : participant.reviewFlags,
  });
  return [rest, ...named].filter((part) => part !== '').join(', ');
}

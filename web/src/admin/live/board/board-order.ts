import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { compareLive } from '@invigil/core/domain/live-order';

export interface Sides {
  needAttention: LiveAttempt[];
  quiet: LiveAttempt[];
}

/** Who needs attention, and the others, both most urgent first. `null`: of every assessment. */
export function sidesOf(attempts: Iterable<LiveAttempt>, quizId: string | null): Sides {
  const all = [...attempts]
    .filter((attempt) => quizId === null || attempt.quizId === quizId)
    .sort(compareLive);
  return {
    needAttention: all.filter(({ attention }) => attention !== null),
    quiet: all.filter(({ attention }) => attention === null),
  };
}

/**
 * The order during pointer or keyboard use: existing tiles keep their place, new ones are appended,
 * and nothing moves under the pointer.
 */
export function keepPlaces(
  shown: readonly string[],
  wanted: readonly LiveAttempt[],
): LiveAttempt[] {
  const places = new Map(shown.map((id, place) => [id, place]));
  const placeOf = ({ id }: LiveAttempt) => places.get(id) ?? shown.length;
  // A stable sort: new ones stay in the desired order.
  return [...wanted].sort((a, b) => placeOf(a) - placeOf(b));
}

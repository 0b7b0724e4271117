import { type Counting, isSetAside, type PlayedAttempt } from '../retakes.ts';
import { pointsIn, type StoredResult } from './outcome.ts';

/** Whether an attempt stands for what someone can do: not dismissed or a breach, by the verdict of a reviewer. */
const isSound = ({ status, verdict }: StoredResult): boolean =>
  verdict !== 'breach' && (status !== 'dismissed' || verdict === 'no_concern');

function isBetter(a: StoredResult, b: StoredResult): boolean {
  if (isSound(a) !== isSound(b)) return isSound(a);
  const [one, other] = [pointsIn(a), pointsIn(b)];
  // Papers can have different points; nothing of nothing is the least.
  return one.points * (other.maxPoints || 1) > other.points * (one.maxPoints || 1);
}

/** The attempt that counts of those of one person, oldest first; `undefined`: none has ended and stands. */
export function countingOf<Attempt extends PlayedAttempt & StoredResult>(
  attempts: readonly Attempt[],
  counts: Counting,
): Attempt | undefined {
  const ended = attempts.filter((one) => one.status !== 'in_progress' && !isSetAside(one));
  if (counts === 'first') return ended[0];
  if (counts === 'last') return ended.at(-1);
  const [first, ...others] = ended;
  return others.reduce((best, one) => (best && isBetter(one, best) ? one : best), first);
}

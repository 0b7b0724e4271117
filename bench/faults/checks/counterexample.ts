import type { Entry, Invoke, Outcome } from './history.ts';

/** A broken promise: what is wrong, the observations, and what is stored. */
export interface Counterexample {
  what: string;
  entries: Entry[];
  stored: string;
}

/** Sorted by the number of observations, then by time. */
export function smallestFirst(counterexamples: readonly Counterexample[]): Counterexample[] {
  const began = ({ entries }: Counterexample) => entries[0]?.op ?? 0;
  return [...counterexamples].sort(
    (a, b) => a.entries.length - b.entries.length || began(a) - began(b),
  );
}

/** A counterexample: `what` is wrong with these operations. */
export function broken(
  what: string,
  stored: string,
  ...operations: { invoke: Invoke; outcome?: Outcome }[]
): Counterexample {
  const entries = operations.flatMap(({ invoke, outcome }): Entry[] =>
    outcome ? [invoke, outcome] : [invoke],
  );
  return { what, entries, stored };
}

/** A check that lists what it finds, smallest first. */
export function check<Args extends unknown[]>(
  find: (...args: Args) => Iterable<Counterexample>,
): (...args: Args) => Counterexample[] {
  return (...args) => smallestFirst([...find(...args)]);
}

/** Most characters shown of a response; the rest is in the history. */
const LONGEST = 300;

/** Lines for a person who searches for the cause. */
export function describeCounterexample({ what, entries, stored }: Counterexample): string[] {
  const from = entries[0]?.at ?? 0;
  const clip = (long: string) => (long.length > LONGEST ? `${long.slice(0, LONGEST)}…` : long);
  const lines = entries.map((entry) => {
    const at = `+${(entry.at - from).toFixed(0)} ms`;
    if (entry.type === 'invoke') {
      return `#${entry.op} ${at} invoke ${entry.person} ${JSON.stringify(entry.action)}`;
    }
    const text = entry.type === 'ok' ? JSON.stringify(entry.reply) : entry.why;
    return `#${entry.op} ${at} ${entry.type} ${entry.status ?? 'no answer'} ${clip(text)}`;
  });
  return [what, ...lines, `stored: ${stored}`];
}

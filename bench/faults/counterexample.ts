import type { Entry } from './history.ts';

/** A broken promise: what is wrong, what was observed of it, and what is stored. */
export interface Counterexample {
  what: string;
  entries: Entry[];
  stored: string;
}

/** The one with the fewest observations first, and of those the one that began first. */
export function smallestFirst(counterexamples: readonly Counterexample[]): Counterexample[] {
  const began = ({ entries }: Counterexample) => entries[0]?.op ?? 0;
  return [...counterexamples].sort(
    (a, b) => a.entries.length - b.entries.length || began(a) - began(b),
  );
}

/** Of what was answered, in characters: the rest is in the history. */
const LONGEST = 300;

/** For a person who looks for the cause. */
export function describeCounterexample({ what, entries, stored }: Counterexample): string[] {
  const from = entries[0]?.at ?? 0;
  const clip = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  const lines = entries.map((entry) => {
    const at = `+${(entry.at - from).toFixed(0)} ms`;
    if (entry.type === 'invoke') {
      return `#${entry.op} ${at} invoke ${entry.person} ${JSON.stringify(entry.action)}`;
    }
    const said = entry.type === 'ok' ? JSON.stringify(entry.told) : entry.why;
    return `#${entry.op} ${at} ${entry.type} ${entry.status ?? 'no answer'} ${clip(said)}`;
  });
  return [what, ...lines, `stored: ${stored}`];
}

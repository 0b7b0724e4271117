import { type Counterexample, smallestFirst } from './counterexample.ts';
import type { FinalState } from './final-state.ts';
import { type Entry, operationsOf } from './history.ts';

/** Each reported violation counts once, however often it was sent, and nothing else counts (I14). */
export function findMiscounts(history: readonly Entry[], state: FinalState): Counterexample[] {
  const reports = operationsOf(history, 'report');
  const found = state.attempts.flatMap((attempt): Counterexample[] => {
    const own = reports.filter(({ invoke }) => invoke.action.attempt === attempt.id);
    const rows = new Map(attempt.violations.map(({ id, counted }) => [id, counted]));
    const sent = new Set(own.map(({ invoke }) => invoke.action.violation));
    const stored = `${rows.size} kept, ${attempt.countedViolations} counted, ${sent.size} reported`;
    const problems: Counterexample[] = [];
    for (const { invoke, outcome } of own) {
      if (outcome?.type !== 'ok') continue;
      const kept = rows.get(invoke.action.violation);
      if (kept !== undefined && kept === outcome.reply.counted) continue;
      const what =
        kept === undefined ? 'an acknowledged report is lost' : 'it was counted differently';
      problems.push({ what, entries: [invoke, outcome], stored });
    }
    const unsent = [...rows.keys()].filter((id) => !sent.has(id));
    const counted = [...rows.values()].filter(Boolean).length;
    if (unsent.length > 0 || counted !== attempt.countedViolations) {
      const what =
        unsent.length > 0 ? 'more violations than reports' : 'the count does not match its rows';
      const entries = own.flatMap(({ invoke, outcome }) => (outcome ? [invoke, outcome] : invoke));
      problems.push({ what, entries, stored });
    }
    return problems;
  });
  return smallestFirst(found);
}

/** A repeated start, even after a lost response, returns the same attempt (I1). */
export function findSecondAttempts(history: readonly Entry[], state: FinalState): Counterexample[] {
  const first = new Map<string, { attempt: string | undefined; entries: Entry[] }>();
  const found: Counterexample[] = [];
  for (const { invoke, outcome } of operationsOf(history, 'start')) {
    if (outcome?.type !== 'ok') continue;
    const entries = [invoke, outcome];
    const known = first.get(invoke.person);
    if (known === undefined) first.set(invoke.person, { attempt: outcome.reply.attempt, entries });
    else if (known.attempt !== outcome.reply.attempt) {
      const what = 'a second start returned another attempt';
      found.push({ what, entries: [...known.entries, ...entries], stored: 'see the answers' });
    }
  }
  const people = state.attempts.map(({ person }) => person);
  for (const person of new Set(people)) {
    const many = people.filter((one) => one === person).length;
    const entries = first.get(person)?.entries ?? [];
    if (many > 1) found.push({ what: 'one code, several attempts', entries, stored: `${many}` });
  }
  for (const [person, { entries }] of first) {
    if (people.includes(person)) continue;
    found.push({ what: 'an acknowledged start is lost', entries, stored: 'nothing' });
  }
  return smallestFirst(found);
}

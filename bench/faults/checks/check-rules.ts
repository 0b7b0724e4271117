import { type Counterexample, smallestFirst } from './counterexample.ts';
import type { FinalState } from './final-state.ts';
import { type Entry, operationsOf } from './history.ts';

/** Tolerance between the clocks of the harness and of the service, on one machine. */
const CLOCKS_MS = 2_000;

/** A save of a running attempt may be deferred, never refused: the browser would give it up. */
export function findRefusedSaves(history: readonly Entry[], state: FinalState): Counterexample[] {
  const deadlines = new Map(state.attempts.map(({ id, deadlineAt }) => [id, deadlineAt]));
  const submitted = new Map<string, number>();
  for (const { invoke, invokedIndex } of operationsOf(history, 'submit')) {
    const { attempt } = invoke.action;
    submitted.set(attempt, Math.min(submitted.get(attempt) ?? Infinity, invokedIndex));
  }
  const found = operationsOf(history, 'save').flatMap((save): Counterexample[] => {
    const { invoke, outcome, answeredIndex } = save;
    if (outcome?.type !== 'fail') return [];
    const { attempt } = invoke.action;
    if ((submitted.get(attempt) ?? Infinity) < answeredIndex) return [];
    if (outcome.at > (deadlines.get(attempt) ?? 0) - CLOCKS_MS) return [];
    const what = 'a save was refused while its attempt was running';
    return [{ what, entries: [invoke, outcome], stored: 'see the answer' }];
  });
  return smallestFirst(found);
}

/** The score follows from the stored answers, whatever a submit claims (I11). */
export function findWrongScores(state: FinalState): Counterexample[] {
  return state.attempts.flatMap(({ id, status, score, right }) => {
    const due = status === 'in_progress' ? null : right;
    if (score === due) return [];
    const what = 'the score does not match the stored answers';
    return [{ what, entries: [], stored: `${id} ${status}: score ${score}, ${right} are right` }];
  });
}

/** Start and deadline are the server's, whatever a start request claims (I2). */
export function findWrongTimes(history: readonly Entry[], state: FinalState): Counterexample[] {
  const found = state.attempts.flatMap((attempt): Counterexample[] => {
    const { id, person, startedAt, deadlineAt, allowedMs, quizEndsAt } = attempt;
    const own = operationsOf(history, 'start').filter(({ invoke }) => invoke.person === person);
    const [first] = own;
    const answer = own.find(({ outcome }) => outcome?.type === 'ok')?.outcome;
    if (first === undefined || answer === undefined) return [];
    const stored = `${id} started ${Math.round(startedAt - first.invoke.at)} ms after the request, with ${Math.round(deadlineAt - startedAt)} ms to go`;
    const wrong = (what: string): Counterexample[] => [
      { what, entries: [first.invoke, answer], stored },
    ];
    if (startedAt < first.invoke.at - CLOCKS_MS || startedAt > answer.at + CLOCKS_MS) {
      return wrong('the server did not set the start time');
    }
    const due = Math.min(startedAt + allowedMs, quizEndsAt ?? Infinity);
    return Math.abs(deadlineAt - due) < 1 ? [] : wrong('the deadline does not follow the rule');
  });
  return smallestFirst(found);
}

/** Someone else's attempt is not found, like one that does not exist (I23). */
export function findTrespasses(history: readonly Entry[]): Counterexample[] {
  const found = operationsOf(history, 'trespass').flatMap(
    ({ invoke, outcome }): Counterexample[] => {
      if (outcome === undefined || outcome.type === 'unknown') return [];
      if (outcome.type === 'fail' && outcome.status === 404) return [];
      const what = "someone else's attempt was accessible";
      return [{ what, entries: [invoke, outcome], stored: `${outcome.status} and not 404` }];
    },
  );
  return smallestFirst(found);
}

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

import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { broken, check } from './counterexample.ts';
import type { FinalState, StoredAttempt } from './final-state.ts';
import { acknowledged, type Entry, firstOf, type Operation, operationsOf } from './history.ts';
import type { Outage } from './notes.ts';

type Stored = StoredAttempt['answers'][number];

/** Tolerance between the clocks of the harness and of the service, on one machine. */
const CLOCKS_MS = 2_000;
/** The service detects an outage from this length on: it records its liveness every five seconds. */
const SEEN_AS_OUTAGE_MS = 5_000;

/**
 * An acknowledged save is stored, or a newer one of its question (I6, I8). Every stored answer was sent
 * in a save that was not refused.
 */
export const findLostSaves = check(function* (history: readonly Entry[], state: FinalState) {
  const stored = answersIn(state);
  for (const save of acknowledged(history, 'save')) {
    const { attempt, question, revision, option } = save.invoke.action;
    const now = stored.get(key(attempt, question));
    const isKept =
      now?.revision === revision ? now.option === option : (now?.revision ?? 0) > revision;
    if (isKept || save.outcome.reply.stale) continue;
    yield broken('an acknowledged save is lost', words(now), save);
  }
  const sent = Map.groupBy(operationsOf(history, 'save'), ({ invoke: { action } }) =>
    key(action.attempt, action.question, action.revision, action.option),
  );
  for (const { id, answers } of state.attempts) {
    for (const answer of answers) {
      const causes = sent.get(key(id, answer.question, answer.revision, answer.option)) ?? [];
      const refused = causes.filter(({ outcome }) => outcome?.type === 'fail');
      if (causes.length > refused.length) continue;
      const isRefused = causes.length > 0;
      const what = isRefused ? 'a refused save is stored' : 'the stored answer was never sent';
      yield broken(what, words(answer), ...refused.slice(0, 1));
    }
  }
});

/** Once a response says that the attempt has ended, no save is accepted (I3, I5). */
export const findSavesAfterEnd = check(function* (history: readonly Entry[], state: FinalState) {
  const stored = answersIn(state);
  const ends = (['submit', 'heartbeat', 'save', 'report'] as const)
    .flatMap((kind): Operation<'submit' | 'heartbeat' | 'save' | 'report'>[] =>
      acknowledged(history, kind).filter(
        ({ outcome: { reply } }) => (reply.status ?? 'in_progress') !== 'in_progress',
      ),
    )
    .sort((a, b) => a.answeredIndex - b.answeredIndex);
  const firstEnds = firstOf(ends, ({ invoke }) => invoke.action.attempt);
  const saves = operationsOf(history, 'save');
  const tryOf = ({ invoke: { action } }: Operation<'save'>) =>
    key(action.attempt, action.question, action.revision);
  const firstTries = firstOf(saves, tryOf);
  for (const save of saves) {
    const { attempt, question, revision } = save.invoke.action;
    const end = firstEnds.get(attempt);
    if (end === undefined || save.invokedIndex < end.answeredIndex) continue;
    const now = stored.get(key(attempt, question));
    const isAccepted = save.outcome?.type === 'ok';
    // An earlier try of the same save may have been accepted in time.
    const isStored = now?.revision === revision && firstTries.get(tryOf(save)) === save;
    if (!isAccepted && !isStored) continue;
    const what = isAccepted
      ? 'a save was accepted after the end'
      : 'a save after the end is stored';
    yield broken(what, words(now), end, save);
  }
});

/** A save of a running attempt may be deferred, never refused: the browser would give it up. */
export const findRefusedSaves = check(function* (history: readonly Entry[], state: FinalState) {
  const deadlines = new Map(state.attempts.map(({ id, deadlineAt }) => [id, deadlineAt]));
  const submits = firstOf(operationsOf(history, 'submit'), ({ invoke }) => invoke.action.attempt);
  for (const save of operationsOf(history, 'save')) {
    const { invoke, outcome, answeredIndex } = save;
    const { attempt } = invoke.action;
    if (outcome?.type !== 'fail') continue;
    if ((submits.get(attempt)?.invokedIndex ?? Infinity) < answeredIndex) continue;
    if (outcome.at > (deadlines.get(attempt) ?? 0) - CLOCKS_MS) continue;
    yield broken('a save was refused while its attempt was running', 'see the answer', save);
  }
});

/** An attempt ends once, no submit of its candidate is refused, and each returns the same (I4, I10). */
export const findDoubleEnds = check(function* (history: readonly Entry[], state: FinalState) {
  for (const submit of operationsOf(history, 'submit')) {
    const { outcome } = submit;
    if (outcome?.type === 'fail') yield broken('a submit was refused', outcome.why, submit);
  }
  const ended = acknowledged(history, 'submit');
  const first = firstOf(ended, ({ invoke }) => invoke.action.attempt);
  for (const submit of ended) {
    const known = first.get(submit.invoke.action.attempt);
    if (known === undefined || known.outcome.reply.text === submit.outcome.reply.text) continue;
    yield broken('a repeated submit returned another result', 'see the answers', known, submit);
  }
  for (const attempt of state.attempts) {
    const many = attempt.endedAt.length;
    const known = first.get(attempt.id);
    const operations = known ? [known] : [];
    if (many !== (attempt.status === 'in_progress' ? 0 : 1)) {
      yield broken(`${many} ends`, endOf(attempt), ...operations);
    } else if (many === 0 && known) {
      yield broken('an acknowledged end is lost', endOf(attempt), known);
    }
  }
});

/**
 * An attempt that was not submitted is closed by the server in time, dated at its deadline (I12, I13).
 * After a detected outage, candidates first get a minute for unsent answers.
 *
 * @param lagMs how late the server may be; more where very many are due at once
 */
export const findLeftOpen = check(function* (
  history: readonly Entry[],
  state: FinalState,
  outages: readonly Outage[],
  lagMs?: number,
) {
  for (const attempt of leftAttempts(history, state)) {
    const late = (attempt.endedAt[0] ?? Infinity) - latestEnd(attempt, outages, lagMs);
    const wrong = (what: string) => broken(what, endOf(attempt));
    if (late === Infinity) yield wrong('an abandoned attempt is still open');
    else if (attempt.submissionType !== 'auto') yield wrong('it did not end by its deadline');
    else if (attempt.submittedAt !== attempt.deadlineAt) {
      yield wrong('its end is not dated at its deadline');
    } else if (late > 0) yield wrong(`closed ${Math.round(late)} ms too late`);
  }
});

/** Attempts that no candidate submitted or tried to. */
export function leftAttempts(history: readonly Entry[], state: FinalState): StoredAttempt[] {
  const submits = firstOf(operationsOf(history, 'submit'), ({ invoke }) => invoke.action.attempt);
  return state.attempts.filter(({ id }) => !submits.has(id));
}

/** The last moment at which an abandoned attempt may be closed. */
export function latestEnd(
  { deadlineAt }: Pick<StoredAttempt, 'deadlineAt'>,
  outages: readonly Outage[],
  closingLagMs: number = ATTEMPT_LIMITS.closingLagMs,
): number {
  const { graceMs, outageReprieveMs } = ATTEMPT_LIMITS;
  const latest = deadlineAt + graceMs + closingLagMs;
  const after = outages
    .filter(({ from, to }) => from < latest && to > deadlineAt)
    .map(({ from, to }) => {
      const reprieve = to - from > SEEN_AS_OUTAGE_MS ? outageReprieveMs : 0;
      return to + reprieve + closingLagMs;
    });
  return Math.max(latest, ...after);
}

/** The score follows from the stored answers, whatever a submit claims (I11). */
export const findWrongScores = check(function* (state: FinalState) {
  for (const { id, status, score, right } of state.attempts) {
    if (score === (status === 'in_progress' ? null : right)) continue;
    const stored = `${id} ${status}: score ${score}, ${right} are right`;
    yield broken('the score does not match the stored answers', stored);
  }
});

/** Start and deadline are the server's, whatever a start request claims (I2). */
export const findWrongTimes = check(function* (history: readonly Entry[], state: FinalState) {
  const byPerson = ({ invoke }: Operation<'start'>) => invoke.person;
  const asked = firstOf(operationsOf(history, 'start'), byPerson);
  const answered = firstOf(acknowledged(history, 'start'), byPerson);
  for (const { id, person, startedAt, deadlineAt, allowedMs, quizEndsAt } of state.attempts) {
    const from = asked.get(person)?.invoke;
    const to = answered.get(person)?.outcome;
    if (!from || !to) continue;
    const stored = `${id} started ${Math.round(startedAt - from.at)} ms after the request, with ${Math.round(deadlineAt - startedAt)} ms to go`;
    const wrong = (what: string) => ({ what, entries: [from, to], stored });
    const due = Math.min(startedAt + allowedMs, quizEndsAt ?? Infinity);
    if (startedAt < from.at - CLOCKS_MS || startedAt > to.at + CLOCKS_MS) {
      yield wrong('the server did not set the start time');
    } else if (Math.abs(deadlineAt - due) >= 1)
      yield wrong('the deadline does not follow the rule');
  }
});

/** Someone else's attempt is not found, like one that does not exist (I23). */
export const findTrespasses = check(function* (history: readonly Entry[]) {
  for (const trespass of operationsOf(history, 'trespass')) {
    const { type = 'unknown', status = null } = trespass.outcome ?? {};
    if (type === 'unknown' || (type === 'fail' && status === 404)) continue;
    yield broken("someone else's attempt was accessible", `${status} and not 404`, trespass);
  }
});

/** Each reported violation counts once, however often it was sent, and nothing else counts (I14). */
export const findMiscounts = check(function* (history: readonly Entry[], state: FinalState) {
  const reports = Map.groupBy(
    operationsOf(history, 'report'),
    ({ invoke }) => invoke.action.attempt,
  );
  for (const { id, violations, countedViolations } of state.attempts) {
    const own = reports.get(id) ?? [];
    const rows = new Map(violations.map((row) => [row.id, row.counted]));
    const sent = new Set(own.map(({ invoke }) => invoke.action.violation));
    const stored = `${rows.size} kept, ${countedViolations} counted, ${sent.size} reported`;
    for (const report of own) {
      const kept = rows.get(report.invoke.action.violation);
      if (report.outcome?.type !== 'ok' || kept === (report.outcome.reply.counted ?? null))
        continue;
      const isLost = kept === undefined;
      const what = isLost ? 'an acknowledged report is lost' : 'it was counted differently';
      yield broken(what, stored, report);
    }
    const counted = violations.filter((row) => row.counted).length;
    if (violations.some((row) => !sent.has(row.id))) {
      yield broken('more violations than reports', stored, ...own);
    } else if (counted !== countedViolations) {
      yield broken('the count does not match its rows', stored, ...own);
    }
  }
});

/** A repeated start, even after a lost response, returns the same attempt (I1). */
export const findSecondAttempts = check(function* (history: readonly Entry[], state: FinalState) {
  const starts = acknowledged(history, 'start');
  const first = firstOf(starts, ({ invoke }) => invoke.person);
  for (const start of starts) {
    const known = first.get(start.invoke.person);
    if (known === undefined || known.outcome.reply.attempt === start.outcome.reply.attempt)
      continue;
    yield broken('a second start returned another attempt', 'see the answers', known, start);
  }
  const stored = Map.groupBy(state.attempts, ({ person }) => person);
  for (const [person, { length }] of stored) {
    const known = first.get(person);
    if (length > 1)
      yield broken('one code, several attempts', `${length}`, ...(known ? [known] : []));
  }
  for (const [person, start] of first) {
    if (!stored.has(person)) yield broken('an acknowledged start is lost', 'nothing', start);
  }
});

function answersIn(state: FinalState): Map<string, Stored> {
  return new Map(
    state.attempts.flatMap(({ id, answers }) =>
      answers.map((answer): [string, Stored] => [key(id, answer.question), answer]),
    ),
  );
}

function words(answer: Stored | undefined): string {
  return answer ? `revision ${answer.revision}, ${JSON.stringify(answer.option)}` : 'nothing';
}

function endOf({ id, status, submissionType, submittedAt, deadlineAt, endedAt }: StoredAttempt) {
  const after = (at: number | null) => (at === null ? 'never' : `${at - deadlineAt} ms`);
  const ends = endedAt.map(after).join(' and ') || 'never';
  return `${id} ${status} (${submissionType}), submitted at the deadline + ${after(submittedAt)}, closed at the deadline + ${ends}`;
}

const key = (...parts: (string | number | null)[]) => JSON.stringify(parts);

import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type Counterexample, smallestFirst } from './counterexample.ts';
import type { FinalState, StoredAttempt } from './final-state.ts';
import { type Entry, operationsOf } from './history.ts';

/** A time when the service was unreachable; milliseconds since 1970. */
export interface Outage {
  from: number;
  to: number;
}

/** The service detects an outage from this length on: it records its liveness every five seconds. */
const SEEN_AS_OUTAGE_MS = 5_000;

/** An attempt ends once, no submit of its candidate is refused, and each returns the same (I4, I10). */
export function findDoubleEnds(history: readonly Entry[], state: FinalState): Counterexample[] {
  const first = new Map<string, { text: string | undefined; entries: Entry[] }>();
  const found: Counterexample[] = [];
  for (const { invoke, outcome } of operationsOf(history, 'submit')) {
    if (outcome?.type === 'fail') {
      found.push({ what: 'a submit was refused', entries: [invoke, outcome], stored: outcome.why });
    }
    if (outcome?.type !== 'ok') continue;
    const entries = [invoke, outcome];
    const known = first.get(invoke.action.attempt);
    if (known === undefined) {
      first.set(invoke.action.attempt, { text: outcome.reply.text, entries });
    } else if (known.text !== outcome.reply.text) {
      const what = 'a repeated submit returned another result';
      found.push({ what, entries: [...known.entries, ...entries], stored: 'see the answers' });
    }
  }
  for (const attempt of state.attempts) {
    const due = attempt.status === 'in_progress' ? 0 : 1;
    const entries = first.get(attempt.id)?.entries ?? [];
    if (attempt.endedAt.length !== due) {
      found.push({ what: `${attempt.endedAt.length} ends`, entries, stored: words(attempt) });
    } else if (due === 0 && entries.length > 0) {
      found.push({ what: 'an acknowledged end is lost', entries, stored: words(attempt) });
    }
  }
  return smallestFirst(found);
}

/**
 * An attempt that was not submitted is closed by the server in time, dated at its deadline (I12, I13).
 * After a detected outage, candidates first get a minute for unsent answers.
 *
 * @param lagMs how late the server may be; more where very many are due at once
 */
export function findLeftOpen(
  history: readonly Entry[],
  state: FinalState,
  outages: readonly Outage[],
  lagMs?: number,
): Counterexample[] {
  const found = leftAttempts(history, state).flatMap((attempt): Counterexample[] => {
    const problem = problemOf(attempt, latestEnd(attempt, outages, lagMs));
    return problem === null ? [] : [{ what: problem, entries: [], stored: words(attempt) }];
  });
  return smallestFirst(found);
}

/** Attempts that no candidate submitted or tried to. */
export function leftAttempts(history: readonly Entry[], state: FinalState): StoredAttempt[] {
  const submitted = new Set(
    operationsOf(history, 'submit').map(({ invoke }) => invoke.action.attempt),
  );
  return state.attempts.filter(({ id }) => !submitted.has(id));
}

function problemOf(attempt: StoredAttempt, latest: number): string | null {
  const [endedAt] = attempt.endedAt;
  if (endedAt === undefined) return 'an abandoned attempt is still open';
  if (attempt.submissionType !== 'auto') return 'it did not end by its deadline';
  if (attempt.submittedAt !== attempt.deadlineAt) return 'its end is not dated at its deadline';
  return endedAt > latest ? `closed ${Math.round(endedAt - latest)} ms too late` : null;
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

function words({ id, status, submissionType, submittedAt, deadlineAt, endedAt }: StoredAttempt) {
  const after = (at: number | null) => (at === null ? 'never' : `${at - deadlineAt} ms`);
  const ends = endedAt.map(after).join(' and ') || 'never';
  return `${id} ${status} (${submissionType}), submitted at the deadline + ${after(submittedAt)}, closed at the deadline + ${ends}`;
}

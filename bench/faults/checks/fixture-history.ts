import type { FinalState, StoredAttempt } from './final-state.ts';
import type { Action, Entry, Reply } from './history.ts';

/** The outcome of an action in a test's history. */
export type FixtureOutcome =
  | { ok: Reply }
  | { fail: number }
  | { unknown: number | null; retryAfter?: string; tookMs?: number };

/** A history of sequential actions, ten milliseconds each; `null` was never answered. */
export function fixtureHistory(...actions: [Action, FixtureOutcome | null][]): Entry[] {
  let at = 1_000;
  return actions.flatMap(([action, outcome], i): Entry[] => {
    const op = i + 1;
    const invoke: Entry = { type: 'invoke', op, at, person: 'ada@example.org', action };
    at += outcome !== null && 'unknown' in outcome ? (outcome.tookMs ?? 10) : 10;
    if (outcome === null) return [invoke];
    if ('ok' in outcome) return [invoke, { type: 'ok', op, at, status: 200, reply: outcome.ok }];
    if ('fail' in outcome) {
      return [invoke, { type: 'fail', op, at, status: outcome.fail, why: 'refused' }];
    }
    const { unknown: status, retryAfter = null } = outcome;
    return [invoke, { type: 'unknown', op, at, status, why: 'no answer', retryAfter }];
  });
}

export function save(revision: number, question = 'q1'): Action {
  return { kind: 'save', attempt: 'a1', question, revision, option: `${question} ${revision}` };
}

export function stored(revision: number, question = 'q1') {
  return { question, revision, option: `${question} ${revision}` };
}

/** An attempt submitted by its candidate, with changes. */
export function attempt(differs: Partial<StoredAttempt> = {}): StoredAttempt {
  return {
    id: 'a1',
    person: 'ada@example.org',
    status: 'completed',
    startedAt: 1_000,
    deadlineAt: 100_000,
    allowedMs: 99_000,
    quizEndsAt: null,
    submittedAt: 90_000,
    submissionType: 'manual',
    score: 0,
    right: 0,
    countedViolations: 0,
    endedAt: [90_000],
    answers: [],
    violations: [],
    ...differs,
  };
}

export function finalState(...attempts: StoredAttempt[]): FinalState {
  return { attempts, messages: [], strays: [] };
}

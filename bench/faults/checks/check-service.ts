import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import { type Counterexample, smallestFirst } from './counterexample.ts';
import { type Entry, operationsOf } from './history.ts';

/** After each promotion of a standby, saves are accepted within `withinMs`. */
export function findSlowFailovers(
  history: readonly Entry[],
  promotions: readonly number[],
  withinMs: number,
): Counterexample[] {
  return promotions.flatMap((at): Counterexample[] => {
    const waitedMs = untilNextSave(history, at);
    if (waitedMs <= withinMs) return [];
    return [{ what: 'no save was accepted in time', entries: [], stored: `${waitedMs} ms` }];
  });
}

/** Milliseconds from a moment to the first acknowledgement of a save sent after it. */
export function untilNextSave(history: readonly Entry[], from: number): number {
  const acknowledged = operationsOf(history, 'save').flatMap(({ invoke, outcome }) =>
    outcome?.type === 'ok' && invoke.at > from ? [outcome.at] : [],
  );
  return Math.min(...acknowledged, Number.POSITIVE_INFINITY) - from;
}

/**
 * Every response to a save is in time, and one that the browser can act on: done, refused, or "try
 * again" with `Retry-After`.
 *
 * @param allAnswered no connection was cut and no server ended or stopped: every save must be answered
 */
export function findUnanswered(history: readonly Entry[], allAnswered: boolean): Counterexample[] {
  const found = operationsOf(history, 'save').flatMap(({ invoke, outcome }): Counterexample[] => {
    const wrong = (what: string): Counterexample[] => {
      const entries = outcome ? [invoke, outcome] : [invoke];
      return [{ what, entries, stored: 'see the answer' }];
    };
    if (outcome === undefined) return allAnswered ? wrong('a save was never answered') : [];
    if (outcome.status === null) return allAnswered ? wrong('a save got no answer') : [];
    if (outcome.at - invoke.at > REQUEST_LIMITS.timeoutMs) return wrong('a save took too long');
    if (outcome.type !== 'unknown') return [];
    if (outcome.status !== 503) return wrong('a save failed without "try again"');
    return Number(outcome.retryAfter) > 0 ? [] : wrong('"try again" does not say when');
  });
  return smallestFirst(found);
}

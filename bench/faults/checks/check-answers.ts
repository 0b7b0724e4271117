import { type Counterexample, smallestFirst } from './counterexample.ts';
import type { FinalState } from './final-state.ts';
import { type Entry, type Operation, operationsOf } from './history.ts';

type Save = Operation<Extract<Operation['invoke']['action'], { kind: 'save' }>>;
type Stored = { question: string; revision: number; option: string | null };

/**
 * An acknowledged save is stored, or a newer one of its question (I6, I8). Every stored answer was sent
 * in a save that was not refused.
 */
export function findLostSaves(history: readonly Entry[], state: FinalState): Counterexample[] {
  const stored = storedByQuestion(state);
  const saves = operationsOf(history, 'save');
  const lost = saves.flatMap((save): Counterexample[] => {
    const { action } = save.invoke;
    if (save.outcome?.type !== 'ok' || save.outcome.reply.stale) return [];
    const found = stored.get(key(action.attempt, action.question));
    const isKept =
      found !== undefined &&
      (found.revision > action.revision ||
        (found.revision === action.revision && found.option === action.option));
    if (isKept) return [];
    return [{ what: 'an acknowledged save is lost', entries: both(save), stored: words(found) }];
  });

  const sent = new Map<string, Save[]>();
  for (const save of saves) {
    const { attempt, question, revision, option } = save.invoke.action;
    const of = key(attempt, question, revision, option);
    sent.set(of, [...(sent.get(of) ?? []), save]);
  }
  const foreign = state.attempts.flatMap(({ id, answers }) =>
    answers.flatMap((answer): Counterexample[] => {
      const causes = sent.get(key(id, answer.question, answer.revision, answer.option)) ?? [];
      const refused = causes.filter(({ outcome }) => outcome?.type === 'fail');
      if (causes.length > refused.length) return [];
      const what =
        causes.length === 0 ? 'the stored answer was never sent' : 'a refused save is stored';
      return [{ what, entries: refused.slice(0, 1).flatMap(both), stored: words(answer) }];
    }),
  );
  return smallestFirst([...lost, ...foreign]);
}

/** Once a response says that the attempt has ended, no save is accepted (I3, I5). */
export function findSavesAfterEnd(history: readonly Entry[], state: FinalState): Counterexample[] {
  const ends = firstEnds(history);
  const stored = storedByQuestion(state);
  const found = operationsOf(history, 'save').flatMap((save): Counterexample[] => {
    const { action } = save.invoke;
    const end = ends.get(action.attempt);
    if (end === undefined || save.invokedIndex < end.index) return [];
    const now = stored.get(key(action.attempt, action.question));
    const accepted = save.outcome?.type === 'ok';
    const changed = now?.revision === action.revision && isFirstOfItsRevision(history, save);
    if (!accepted && !changed) return [];
    const what = accepted ? 'a save was accepted after the end' : 'a save after the end is stored';
    return [{ what, entries: [...end.entries, ...both(save)], stored: words(now) }];
  });
  return smallestFirst(found);
}

/** By attempt: the first response that says that it has ended, with its index. */
function firstEnds(history: readonly Entry[]): Map<string, { index: number; entries: Entry[] }> {
  const ends = new Map<string, { index: number; entries: Entry[] }>();
  for (const kind of ['submit', 'heartbeat', 'save', 'report'] as const) {
    for (const operation of operationsOf(history, kind)) {
      const { outcome, answeredIndex: index } = operation;
      if (outcome?.type !== 'ok') continue;
      const { status } = outcome.reply;
      if (status === undefined || status === 'in_progress') continue;
      const { attempt } = operation.invoke.action;
      const known = ends.get(attempt);
      if (known === undefined || index < known.index) {
        ends.set(attempt, { index, entries: both(operation) });
      }
    }
  }
  return ends;
}

/** An earlier try of the same save may have been accepted in time. */
function isFirstOfItsRevision(history: readonly Entry[], save: Save): boolean {
  const { attempt, question, revision } = save.invoke.action;
  return !operationsOf(history, 'save').some(
    ({ invoke: { action }, invokedIndex }) =>
      invokedIndex < save.invokedIndex &&
      action.attempt === attempt &&
      action.question === question &&
      action.revision === revision,
  );
}

function storedByQuestion(state: FinalState): Map<string, Stored> {
  return new Map(
    state.attempts.flatMap(({ id, answers }) =>
      answers.map((answer): [string, Stored] => [key(id, answer.question), answer]),
    ),
  );
}

function both({ invoke, outcome }: Operation): Entry[] {
  return outcome ? [invoke, outcome] : [invoke];
}

function words(answer: Stored | undefined): string {
  return answer ? `revision ${answer.revision}, ${JSON.stringify(answer.option)}` : 'nothing';
}

const key = (...parts: (string | number | null)[]) => JSON.stringify(parts);

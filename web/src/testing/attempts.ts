import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { vi } from 'vitest';
import type { AnswerValue } from '../answer-sync/answer-sheet.ts';
import { type AttemptSnapshot, NO_ATTEMPT } from '../candidate/attempt/attempt-state.ts';
import { currentAttempt } from '../candidate/current-attempt.ts';
import { forgetPerson } from '../lib/person/person-memory.ts';
import { fetchAnswerFields } from '../question-view/answer-field.tsx';
import { ATTEMPT } from './fixtures.ts';

/** Sets the current attempt from now on. */
export function givenAttempt(change: Partial<AttemptSnapshot>): void {
  vi.spyOn(currentAttempt, 'getSnapshot').mockReturnValue({ ...NO_ATTEMPT, ...change });
}

/** A running attempt at its first question, whose answers are kept in the returned map. */
export async function keepAnswers(paper: PaperQuestion[]): Promise<Map<string, AnswerValue>> {
  forgetPerson();
  const answers = new Map<string, AnswerValue>();
  await fetchAnswerFields(paper);
  const listeners = new Set<() => void>();
  const read = () => ({
    ...NO_ATTEMPT,
    phase: { kind: 'running' as const },
    participant: ATTEMPT,
    paper,
    sync: { ...NO_ATTEMPT.sync, values: new Map(answers) },
  });
  let snapshot = read();
  vi.spyOn(currentAttempt, 'getSnapshot').mockImplementation(() => snapshot);
  vi.spyOn(currentAttempt, 'subscribe').mockImplementation((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  });
  const change = (id: string, changed: Partial<AnswerValue>) => {
    answers.set(id, { answer: '', isFlagged: false, ...answers.get(id), ...changed });
    snapshot = read();
    for (const listener of listeners) listener();
  };
  vi.spyOn(currentAttempt, 'answers', 'get').mockReturnValue({
    change: vi.fn(change),
    type: vi.fn((id, answer) => change(id, { answer })),
    settle: vi.fn(),
    acknowledged: [],
  });
  return answers;
}

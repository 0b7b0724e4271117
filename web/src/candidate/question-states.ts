import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import type { AnswerValue } from '../answer-sync/answer-sheet.ts';
import { localKey } from '../lib/person/local-keys.ts';
import { onForget } from '../lib/person/person-memory.ts';
import { isAnswered, toCheckIn } from '../question-view/answer-value.ts';
import { type QuestionState, questionCounts } from '../question-view/question-state.ts';
import { focusHeading } from './navigation.ts';

export function questionStates(
  paper: readonly PaperQuestion[],
  values: ReadonlyMap<string, AnswerValue>,
): QuestionState[] {
  return paper.map((question, index) => {
    const { id, section } = question;
    const value = values.get(id);
    const toCheck = toCheckIn(question, value?.answer ?? '');
    return {
      id,
      number: index + 1,
      // Only options of this paper count as answers.
      isAnswered: value !== undefined && isAnswered(question, value.answer),
      isFlagged: value?.isFlagged ?? false,
      ...(toCheck === null ? {} : { toCheck }),
      ...(section === undefined ? {} : { section }),
    };
  });
}

/** Names the questions whose answers are to be checked, and why; `null` without any. */
export function toCheckSentence(states: readonly QuestionState[]): string | null {
  const sentences = [
    about(
      states.filter(({ toCheck }) => toCheck === 'too-few'),
      'has fewer selections than it asks for',
      'have fewer selections than they ask for',
    ),
    about(
      states.filter(({ toCheck }) => toCheck === 'no-number'),
      'asks for a number, and its answer is not one',
      'ask for a number, and their answers are not',
    ),
    about(
      states.filter(({ toCheck }) => toCheck === 'unit'),
      'has an answer with a unit that it does not name',
      'have answers with a unit that they do not name',
    ),
    about(
      states.filter(({ toCheck }) => toCheck === 'thousands'),
      'has an answer whose comma is read as a decimal comma',
      'have answers whose comma is read as a decimal comma',
    ),
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

function about(states: readonly QuestionState[], one: string, many: string): string | null {
  const numbers = states.map((state) => String(state.number));
  const last = numbers.pop();
  if (last === undefined) return null;
  return numbers.length === 0
    ? `Question ${last} ${one}.`
    : `Questions ${numbers.join(', ')} and ${last} ${many}.`;
}

export function openSentence(states: readonly QuestionState[]): string {
  const toCheck = toCheckSentence(states);
  return toCheck === null ? openText(states) : `${openText(states)} ${toCheck}`;
}

function openText(states: readonly QuestionState[]): string {
  const { flagged, remaining } = questionCounts(states);
  const are = (n: number, one: string, many: string) => (n === 1 ? one : many);
  const parts = [
    ...(flagged > 0 ? [`${flagged} ${are(flagged, 'question is', 'questions are')} flagged`] : []),
    ...(remaining > 0
      ? [
          flagged > 0
            ? `${remaining} ${are(remaining, 'is', 'are')} unanswered`
            : `${remaining} ${are(remaining, 'question is', 'questions are')} unanswered`,
        ]
      : []),
  ];
  if (parts.length === 0) return 'Every question is answered.';
  return `${parts.join(' and ')}. You can still change ${flagged + remaining === 1 ? 'it' : 'them'}.`;
}

const key = localKey('currentQuestion', z.string());

const listeners = new Set<() => void>();
let questionId: string | null | undefined;
onForget(() => {
  questionId = undefined;
});

function read(): string | null {
  if (questionId === undefined) questionId = key.read();
  return questionId;
}

function write(id: string): void {
  questionId = id;
  key.write(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Index of the current question of a paper (0 by default), and navigation: `go` leaves the focus where
 * it is, for Previous and Next; `jump` moves it to the question.
 */
export function useCurrentQuestion(
  paper: readonly PaperQuestion[],
): [current: number, go: (index: number) => void, jump: (index: number) => void] {
  const id = useSyncExternalStore(subscribe, read);
  const found = paper.findIndex((question) => question.id === id);
  const go = useCallback(
    (index: number) => {
      const question = paper[Math.min(Math.max(index, 0), paper.length - 1)];
      if (question !== undefined) write(question.id);
    },
    [paper],
  );
  const jump = useCallback(
    (index: number) => {
      go(index);
      // The focus moves after rendering, and after a closing sheet has returned it.
      requestAnimationFrame(focusHeading);
    },
    [go],
  );
  return [Math.max(0, found), go, jump];
}

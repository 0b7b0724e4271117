import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
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

/** Sentences about questions to check; `numbers`: one question, or more. */
const TO_CHECK: Record<
  NonNullable<QuestionState['toCheck']>,
  (n: number, numbers: string) => string
> = {
  'too-few': (n, numbers) =>
    t(
      'review.toCheck.tooFew',
      '{n, plural, one {Question {numbers} has fewer selections than it asks for.} other {Questions {numbers} have fewer selections than they ask for.}}',
      { n, numbers },
    ),
  'no-number': (n, numbers) =>
    t(
      'review.toCheck.noNumber',
      '{n, plural, one {Question {numbers} asks for a number, and its answer is not one.} other {Questions {numbers} ask for a number, and their answers are not.}}',
      { n, numbers },
    ),
  unit: (n, numbers) =>
    t(
      'review.toCheck.unit',
      '{n, plural, one {Question {numbers} has an answer with a unit that it does not name.} other {Questions {numbers} have answers with a unit that they do not name.}}',
      { n, numbers },
    ),
  thousands: (n, numbers) =>
    t(
      'review.toCheck.thousands',
      '{n, plural, one {Question {numbers} has an answer whose comma is read as a decimal comma.} other {Questions {numbers} have answers whose comma is read as a decimal comma.}}',
      { n, numbers },
    ),
};

/** Names the questions whose answers are to be checked, and why; `null` without any. */
export function toCheckSentence(states: readonly QuestionState[]): string | null {
  const sentences = Object.entries(TO_CHECK).flatMap(([reason, sentence]) => {
    const numbers = states
      .filter(({ toCheck }) => toCheck === reason)
      .map(({ number }) => String(number));
    return numbers.length === 0 ? [] : [sentence(numbers.length, listText(numbers))];
  });
  return sentences.length === 0 ? null : sentences.join(' ');
}

export function openSentence(states: readonly QuestionState[]): string {
  const toCheck = toCheckSentence(states);
  return toCheck === null ? openText(states) : `${openText(states)} ${toCheck}`;
}

function openText(states: readonly QuestionState[]): string {
  const { flagged, remaining } = questionCounts(states);
  if (flagged > 0 && remaining > 0) {
    return t(
      'review.open.both',
      '{flagged, plural, one {# question is flagged} other {# questions are flagged}} and {remaining, plural, one {# is unanswered} other {# are unanswered}}. You can still change them.',
      { flagged, remaining },
    );
  }
  if (flagged > 0) {
    return t(
      'review.open.flagged',
      '{n, plural, one {# question is flagged. You can still change it.} other {# questions are flagged. You can still change them.}}',
      { n: flagged },
    );
  }
  return remaining === 0
    ? t('review.open.none', 'Every question is answered.')
    : t(
        'review.open.unanswered',
        '{n, plural, one {# question is unanswered. You can still change it.} other {# questions are unanswered. You can still change them.}}',
        { n: remaining },
      );
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

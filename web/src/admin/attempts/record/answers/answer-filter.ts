import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { listText } from '@invigil/core/domain/locale';
import { acceptedText, typeIn } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { selectedOptions } from '../../../../question-view/answer-value.ts';
import { rowsOf } from '../../../../question-view/row-values.ts';

export type RecordQuestion = ParticipantRecord['questions'][number];

/** `partial`: some of the question's points. `left_out`: the question counts for no one. */
export type AnswerOutcome = 'correct' | 'partial' | 'wrong' | 'unanswered' | 'left_out';

/** A word for an outcome, in a row with others. */
export const OUTCOME_WORDS: Record<AnswerOutcome, () => string> = {
  correct: () => t(/* of a question; in a row of words */ 'record.outcome.correct', 'correct'),
  partial: () =>
    t(/* of a question; in a row of words */ 'record.outcome.partial', 'partly correct'),
  wrong: () => t(/* of a question; in a row of words */ 'record.outcome.wrong', 'wrong'),
  unanswered: () =>
    t(/* of a question; in a row of words */ 'record.outcome.unanswered', 'unanswered'),
  left_out: () =>
    t(
      /* a question that counts for no one; in a row of words */ 'record.outcome.leftOut',
      'left out',
    ),
};

const OUTCOME_COUNTS: Record<AnswerOutcome, (count: number) => string> = {
  correct: (count) =>
    t(
      /* questions; in a row of such counts */ 'record.outcomes.correct',
      '{count, plural, one {# correct} other {# correct}}',
      { count },
    ),
  partial: (count) =>
    t(
      /* questions; in a row of such counts */ 'record.outcomes.partial',
      '{count, plural, one {# partly correct} other {# partly correct}}',
      { count },
    ),
  wrong: (count) =>
    t(
      /* questions; in a row of such counts */ 'record.outcomes.wrong',
      '{count, plural, one {# wrong} other {# wrong}}',
      { count },
    ),
  unanswered: (count) =>
    t(
      /* questions; in a row of such counts */ 'record.outcomes.unanswered',
      '{count, plural, one {# unanswered} other {# unanswered}}',
      { count },
    ),
  left_out: (count) =>
    t(
      /* questions that count for no one; in a row of such counts */ 'record.outcomes.leftOut',
      '{count, plural, one {# left out} other {# left out}}',
      { count },
    ),
};

export function outcomeOf(question: RecordQuestion): AnswerOutcome {
  if (question.correction === 'left_out') return 'left_out';
  // A blank answer is correct only where everyone was given the points.
  if (question.isCorrect) return 'correct';
  if (question.selectedOption === '') return 'unanswered';
  return (question.points ?? 0) > 0 ? 'partial' : 'wrong';
}

export type AnswerFilter = 'all' | 'partial' | 'wrong' | 'unanswered' | 'flagged';

export function answersUnder(
  filter: AnswerFilter,
  questions: readonly RecordQuestion[],
): readonly RecordQuestion[] {
  if (filter === 'all') return questions;
  if (filter === 'flagged') return questions.filter((question) => question.isFlagged);
  return questions.filter((question) => outcomeOf(question) === filter);
}

/** `12 correct, 3 wrong, 10 unanswered`; `1 partly correct` and `1 left out` if there are any. */
export function outcomeSentence(questions: readonly RecordQuestion[]): string {
  const count = (outcome: AnswerOutcome) =>
    questions.filter((question) => outcomeOf(question) === outcome).length;
  const parts = (['correct', 'partial', 'wrong', 'unanswered', 'left_out'] as const)
    .filter((outcome) => !['partial', 'left_out'].includes(outcome) || count(outcome) > 0)
    .map((outcome) => OUTCOME_COUNTS[outcome](count(outcome)));
  return listText(parts, 'unit');
}

/** The selected options, in the candidate's order; empty for a typed answer. */
export function selectedIn(question: RecordQuestion): string[] {
  const { options, selectedOption, definition } = question;
  return selectedOptions({ type: typeIn(definition), options }, selectedOption);
}

/** The format of answers and key: a typed text is shown as it is, also where the question is formatted. */
export const answerFormat = ({ options, definition }: RecordQuestion) =>
  options.length > 0 ? definition?.format : undefined;

/** An answer as texts; one with rows as "France → Paris" or "1. Spain". */
export function givenTexts(question: RecordQuestion, answer = question.selectedOption): string[] {
  const { rows, options } = question;
  if (rows && answer !== '') {
    const items = isOrder(question) ? undefined : rows.map(({ item }) => item);
    const given = rowsOf({ options, items }, answer);
    return given.flatMap((row, i) =>
      items === undefined ? `${i + 1}. ${row}` : row === '' ? [] : `${items[i]} → ${row}`,
    );
  }
  const selected = selectedIn({ ...question, selectedOption: answer });
  return selected.length === 0 ? [answer] : selected;
}

/** Whether the rows are about an order: then all texts of the question are its items. */
export const isOrder = ({ rows, options }: RecordQuestion): boolean =>
  rows?.length === options.length;

/** The answers that earn the points: the right options, or the accepted texts. */
export function keyTexts({ definition, correctAnswer }: RecordQuestion): string[] {
  if (!definition) return [correctAnswer];
  const right = definition.options.filter((option) => option.isCorrect);
  return right.length > 0 ? right.map((option) => option.text) : acceptedText(definition);
}

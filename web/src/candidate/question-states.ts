import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { AnswerValue } from '../answer-sync/answer-sheet.ts';
import { isAnswered, toCheckIn } from '../question-view/answer-value.ts';
import { type QuestionState, questionCounts } from '../question-view/question-state.ts';

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

/** Summarizes flagged and unanswered questions, and answers to check. */
export function openSentence(states: readonly QuestionState[]): string {
  const toCheck = toCheckSentence(states);
  return toCheck === null ? openWords(states) : `${openWords(states)} ${toCheck}`;
}

function openWords(states: readonly QuestionState[]): string {
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

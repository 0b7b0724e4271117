import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { AnswerValue } from '../answer-sync/answer-sheet.ts';
import { isAnswered, missingSelections } from '../question-view/answer-value.ts';
import { type QuestionState, questionCounts } from '../question-view/question-state.ts';

export function questionStates(
  paper: readonly PaperQuestion[],
  values: ReadonlyMap<string, AnswerValue>,
): QuestionState[] {
  return paper.map((question, index) => {
    const { id, section } = question;
    const value = values.get(id);
    return {
      id,
      number: index + 1,
      // Only options of this paper count as answers.
      isAnswered: value !== undefined && isAnswered(question, value.selectedOption),
      isFlagged: value?.isFlagged ?? false,
      ...(missingSelections(question, value?.selectedOption ?? '') > 0 ? { hasTooFew: true } : {}),
      ...(section === undefined ? {} : { section }),
    };
  });
}

/** Names the questions with fewer selections than they ask for; `null` without any. */
export function tooFewSentence(states: readonly QuestionState[]): string | null {
  const numbers = states.filter((state) => state.hasTooFew).map((state) => String(state.number));
  const last = numbers.pop();
  if (last === undefined) return null;
  return numbers.length === 0
    ? `Question ${last} has fewer selections than it asks for.`
    : `Questions ${numbers.join(', ')} and ${last} have fewer selections than they ask for.`;
}

/** Summarizes flagged and unanswered questions, and those with too few selections. */
export function openSentence(states: readonly QuestionState[]): string {
  const tooFew = tooFewSentence(states);
  return tooFew === null ? openWords(states) : `${openWords(states)} ${tooFew}`;
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

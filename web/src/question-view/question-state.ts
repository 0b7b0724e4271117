import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

export interface QuestionState {
  id: string;
  /** 1 for the first of the paper */
  number: number;
  isAnswered: boolean;
  isFlagged: boolean;
  /**
   * Answered with what may cost a mark: fewer selections than asked for, no number where one is due, a unit that
   * the question does not name, or a comma that may be one of thousands.
   */
  toCheck?: 'too-few' | 'no-number' | 'unit' | 'thousands';
  /** Title of the section it belongs to. */
  section?: string;
}

export function questionCounts(states: readonly QuestionState[]) {
  const answered = states.filter((state) => state.isAnswered).length;
  const flagged = states.filter((state) => state.isFlagged).length;
  return { answered, flagged, remaining: states.length - answered };
}

/** The questions by section, in the order of the paper; one without a title where there are none. */
export function sectionsOf(
  states: readonly QuestionState[],
): { title: string | undefined; questions: QuestionState[] }[] {
  const sections: ReturnType<typeof sectionsOf> = [];
  for (const state of states) {
    const last = sections.at(-1);
    if (last && last.title === state.section) last.questions.push(state);
    else sections.push({ title: state.section, questions: [state] });
  }
  return sections;
}

/** The accessible name: "Question 4, marked for review, answered". No state is shown by color only. */
export function spokenState(
  { number, isAnswered, isFlagged, toCheck }: QuestionState,
  words: { flagged: string; unanswered: string },
): string {
  const states = [
    t('question.number', 'Question {number}', { number }),
    ...(isFlagged ? [words.flagged] : []),
    isAnswered
      ? t(/* a state of a question, after its number */ 'question.spoken.answered', 'answered')
      : words.unanswered,
    ...(toCheck === undefined
      ? []
      : [t(/* a state of a question, after its number */ 'question.spoken.toCheck', 'to check')]),
  ];
  return listText(states, 'unit');
}

import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { figureText } from '@invigil/core/domain/locale';

/** A number with two decimals; a dash where there is none. */
export const figure = (value: number | null, decimals = 2): string =>
  value === null ? '–' : figureText(value, decimals);

/** The names of suspicions, with advice on each. */
export const SUSPICIONS: Record<
  QuestionStatistics['suspicions'][number],
  { name: string; advice: string }
> = {
  key: {
    name: 'The key may be wrong',
    advice:
      'An option that is not the key is selected by those who do well in the rest, and the key is not. Read the question as a candidate would. If that option is right, move the key in the question’s editor, or accept both, give everyone the points, or leave the question out.',
  },
  easy: {
    name: 'Too easy',
    advice:
      'Nearly everyone has it right, so it tells little about anyone. That is fine for something that everyone must know; otherwise make the wrong options more plausible.',
  },
  hard: {
    name: 'Too hard',
    advice:
      'Few have it right. Check the key first, then whether it was taught, and whether the question says what it asks for.',
  },
  flat: {
    name: 'Does not discriminate',
    advice:
      'Those who do well in the rest have it right no more often than the others. Look for a wrong key, an ambiguous text, or a question about something else.',
  },
};

/** Classes of the comparison of two groups. */
export const CLASSES = {
  A: 'no difference that matters',
  B: 'a moderate difference',
  C: 'a large difference',
} as const;

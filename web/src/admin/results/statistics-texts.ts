import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { figureText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

/** A number with two decimals; a dash where there is none. */
export const figure = (value: number | null, decimals = 2): string =>
  value === null ? '–' : figureText(value, decimals);

/** The names of suspicions, with advice on each. */
export const SUSPICIONS: Record<
  QuestionStatistics['suspicions'][number],
  { name(): string; advice(): string }
> = {
  key: {
    name: () => t('results.suspicion.key', 'The key may be wrong'),
    advice: () =>
      t(
        /* key: the answer that counts as right */ 'results.suspicion.key.advice',
        'An option that is not the key is selected by those who do well in the rest, and the key is not. Read the question as a candidate would. If that option is right, move the key in the question’s editor, or accept both, give everyone the points, or leave the question out.',
      ),
  },
  easy: {
    name: () => t(/* said of a question */ 'results.suspicion.easy', 'Too easy'),
    advice: () =>
      t(
        'results.suspicion.easy.advice',
        'Nearly everyone has it right, so it tells little about anyone. That is fine for something that everyone must know; otherwise make the wrong options more plausible.',
      ),
  },
  hard: {
    name: () => t(/* said of a question */ 'results.suspicion.hard', 'Too hard'),
    advice: () =>
      t(
        /* key: the answer that counts as right */ 'results.suspicion.hard.advice',
        'Few have it right. Check the key first, then whether it was taught, and whether the question says what it asks for.',
      ),
  },
  flat: {
    name: () =>
      t(
        /* said of a question: it does not tell good candidates from others */ 'results.suspicion.flat',
        'Does not discriminate',
      ),
    advice: () =>
      t(
        'results.suspicion.flat.advice',
        'Those who do well in the rest have it right no more often than the others. Look for a wrong key, an ambiguous text, or a question about something else.',
      ),
  },
};

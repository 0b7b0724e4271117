import { t } from '../../../texts/i18n.ts';
import { inRightOrder } from '../answer-rows.ts';
import { QUESTION_MESSAGES } from '../question-options.ts';
import { rowType } from './rows.ts';

/** Items are written in the right order, which no paper has. */
export const ordering = rowType({
  name: () => t(/* a type of question */ 'definition.ordering', 'Ordering'),
  problems: ({ options }) =>
    options.length < 2 ? [{ path: 'options', message: QUESTION_MESSAGES.twoOptions() }] : [],
  isDraft: () => false,
  plainOptions: (options) => options.map((option, place) => ({ ...option, place })),
  longest: ({ options }) => options.reduce((sum, { text }) => sum + text.length, 0),
  words: ({ options }) => inRightOrder(options).map(({ text }, i) => `${i + 1}. ${text}`),
  example: ({ options }) => {
    const [first, second, ...others] = inRightOrder(options).map(({ text }) => text);
    return [second ?? '', first ?? '', ...others];
  },
});

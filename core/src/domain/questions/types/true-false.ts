import { t } from '../../../texts/i18n.ts';
import { singleChoiceType } from './choice.ts';

export const trueFalse = singleChoiceType({
  name: () => t(/* a type of question */ 'question.trueFalse', 'True or false'),
  hasFixedOrder: true,
  firstOptions: () => [
    t(/* an option of a question */ 'question.true', 'True'),
    t(/* an option of a question */ 'question.false', 'False'),
  ],
  countProblem: (options) =>
    options === 2
      ? null
      : t(/* the type of question */ 'question.trueFalseOptions', 'True or false has two options'),
});

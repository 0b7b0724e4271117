import { t } from '../../../texts/i18n.ts';
import { singleChoiceType } from './choice.ts';

export const trueFalse = singleChoiceType({
  name: () => t(/* a type of question */ 'definition.trueFalse', 'True or false'),
  hasFixedOrder: true,
  firstOptions: () => [
    t(/* an option of a question */ 'definition.true', 'True'),
    t(/* an option of a question */ 'definition.false', 'False'),
  ],
  countProblem: (options) =>
    options === 2
      ? null
      : t(
          /* the type of question */ 'definition.trueFalseOptions',
          'True or false has two options',
        ),
});

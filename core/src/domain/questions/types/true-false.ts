import { singleChoiceType } from './choice.ts';

export const trueFalse = singleChoiceType({
  name: 'True or false',
  hasFixedOrder: true,
  firstOptions: ['True', 'False'],
  countProblem: (options) => (options === 2 ? null : 'True or false has two options'),
});

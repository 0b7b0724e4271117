import { singleChoiceType } from './choice.ts';

export const multipleChoice = singleChoiceType({ name: 'Single choice' });

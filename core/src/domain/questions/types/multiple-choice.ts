import { t } from '../../../texts/i18n.ts';
import { singleChoiceType } from './choice.ts';

export const multipleChoice = singleChoiceType({
  name: () => t(/* a type of question */ 'definition.singleChoice', 'Single choice'),
});

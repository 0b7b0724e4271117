import type { OptionDefinition } from '@invigil/core/domain/questions/question-definition';

const TRUE =
  /^(?:t|true|w|wahr|richtig|r|yes|ja|vrai|v|oui|verdadero|verdadeiro|cierto|s[ií]|vero|waar|1|да|верно)$/i;
const FALSE = /^(?:f|false|falsch|no|nein|faux|non|falso|onwaar|0|нет|неверно)$/i;

/** Whether a text says true or false in a language that is known; `null`: neither. */
export function truthOf(text: string): boolean | null {
  const word = text.trim();
  return TRUE.test(word) ? true : FALSE.test(word) ? false : null;
}

/** The place of the true option: the first, unless the options say that it is the second. */
export function trueOption([first, second]: readonly Pick<OptionDefinition, 'text'>[]): 0 | 1 {
  const isSwapped = truthOf(first?.text ?? '') === false && truthOf(second?.text ?? '') === true;
  return isSwapped ? 1 : 0;
}

import { atMostCharactersText } from '../../domain/limits.ts';
import { numberText } from '../../domain/locale.ts';
import { t } from '../../texts/i18n.ts';

/*
 * Problems of fields that several schemas share. They are functions, since a schema is made before the language of
 * its reader is known.
 */

export const atMostCharacters = (max: number) => ({
  error: () => atMostCharactersText(max),
});

/** A number, or a length of a list. */
export const atMost = (max: number) => ({
  error: () => t(/* a number */ 'field.max', 'At most {max}', { max: numberText(max) }),
});

export const atMostAtATime = (max: number) => ({
  error: () =>
    t(/* things in a list */ 'field.maxAtATime', 'At most {max} at a time', {
      max: numberText(max),
    }),
});

export const atMostSections = (max: number) => ({
  error: () =>
    t('field.maxSections', '{max, plural, one {At most # section} other {At most # sections}}', {
      max,
    }),
});

export const AT_MOST_TWO_DECIMALS = {
  error: () => t('field.twoDecimals', 'At most two decimals'),
};
export const ENTER_PERCENTAGE = { error: () => t('field.percentage', 'Enter a percentage') };
export const ENTER_POINTS = { error: () => t('field.points', 'Enter the points') };
export const ENTER_NAME = { error: () => t('field.name', 'Enter a name') };
export const ENTER_TITLE = { error: () => t('field.title', 'Enter a title') };
export const ENTER_PASSWORD = { error: () => t('field.password', 'Enter a password') };
export const ENTER_YOUR_PASSWORD = { error: () => t('field.yourPassword', 'Enter your password') };

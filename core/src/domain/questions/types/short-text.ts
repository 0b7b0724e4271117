import { t } from '../../../texts/i18n.ts';
import { QUESTION_LIMITS } from '../../limits.ts';
import { typedTextKey } from '../../typed-text.ts';
import type { ShortTextKey } from '../question-definition.ts';
import { cleanText } from '../question-options.ts';
import { best, typedType } from './typed.ts';
import { byWeight, cleanWeight } from './weights.ts';

const textProblem = () =>
  t(
    'definition.acceptedText',
    '{max, plural, one {Enter a text of at most # character} other {Enter a text of at most # characters}}',
    { max: QUESTION_LIMITS.shortTextMaxCharacters },
  );

export const shortText = typedType<ShortTextKey['accepted'][number], ShortTextKey>({
  name: () => t(/* a type of question: the answer is typed */ 'definition.shortText', 'Short text'),
  keyField: 'shortText',
  keyIn: (definition) => definition.shortText,
  clean: ({ rule, shortText: { accepted = [], isCaseSensitive, isSpaceExact } = {} }) => ({
    shortText: {
      accepted: accepted.map((one) => ({
        text: cleanText(one.text),
        ...cleanWeight(rule, one),
      })),
      ...(isCaseSensitive ? { isCaseSensitive } : {}),
      ...(isSpaceExact ? { isSpaceExact } : {}),
    },
  }),
  problems: ({ accepted }) =>
    accepted.flatMap(({ text }, i) =>
      // A text of invisible characters alone would accept an answer that looks blank.
      typedTextKey(text, {}) === '' || text.length > QUESTION_LIMITS.shortTextMaxCharacters
        ? [{ path: `accepted.${i}.text`, message: textProblem() }]
        : [],
    ),
  match: (key, text) => {
    const typed = typedTextKey(text, key);
    return best(key.accepted.filter((accepted) => typedTextKey(accepted.text, key) === typed));
  },
  plainKey: ({ accepted, ...settings }) => ({
    ...settings,
    accepted: accepted.map((one) => ({ ...one, text: typedTextKey(one.text, settings) })),
  }),
  words: ({ text }) => text,
  releasedWords: ({ text }) => text,
  keyRules: ({ isCaseSensitive, isSpaceExact }) => [
    ...(isCaseSensitive
      ? [t(/* differences between answers */ 'definition.caseCounts', 'Upper and lower case count')]
      : []),
    ...(isSpaceExact
      ? [t(/* differences between answers */ 'definition.spacesCount', 'Spaces count')]
      : []),
  ],
  example: ({ accepted }, rule) =>
    (rule === 'weights' ? accepted.toSorted(byWeight) : accepted).at(0)?.text ?? '',
});

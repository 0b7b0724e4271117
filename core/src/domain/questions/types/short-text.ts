import { QUESTION_LIMITS } from '../../limits.ts';
import { typedTextKey } from '../../typed-text.ts';
import type { ShortTextKey } from '../question-definition.ts';
import { cleanText } from '../question-options.ts';
import { best, typedType } from './typed.ts';
import { byWeight, cleanWeight } from './weights.ts';

const TEXT_PROBLEM = `Enter a text of at most ${QUESTION_LIMITS.shortTextMaxCharacters} characters`;

export const shortText = typedType<ShortTextKey['accepted'][number], ShortTextKey>({
  name: 'Short text',
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
        ? [{ path: `accepted.${i}.text`, message: TEXT_PROBLEM }]
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
    ...(isCaseSensitive ? ['Upper and lower case count'] : []),
    ...(isSpaceExact ? ['Spaces count'] : []),
  ],
  example: ({ accepted }, rule) =>
    (rule === 'weights' ? accepted.toSorted(byWeight) : accepted).at(0)?.text ?? '',
});

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { takeLanguageFrom } from './locale.ts';
import { foldCase, inOrder, isolated, isVisible, plainSigns, typedTextKey } from './typed-text.ts';

/** Letters and what they fold to, from Unicode's CaseFolding.txt, status C and F. */
const FOLDINGS = [
  ['A', 'a'],
  ['\u00b5', '\u03bc'],
  ['\u00df', 'ss'],
  ['\u0149', '\u02bcn'],
  ['\u017f', 's'],
  ['\u01c5', '\u01c6'],
  ['\u01f0', 'j\u030c'],
  ['\u0345', '\u03b9'],
  ['\u0390', '\u03b9\u0308\u0301'],
  ['\u03c2', '\u03c3'],
  ['\u03d0', '\u03b2'],
  ['\u0587', '\u0565\u0582'],
  ['\u10a0', '\u2d00'],
  ['\u13f8', '\u13f0'],
  ['\u1c90', '\u10d0'],
  ['\u1e96', 'h\u0331'],
  ['\u1e9a', 'a\u02be'],
  ['\u1e9b', '\u1e61'],
  ['\u1e9e', 'ss'],
  ['\u1f56', '\u03c5\u0313\u0342'],
  ['\u1f88', '\u1f00\u03b9'],
  ['\u1fb7', '\u03b1\u0342\u03b9'],
  ['\u1fe4', '\u03c1\u0313'],
  ['\u2126', '\u03c9'],
  ['\u212a', 'k'],
  ['\u212b', '\u00e5'],
  ['\ufb00', 'ff'],
  ['\ufb04', 'ffl'],
  ['\ufb06', 'st'],
  ['\ufb17', '\u0574\u056d'],
  ['\uff21', '\uff41'],
  ['\u{10400}', '\u{10428}'],
  ['\u{1e900}', '\u{1e922}'],
];

/** Every letter, digit and mark of the scripts that have fewer than some thousands. */
const CHARACTERS = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code)).filter(
  (sign) =>
    /[\p{L}\p{N}\p{M}]/u.test(sign) &&
    !/[\p{Default_Ignorable_Code_Point}\p{Ideographic}\p{Script=Hangul}]/u.test(sign),
);

describe('case folding', () => {
  it.each(FOLDINGS)('is that of Unicode: %s is %s', (letter, folded) => {
    expect(foldCase(letter)).toBe(foldCase(folded));
    expect(foldCase(`x${letter}y`)).toBe(foldCase(`x${folded}y`));
  });

  it('makes every letter equal to its upper and lower case, alone and at the end of a word', () => {
    const cased = CHARACTERS.filter((letter) => /\p{Changes_When_Casemapped}/u.test(letter));
    expect(cased.length).toBeGreaterThan(2_500);
    const differing = cased.filter((letter) => {
      const others = [letter.toLowerCase(), letter.toUpperCase(), letter.normalize('NFD')];
      return others.some(
        (other) =>
          foldCase(other) !== foldCase(letter) || foldCase(`a${other}`) !== foldCase(`a${letter}`),
      );
    });
    expect(differing).toEqual([]);
  });

  it('has one I, with a dot or without', () => {
    expect(['I', 'i', '\u0130', '\u0131', 'I\u0307'].map(foldCase)).toEqual(Array(5).fill('i'));
    expect(foldCase('\u00cc')).not.toBe('i');
  });
});

describe('a name', () => {
  it.each([
    ...[
      'Ada Lovelace',
      'دا\u200cود',
      'نیلوفر می\u200cخواهم',
      'രാജന\u0d4d\u200d',
      'क\u094d\u200dष',
      'דוד כהן',
    ],
    ...['葛\u{e0100}城', '👩\u200d🔬 Curie', '❤\ufe0f', '1\ufe0f\u20e3', '👩🏽\u200d🔬', 'ᠠ\u180b'],
  ])('is visible: %j', (name) => expect(isVisible(name)).toBe(true));

  it.each([
    ...[
      'A\u202eda',
      'A\u202dda',
      'A\u202ada',
      'A\u2066da\u2069',
      '\u200fרון',
      'Ada\u200e',
      '\u061cA',
    ],
    ...['A\u200bda', 'A\u2060da', '\ufeffAda', 'A\u00adda', 'A\u034fda', 'A\ufe0fda', 'A\u{e0041}'],
    ...[
      '\u200dAda',
      'Ada\u200d',
      'A\u200d\u200dda',
      'Ada\u200c Lovelace',
      '\u3164',
      '\u2800',
      'A\u0001',
    ],
    ...['\u115f', 'A\ufff9da', '🏴\u{e0067}\u{e007f}'],
  ])('has something invisible: %j', (name) => expect(isVisible(name)).toBe(false));

  it('is isolated where it turns what is around it', () => {
    for (const name of ['Ada', 'Łucja Żółć', '王小明', '']) expect(isolated(name)).toBe(name);
    for (const name of ['דוד', 'محمد', 'A\u202eda']) {
      expect(isolated(name)).toBe(`\u2068${name}\u2069`);
    }
  });
});

describe('typed texts', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...'aA\u00df\u0130 \u00a0\u00ad\u2019`\u2013\u2026\ufb01\uff21\u0301\u0307'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
  });

  it('are compared by a key that is its own key, whatever the settings', () => {
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (typed, isCaseSensitive, isSpaceExact) => {
        const key = typedTextKey(typed, { isCaseSensitive, isSpaceExact });
        expect(typedTextKey(key, { isCaseSensitive, isSpaceExact })).toBe(key);
        expect(typedTextKey(typed.normalize('NFD'), { isCaseSensitive, isSpaceExact })).toBe(key);
      }),
    );
  });

  it('leave ASCII as it is but for the backtick', () => {
    const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    expect(plainSigns(ascii)).toBe(ascii.replace('`', "'"));
  });

  it('keep every letter, digit and mark that is seen', () => {
    expect(CHARACTERS.filter((sign) => typedTextKey(`a${sign}`, {}) === 'a')).toEqual([]);
  });
});

afterEach(() => takeLanguageFrom(() => 'en'));

it('names are isolated where they turn a sentence, and in languages from right to left', () => {
  const names = ['Ada', 'ada@example.org', 'محمد', '12 %'];
  const isolates = (one: string) => `\u2068${one}\u2069`;
  expect(names.map(isolated)).toEqual(['Ada', 'ada@example.org', isolates('محمد'), '12 %']);
  takeLanguageFrom(() => 'ar');
  expect(names.map(isolated)).toEqual(names.map(isolates));
});

it('a score keeps its order in a line from right to left', () => {
  expect(inOrder('3 / 5')).toBe('3 / 5');
  takeLanguageFrom(() => 'ar');
  expect(inOrder('3 / 5')).toBe('\u20663 / 5\u2069');
});

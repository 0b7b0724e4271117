import { PSEUDO } from './languages.ts';

const ACCENTS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...[
      'aàáâ',
      'bƀ',
      'cç',
      'dđ',
      'eéê',
      'fƒ',
      'gğ',
      'hĥ',
      'iî',
      'jĵ',
      'kķ',
      'lļ',
      'mɱ',
      'nñ',
      'oö',
      'pþ',
    ],
    ...[
      'qɋ',
      'rŕ',
      'sš',
      'tţ',
      'uü',
      'vṽ',
      'wŵ',
      'xẋ',
      'yý',
      'zž',
      'AÅ',
      'BƁ',
      'CÇ',
      'DĐ',
      'EÉ',
      'FƑ',
    ],
    ...[
      'GĜ',
      'HĤ',
      'IÎ',
      'JĴ',
      'KĶ',
      'LĻ',
      'MṀ',
      'NÑ',
      'OÖ',
      'PÞ',
      'QɊ',
      'RŔ',
      'SŠ',
      'TŢ',
      'UÜ',
      'VṼ',
    ],
    ...['WŴ', 'XẊ', 'YÝ', 'ZŽ'],
  ].map((pair) => [pair[0], pair[1]]),
);

/** A word in letters from right to left, one for each of its Latin ones. */
const ARABIC = 'ابتثجحخدذرزسشصضطظعغفقكلمنه';

/**
 * A text for a language that nobody speaks: it shows on every screen which words are not in the catalogues, what
 * does not fit when words are 40 % longer, and what does not turn round. Values, tags and the names of plural
 * forms stay.
 */
export function pseudoText(icu: string, language: string): string {
  const change = language === PSEUDO.mirrored ? arabic : long;
  // Words are outside of braces, or the text of a form: `one {…}`.
  let out = '';
  let word = '';
  const depth: ('value' | 'text')[] = ['text'];
  const flush = () => {
    out += change(word);
    word = '';
  };
  for (let at = 0; at < icu.length; at += 1) {
    const sign = icu[at] ?? '';
    const isText = depth.at(-1) === 'text';
    if (sign === '{') {
      flush();
      // Inside a value, a brace opens the text of one of its forms.
      depth.push(isText ? 'value' : 'text');
      out += sign;
    } else if (sign === '}') {
      flush();
      depth.pop();
      out += sign;
    } else if (isText && sign === '<') {
      flush();
      const end = icu.indexOf('>', at);
      out += icu.slice(at, end + 1);
      at = end;
    } else if (isText) word += sign;
    else out += sign;
  }
  flush();
  return out;
}

const long = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => {
    const changed = [...word].map((letter) => ACCENTS[letter] ?? letter).join('');
    return word.length < 3 ? changed : changed + 'ē'.repeat(Math.ceil(word.length * 0.4));
  });

const arabic = (text: string): string =>
  text.replace(
    /[A-Za-z]/g,
    (letter) => ARABIC[(letter.toLowerCase().charCodeAt(0) - 97) % 26] ?? letter,
  );

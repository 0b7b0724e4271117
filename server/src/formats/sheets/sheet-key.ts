import { lookAlikeLetter, noSuchOption } from '@invigil/core/domain/questions/question-csv';
import { foldCase } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { optionLabel, plainHead } from './column-words.ts';

/** An option of a row, as far as a key can name it. */
export interface KeyOption {
  text: string;
  /** The letter or number in the head of its column; '' without one. */
  label: string;
}

/** Positions of the right options, or the sentence that says what is wrong. */
export type KeyRead = { right: number[]; notes: string[] } | { problem: string };

/** `A, C`, `A;C`, `Paris | Rome`, `A and C`: the first kind whose parts are all options is meant. */
const SEPARATORS = [/[;|\n]/, /[,/+&]/, /\s(?:and|und|et|y|e|i|и)\s/i, /\s+/];

/** A list of options; what is longer is a text. */
const MOST_KEY_CHARACTERS = 2_000;

/**
 * Reads a key: the letter or the text of an option, or its place.
 *
 * @param isPlace numbers are places (1 is the first option) rather than texts
 * @param several the key may name several options
 */
export function readKey(
  key: string,
  options: readonly KeyOption[],
  { isPlace, several }: { isPlace: boolean; several: boolean },
): KeyRead {
  const whole = readPart(key, options, isPlace);
  if (!('problem' in whole) || !several || key.length > MOST_KEY_CHARACTERS) return whole;
  for (const separator of SEPARATORS) {
    const parts = key.split(separator).map((part) => part.trim());
    const named = parts.filter((part) => part !== '');
    if (named.length < 2) continue;
    const reads = named.map((part) => readPart(part, options, isPlace));
    const alike = named.findIndex((part) => lookAlikeLetter(part) !== null);
    if (reads.every((read) => !('problem' in read))) {
      const right = [...new Set(reads.flatMap((read) => ('right' in read ? read.right : [])))];
      return { right, notes: reads.flatMap((read) => ('right' in read ? read.notes : [])) };
    }
    const problem = reads[alike];
    if (problem && 'problem' in problem) return problem;
  }
  return whole;
}

/** Whether a key can be read as places of so many options. */
export function isPlaceKey(key: string, options: number): boolean {
  return key
    .split(/[\s,;|/+&]+/)
    .filter((part) => part !== '')
    .every((part) => /^\d{1,2}$/.test(part) && Number(part) >= 1 && Number(part) <= options);
}

function readPart(key: string, options: readonly KeyOption[], isPlace: boolean): KeyRead {
  const texts = options.map(({ text }) => text);
  // The exact text first: "pH" and "PH" may be two different options.
  const exact = texts.indexOf(key);
  const same = exact >= 0 ? exact : texts.findIndex((text) => foldCase(text) === foldCase(key));
  if (isPlace && /^\d{1,2}$/.test(key)) {
    const byLabel = options.findIndex(({ label }) => label === String(Number(key)));
    const place = byLabel >= 0 ? byLabel : Number(key) - 1;
    return place in options ? chosen(key, place, same, texts, 'place') : outOfRange(key, texts);
  }
  const letter = letterOf(key);
  if (letter !== null) {
    const byLabel = options.findIndex(({ label }) => label === letter.toLowerCase());
    const hasLetters = options.some(({ label }) => /^[a-z]$/.test(label));
    const place = hasLetters ? byLabel : letter.charCodeAt(0) - 65;
    // A letter after D without an option may be a text.
    if (place in options) return chosen(key, place, same, texts, 'letter');
    if (letter <= 'D' || (texts.length > 4 && same < 0)) return outOfRange(letter, texts);
  }
  if (same >= 0) return { right: [same], notes: [] };
  // "B)", "Option B", "Antwort 2", and the letters of other alphabets in the head.
  const label = key.length > 40 ? null : optionLabel(plainHead(key));
  const labeled = options.findIndex((option) => option.label !== '' && option.label === label);
  if (labeled >= 0) return { right: [labeled], notes: [] };
  if (label !== null && /^[a-j]$/.test(label) && key.length > 1) {
    return readPart(label, options, false);
  }
  return { problem: noSuchOption(key, texts) };
}

/** A Latin letter on its own, also a full-width one. */
function letterOf(key: string): string | null {
  const letter = key.normalize('NFKC').toUpperCase();
  return /^[A-Z]$/.test(letter) ? letter : null;
}

function outOfRange(key: string, texts: readonly string[]): KeyRead {
  return {
    problem: t(
      /* {key}: a letter or a number; {count}: how many options there are */ 'import.sheet.outOfRange',
      '{count, plural, one {Option {key} is out of range (only # options provided)} other {Option {key} is out of range (only # options provided)}}',
      { key, count: texts.length },
    ),
  };
}

function chosen(
  key: string,
  place: number,
  same: number,
  texts: readonly string[],
  what: 'letter' | 'place',
): KeyRead {
  const isClear = same < 0 || same === place;
  return {
    right: [place],
    notes: isClear
      ? []
      : [
          what === 'letter'
            ? t(
                /* {option} and {other} are texts of options */ 'import.sheet.keyAsLetter',
                'The correct answer “{key}” was read as the letter of an option, “{option}”. Another option has the text “{other}”.',
                { key, option: texts[place] ?? '', other: texts[same] ?? '' },
              )
            : t(
                /* {option} and {other} are texts of options */ 'import.sheet.keyAsPlace',
                'The correct answer “{key}” was read as the place of an option, “{option}”. Another option has the text “{other}”.',
                { key, option: texts[place] ?? '', other: texts[same] ?? '' },
              ),
        ],
  };
}

import { isRightToLeft } from '@invigil/core/domain/locale';
import { compileText } from '@invigil/core/texts/catalogue';
import type { Narrow } from '../web/texts.ts';

/** A compiled message: words, values, and values with a text for each form. */
type Tokens = string | readonly Token[];
type Token = string | readonly [name: string, type?: string, forms?: unknown];

export const NOT_TRANSLATED = 'is not translated';

/** Elements, and words that are the same in every language. */
const SAME =
  /<\/?\w+>|\bnpm run [\w:-]+|\S+@\S+|Nearest grade if not listed|Invigil|Moodle|Markdown|LaTeX|USB|CSV|XLSX|xlsx|PDF|QTI|GIFT|HTML|OK/g;

/** Three words in a row, which no two languages share. */
const IN_A_ROW = /(?<![\p{L}-])(?=(\p{Ll}{2,}[ ,]+\p{Ll}{2,}[ ,]+\p{Ll}{2,}(?![\p{L}-])))/gu;
const WORD = /(?<![\p{L}\d-])\p{L}{2,}(?![\p{L}\d-])/gu;

/** Letters of a language that is not written in Latin ones. */
const SCRIPTS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  zh: /\p{Script=Han}/u,
};

/** A number with a Latin unit that has no mark of direction before it. */
const LOOSE_UNIT = /(?<![\u2066\d.])(?:\{\w+\}|\b\d+) (?:dB|[KMG]i?B)\b/;

/**
 * Where a translation does not fit its English: values, elements, the plural forms of its language, words that
 * nobody has translated.
 */
export function translationProblems(english: string, text: string, language: string): string[] {
  let tokens: Tokens;
  try {
    tokens = compileText(text) as Tokens;
  } catch (error) {
    return [`is no ICU message: ${(error as Error).message}`];
  }
  const own = compileText(english) as Tokens;
  const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const problems = [
    ...differences('value', [...new Set(valuesIn(own))], [...new Set(valuesIn(tokens))]),
    ...differences('element', elementsIn(english), elementsIn(text)),
    ...missingForms(tokens, categories),
  ];
  if (text.trim() !== text || /\s\s/.test(text)) problems.push('has spaces too many');
  if (isRightToLeft(language) && LOOSE_UNIT.test(text)) {
    problems.push('has a Latin unit outside of isolates, which stands before its number');
  }
  const [words, said] = [own, tokens].map((all) =>
    wordsOf(all).join('\n').replaceAll(SAME, ''),
  ) as [string, string];
  if (isLeftIn(SCRIPTS[language], words, said)) problems.push(NOT_TRANSLATED);
  return problems;
}

/** Whether English is left: no letter of the language's own, several words as they were, or a few in a row. */
function isLeftIn(script: RegExp | undefined, words: string, said: string): boolean {
  if (script !== undefined && /\p{L}{3}/u.test(words) && !script.test(said)) return true;
  if (words === said && words.split('\n').some((all) => (all.match(WORD) ?? []).length > 1))
    return true;
  return [...words.matchAll(IN_A_ROW)].some(([, row = '']) => said.includes(row));
}

const differences = (kind: string, wanted: string[], found: string[]): string[] => [
  ...wanted.filter((one) => !found.includes(one)).map((one) => `lacks the ${kind} ${one}`),
  ...found.filter((one) => !wanted.includes(one)).map((one) => `has a ${kind} ${one} of its own`),
];

const formsOf = (token: Token): [string, Tokens][] =>
  typeof token !== 'string' && typeof token[2] === 'object' && token[2] !== null
    ? Object.entries(token[2] as Record<string, Tokens>).filter(([form]) => form !== 'offset')
    : [];

/** The names of the values in a compiled message. */
export function valuesIn(tokens: Tokens): string[] {
  if (typeof tokens === 'string') return [];
  return tokens.flatMap((token) =>
    // `#` is the value of the plural around it.
    typeof token === 'string'
      ? []
      : [token[0], ...formsOf(token).flatMap(([, inner]) => valuesIn(inner))],
  );
}

function wordsOf(tokens: Tokens): string[] {
  if (typeof tokens === 'string') return [tokens];
  return tokens.flatMap((token) =>
    typeof token === 'string' ? [token] : formsOf(token).flatMap(([, inner]) => wordsOf(inner)),
  );
}

const elementsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/<\/?(\w+)>/g)].map(([tag]) => tag)),
];

function missingForms(tokens: Tokens, categories: readonly string[]): string[] {
  if (typeof tokens === 'string') return [];
  return tokens.flatMap((token) => {
    const forms = formsOf(token);
    const missing =
      typeof token !== 'string' && token[1] === 'plural'
        ? categories.filter((category) => !forms.some(([form]) => form === category))
        : [];
    return [
      ...missing.map((category) => `lacks the plural form ${category} of ${token[0]}`),
      ...forms.flatMap(([, inner]) => missingForms(inner, categories)),
    ];
  });
}

/** Characters at most, as a share of those of the English, and for the shortest of it so many. */
const ROOM: Readonly<Record<Narrow, number>> = { button: 1.4, head: 1.6 };
const SHORT = 10;

/** Says how a translation is too long for its button or column. Letters of Chinese are twice as wide. */
export function tooLong(english: string, text: string, narrow: Narrow): string[] {
  const room = Math.floor(ROOM[narrow] * Math.max(SHORT, widthOf(english)));
  const width = widthOf(text);
  return width > room ? [`is ${width} wide, and there is room for ${room}: ${text}`] : [];
}

const widthOf = (text: string): number => widthIn(compileText(text) as Tokens);

/** With the longest form of a plural; a value may be a few letters. */
function widthIn(tokens: Tokens): number {
  if (typeof tokens === 'string') return wide(tokens);
  const widths = tokens.map((token) => {
    if (typeof token === 'string') return token === '#' ? 2 : wide(token);
    return Math.max(4, ...formsOf(token).map(([, inner]) => widthIn(inner)));
  });
  return widths.reduce((sum, width) => sum + width, 0);
}

const wide = (words: string): number =>
  [...words.replaceAll(/<\/?\w+>/g, '')].reduce(
    (sum, letter) => sum + (/\p{Script=Han}/u.test(letter) ? 2 : /\p{M}/u.test(letter) ? 0 : 1),
    0,
  );

/** Terms that are to be the same wherever they stand. */
const KEPT = [
  ...['assessment', 'attempt', 'invitation', 'one-time password', 'device check', 'fullscreen'],
  ...['camera', 'microphone', 'consent', 'violation', 'warning', 'question', 'section', 'category'],
  ...['points', 'pass mark', 'extra time', 'time limit', 'receipt', 'certificate', 'reviewer'],
  ...['invigilator', 'audit log', 'question bank', 'answer key'],
];

/** The words for each term: their begins, since words are bent. */
export type Glossary = ReadonlyMap<string, readonly string[]>;

/** The terms to keep, from the table `| English | translation | why |` of a language's notes. Throws without one. */
export function glossaryIn(notes: string, language: string): Glossary {
  const rows = [...notes.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].flatMap(
    ([, english = '', translation = '']) =>
      cellWords(english).map((term) => [term.toLowerCase(), cellWords(translation)] as const),
  );
  return new Map(
    KEPT.map((term) => {
      const words = rows.filter(([english]) => english === term).flatMap(([, found]) => found);
      if (words.length === 0) throw new Error(`no row for ${term}`);
      return [term, words.map((word) => beginOf(word, language))] as const;
    }),
  );
}

const cellWords = (cell: string): string[] =>
  cell
    .replaceAll(/[(（].*?[)）]/g, '')
    .split(/[,/;،、，；:：]/)
    .map((word) => word.replaceAll(/[“”„"«»*`]/g, '').trim())
    .filter((word) => word !== '');

/** Three fifths of the first word; an article in Arabic is a part of it. */
function beginOf(word: string, language: string): string {
  const [first = ''] = word.replace(/^ال/, '').split(/\s/);
  const length = language === 'zh' ? first.length : Math.max(3, Math.ceil(first.length * 0.6));
  return first.slice(0, length).toLocaleLowerCase(language);
}

/** The terms that a translation says otherwise than its glossary. */
export function otherTerms(
  english: string,
  text: string,
  glossary: Glossary,
  language: string,
): string[] {
  const said = text.toLocaleLowerCase(language);
  // Names of values are no words.
  const own = wordsOf(compileText(english) as Tokens).join(' ');
  return [...glossary]
    .filter(([term]) => new RegExp(`\\b${plural(term)}\\b`, 'i').test(own))
    .filter(([, begins]) => !begins.some((begin) => said.includes(begin)))
    .map(([term, begins]) => `says “${term}” otherwise than the glossary (${begins.join(', ')})`);
}

const plural = (term: string) =>
  term.endsWith('y') ? `${term.slice(0, -1)}(?:y|ies)` : `${term}s?`;

/**
 * Comments of translators by which a text may be longer (`# Long: why`), have another word (`# Term: why`) or stay as
 * it is in English (`# Same: why`).
 */
export const marksIn = (po: string): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    po.split('\n\n').flatMap((entry) => {
      const id = /^msgctxt "(.*)"/m.exec(entry)?.[1];
      const marks = [...entry.matchAll(/^# (Long|Term|Same): \S/gm)].map(([, mark = '']) => mark);
      return id === undefined || marks.length === 0 ? [] : [[id, new Set(marks)]];
    }),
  );

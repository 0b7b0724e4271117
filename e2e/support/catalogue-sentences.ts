import { readdirSync, readFileSync } from 'node:fs';
import { compileText, readCatalogue } from '@invigil/core/texts/catalogue';

/** A compiled message: words, values, and values with a text for each form. */
type Token = string | readonly [name: string, type?: string, forms?: Record<string, unknown>];

/** Values in a value: a sentence in a sentence in a frame. */
const DEPTH = 3;

let known: RegExp[] | undefined;

/**
 * Whether sentences that were made in English and are kept are all of the catalogues, with values that are themselves
 * of the catalogues or have only words that `isData` knows.
 */
export function isOfCatalogue(
  text: string,
  isData: (words: string) => boolean,
  depth = DEPTH,
): boolean {
  const isOurs = (part: string) =>
    isData(part) || (depth > 0 && isOfCatalogue(part, isData, depth - 1));
  known ??= patterns();
  const isOne = known.some((pattern) => {
    const match = pattern.exec(text.trim());
    return match?.slice(1).every((value = '') => isOurs(value));
  });
  // A name may be before a colon.
  const split = [/(?<=[.!?…])\s+/, /(?<=[.:!?…])\s+/].map((end) => text.split(end));
  return isOne || split.some((parts) => parts.length > 1 && parts.every(isOurs));
}

function patterns(): RegExp[] {
  const folder = new URL('../../core/locales/en/', import.meta.url);
  const texts = readdirSync(folder).flatMap((file) =>
    Object.values(readCatalogue(readFileSync(new URL(file, folder), 'utf8'))),
  );
  // An element of a text is another node of the page.
  const pieces = new Set(texts.flatMap((text) => [text, ...(isFlat(text) ? split(text) : [])]));
  return (
    [...pieces]
      .map((piece) => sourceOf(compileText(piece) as string | Token[]))
      // Values alone would be everything.
      .filter((source) => /[A-Za-z]{3}/.test(source.replaceAll(VALUE, '')))
      // A sentence of ours may end where a longer one goes on.
      .map((source) => new RegExp(`^${source}[.:]?$`, 'su'))
  );
}

const isFlat = (text: string) => !/, (?:plural|select)/.test(text);
const split = (text: string) => text.split(/<\/?\w+>/).map((piece) => piece.trim());

const VALUE = '(.+?)';

function sourceOf(tokens: string | readonly Token[]): string {
  if (typeof tokens === 'string') return escaped(tokens);
  return tokens
    .map((token) => {
      if (typeof token === 'string') return token === '#' ? VALUE : escaped(token);
      const forms = Object.entries(token[2] ?? {}).filter(([form]) => form !== 'offset');
      if (typeof token[2] !== 'object') return VALUE;
      return `(?:${forms.map(([, form]) => sourceOf(form as string | Token[])).join('|')})`;
    })
    .join('');
}

const escaped = (words: string) =>
  words.replaceAll(/<\/?\w+>/g, '').replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import { QUESTION_LIMITS } from '../domain/limits.ts';
import { mathSyntax, mathTree } from './math-syntax.ts';

/**
 * What the parser takes quadratic time for is refused before it: markers of quotes and lists one after
 * another on a line (32,000 `>` take 20 s), and delimiters of emphasis and links in one paragraph (as many take
 * 37 s; in paragraphs of 500 each, 1 s).
 */
const MARKERS_PER_LINE = 10;
const DELIMITERS_PER_PARAGRAPH = 500;

const TOO_MANY_MARKERS = new RegExp(
  `^[ \\t]*(?:(?:>|(?:[-+*]|\\d{1,9}[.)])[ \\t]+)[ \\t]*){${MARKERS_PER_LINE + 1}}`,
  'm',
);

/** Left out of CommonMark: their source is text. */
const LEFT_OUT = ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'];

export function isTooLong(text: string): boolean {
  return text.length > QUESTION_LIMITS.richTextMaxCharacters;
}

export function isTooComplex(text: string): boolean {
  return (
    TOO_MANY_MARKERS.test(text) ||
    text
      .split(/\n[ \t\r]*\n/)
      .some((part) => (part.match(/\*+|_+|\[/g)?.length ?? 0) > DELIMITERS_PER_PARAGRAPH)
  );
}

/** The syntax tree with everything that the parser knows. Not for texts that are too long or complex. */
export function treeOf(text: string): Root {
  return fromMarkdown(text, {
    extensions: [gfmTable(), mathSyntax, { disable: { null: LEFT_OUT } }],
    mdastExtensions: [gfmTableFromMarkdown(), mathTree],
  });
}

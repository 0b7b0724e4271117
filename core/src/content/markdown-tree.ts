import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmTable } from 'micromark-extension-gfm-table';
import { QUESTION_LIMITS } from '../domain/limits.ts';
import { mathSyntax, mathTree } from './math-syntax.ts';

/**
 * Constructs that take the parser quadratic time are counted before it. Each number alone allows about a tenth of a
 * second of work in the longest text; without them 32,000 `>` take 20 s, as many `\\`` 8 s.
 */
const MOST = {
  lines: 2_000,
  /** Markers of quotes and lists, on one line and in all. */
  markersPerLine: 10,
  markers: 1_000,
  /** The marks of one paragraph: runs of emphasis and beginnings of links, and runs of backticks. */
  delimiters: 500,
  codeFences: 250,
  /** The cells of one table. */
  cells: 2_000,
} as const;

const LEADING = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)*/;

/** Left out of CommonMark: their source is text. */
const LEFT_OUT = ['htmlFlow', 'htmlText', 'definition', 'codeIndented', 'setextUnderline'];

export function isTooLong(text: string): boolean {
  return text.length > QUESTION_LIMITS.richTextMaxCharacters;
}

/** The first line, from 1, at which a text has too much of something to be parsed; `null`: it has not. */
export function tooComplexAt(text: string): number | null {
  let markers = 0;
  let inParagraph = { delimiters: 0, codeFences: 0, cells: 0 };
  for (const [at, line] of text.split('\n').entries()) {
    const leading = countOf(LEADING.exec(line)?.[0] ?? '', />|[-+*]|\d+/g);
    markers += leading;
    if (line.trim() === '') inParagraph = { delimiters: 0, codeFences: 0, cells: 0 };
    inParagraph.delimiters += countOf(line, /\*+|_+|\[/g);
    inParagraph.codeFences += countOf(line, /`+/g);
    inParagraph.cells += countOf(line, /\|/g);
    const isTooMuch =
      at >= MOST.lines ||
      leading > MOST.markersPerLine ||
      markers > MOST.markers ||
      inParagraph.delimiters > MOST.delimiters ||
      inParagraph.codeFences > MOST.codeFences ||
      inParagraph.cells > MOST.cells;
    if (isTooMuch) return at + 1;
  }
  return null;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

let latest: { text: string; tree: Root } | undefined;

/**
 * The syntax tree with everything that the parser knows; not to be changed. Not for texts that are too long
 * or complex. The latest is kept: a text is checked, searched for images and shown.
 */
export function treeOf(text: string): Root {
  if (latest?.text !== text) {
    const tree = fromMarkdown(text, {
      // Chinese, Japanese and Korean have no spaces around emphasis, which CommonMark needs beside punctuation.
      extensions: [gfmTable(), mathSyntax, cjkFriendlyExtension(), { disable: { null: LEFT_OUT } }],
      mdastExtensions: [gfmTableFromMarkdown(), mathTree],
    });
    latest = { text, tree };
  }
  return latest.tree;
}

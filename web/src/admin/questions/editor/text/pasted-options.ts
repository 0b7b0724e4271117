import type { Block, Phrase } from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { writeContent } from '@invigil/core/content/write-content';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';

/** Matches the beginning of an option in a text: "A)", "(2)", "3.", "-". */
const MARKER = /^\s*(?:[-*•–]|\(?(?:[A-Za-z]|\d{1,2})[.)])\s+/;

/** The entries of a pasted list, its lines or its paragraphs, in the format of the options; one: it is no list. */
export function entriesOf(text: string, format: TextFormat, isSource: boolean): string[] {
  if (format === 'plain') {
    const lines = text.split(/\r\n?|\n/).map((line) => line.replace(MARKER, '').trim());
    return lines.filter((line) => line !== '');
  }
  const entries = parseContent(text).children.flatMap((block) =>
    block.type === 'list' ? block.children.map((item) => item.children) : linesOf(block, isSource),
  );
  return entries
    .map((children) => writeContent({ type: 'root', children }))
    .filter((text) => text !== '');
}

/** The lines of a paragraph, without what they are numbered by; any other block is one entry. */
function linesOf(block: Block, isSource: boolean): Block[][] {
  if (block.type !== 'paragraph') return [[block]];
  const lines: Phrase[][] = [[]];
  for (const phrase of block.children) {
    if (phrase.type === 'break') lines.push([]);
    else if (phrase.type === 'text' && isSource) {
      // A line of a source is meant as one, although Markdown reads on.
      const [first = '', ...others] = phrase.value.split('\n');
      if (first !== '') lines.at(-1)?.push({ type: 'text', value: first });
      for (const value of others) lines.push(value === '' ? [] : [{ type: 'text', value }]);
    } else lines.at(-1)?.push(phrase);
  }
  return lines
    .map(([first, ...rest]): Phrase[] =>
      first?.type === 'text'
        ? [{ type: 'text', value: first.value.replace(MARKER, '') }, ...rest]
        : first === undefined
          ? []
          : [first, ...rest],
    )
    .filter((line) => line.length > 0)
    .map((children) => [{ type: 'paragraph', children }]);
}

import type { Block, Phrase } from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { writeContent } from '@invigil/core/content/write-content';

/** Matches the beginning of an option in a text: "A)", "(2)", "3.", "-". */
const MARKER = /^\s*(?:[-*•–]|\(?(?:[A-Za-z]|\d{1,2})[.)])\s+/;

/** The entries of a pasted list, its lines or its paragraphs, in Markdown; one: it is no list. */
export function entriesOf(markdown: string): string[] {
  const { children: blocks } = parseContent(markdown);
  const [only] = blocks;
  const entries =
    blocks.length === 1 && only?.type === 'list'
      ? only.children.map((item) => item.children)
      : blocks.flatMap(linesOf);
  return entries
    .map((children) => writeContent({ type: 'root', children }))
    .filter((text) => text !== '');
}

/** The lines of a paragraph, without what they are numbered by; any other block is one entry. */
function linesOf(block: Block): Block[][] {
  if (block.type !== 'paragraph') return [[block]];
  const lines: Phrase[][] = [[]];
  for (const phrase of block.children) {
    if (phrase.type === 'break') lines.push([]);
    else lines.at(-1)?.push(phrase);
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

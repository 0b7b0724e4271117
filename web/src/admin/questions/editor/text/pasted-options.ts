import type { Block, Paragraph } from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { phrasesOf, type Run, runsOf } from '@invigil/core/content/runs';
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
  const entries = parseContent(text).children.flatMap((block): Block[][] =>
    block.type === 'list'
      ? block.children.map((item) => item.children)
      : block.type === 'paragraph'
        ? linesOf(block, isSource).map(({ line }) => unmarked(line))
        : [[block]],
  );
  return entries
    .map((children) => writeContent({ type: 'root', children }))
    .filter((text) => text !== '');
}

/** A line without what it is numbered by. */
function unmarked(line: readonly Run[]): Block[] {
  const [first] = line;
  const marker = first?.of.type === 'text' ? MARKER.exec(first.of.value)?.[0] : undefined;
  const children = phrasesOf(withoutStart(line, marker?.length ?? 0));
  return children.length === 0 ? [] : [{ type: 'paragraph', children }];
}

/** The lines of a paragraph, each with what joins it to the one before. */
export function linesOf(
  { children }: Paragraph,
  isSource: boolean,
): { line: Run[]; joint: Run | null }[] {
  const lines: { line: Run[]; joint: Run | null }[] = [{ line: [], joint: null }];
  for (const run of runsOf(children)) {
    // A line of a source is meant as one, although Markdown reads on.
    const [first = '', ...others] =
      run.of.type === 'text' && isSource ? run.of.value.split('\n') : [];
    if (run.of.type === 'break') lines.push({ line: [], joint: run });
    else if (others.length === 0) lines.at(-1)?.line.push(run);
    else {
      const part = (value: string): Run => ({ ...run, of: { type: 'text', value } });
      lines.at(-1)?.line.push(part(first));
      for (const value of others) lines.push({ line: [part(value)], joint: part(' ') });
    }
  }
  return lines.filter(({ line }) => line.some(isSeen));
}

const isSeen = ({ of }: Run) => of.type !== 'text' || of.value.trim() !== '';

/** A line without so many of its first characters. */
export function withoutStart(line: readonly Run[], length: number): Run[] {
  let left = length;
  return line.flatMap((run) => {
    if (left === 0 || run.of.type !== 'text') return [run];
    const value = run.of.value.slice(left);
    left = Math.max(0, left - run.of.value.length);
    return value === '' ? [] : [{ ...run, of: { ...run.of, value } }];
  });
}

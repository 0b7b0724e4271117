import type { Nodes } from 'mdast';
import { QUESTION_LIMITS } from '../domain/limits.ts';
import { t } from '../texts/i18n.ts';
import { isTooLong, tooComplexAt, treeOf } from './markdown-tree.ts';
import { DEPTH_MAX, imageHash } from './parse-content.ts';
import { texProblem } from './tex-problem.ts';

/** Elements that people paste. `a <b and c> d` is a comparison. */
const HTML =
  /<(?:!--|\/?(?:a|abbr|audio|b|blockquote|br|center|code|div|em|embed|font|form|h[1-6]|hr|i|iframe|img|input|li|object|ol|p|pre|s|script|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul|video)(?:\s+[a-z-]+=[^<>]*)?\s*\/?>)/i;

export interface ContentProblem {
  /** from 1 */
  line: number;
  sentence: string;
}

/** Finds what an author should change in a Markdown text, in the order of its lines. */
export function contentProblems(text: string): ContentProblem[] {
  if (isTooLong(text)) {
    const sentence = t(
      'content.tooLong',
      '{max, plural, one {The text is longer than # character.} other {The text is longer than # characters.}}',
      { max: QUESTION_LIMITS.richTextMaxCharacters },
    );
    return [{ line: 1, sentence }];
  }
  const line = tooComplexAt(text);
  if (line !== null) {
    const sentence = t(
      /* marks of Markdown */ 'content.tooManyMarks',
      'The text has too many marks (> * _ -) in one place to be formatted.',
    );
    return [{ line, sentence }];
  }
  const problems: ContentProblem[] = [];
  // A stack of our own: the tree is as deep as its author likes.
  const open: { node: Nodes; depth: number }[] = [{ node: treeOf(text), depth: 0 }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { node, depth } = top;
    const line = node.position?.start.line ?? 1;
    if (depth > DEPTH_MAX) {
      const sentence = t(
        /* of a Markdown text */ 'content.tooDeep',
        'Quotes, lists or emphasis are nested too deeply.',
      );
      problems.push({ line, sentence });
      continue;
    }
    problems.push(...problemsOf(node, line, text));
    if ('children' in node) {
      for (const child of node.children) open.push({ node: child, depth: depth + 1 });
    }
  }
  return problems.sort((a, b) => a.line - b.line);
}

function problemsOf(node: Nodes, line: number, text: string): ContentProblem[] {
  const type: string = node.type;
  if (node.type === 'image') return imageProblems(node, line);
  if (!('value' in node)) return [];
  if (type === 'math' || type === 'inlineMath') {
    const sentence = texProblem(node.value);
    return sentence === null ? [] : [{ line, sentence }];
  }
  // The source of the node is read because there an escaped `<` differs from one that is not.
  const source = text.slice(node.position?.start.offset, node.position?.end.offset);
  const plain = source
    .replace(/\\./g, '  ')
    // The mark of a quote at the beginning of each line is none of the text.
    .replace(/\n[ \t]*(?:>[ \t]?)+/g, (mark) => `\n${' '.repeat(mark.length - 1)}`);
  const html = type === 'text' ? HTML.exec(plain) : null;
  if (html === null) return [];
  const before = source.slice(0, html.index).split('\n').length - 1;
  return [
    {
      line: line + before,
      sentence: t(
        /* {html} is a tag such as <b> */ 'content.html',
        'HTML is shown as it is written: {html}. Use Markdown instead.',
        { html: html[0].slice(0, 40) },
      ),
    },
  ];
}

function imageProblems(
  { url, alt }: { url: string; alt?: string | null | undefined },
  line: number,
): ContentProblem[] {
  if (imageHash(url) === null) {
    const sentence = t(
      'content.foreignImage',
      'Images from other addresses are not shown. Upload the image instead.',
    );
    return [{ line, sentence }];
  }
  if ((alt ?? '').trim() !== '') return [];
  return [
    {
      line,
      sentence: t(
        /* in ![description](image:…) only “description” is translated */ 'content.noAlternative',
        'The image has no alternative text. Describe it for people who cannot see it: ![description](image:…).',
      ),
    },
  ];
}

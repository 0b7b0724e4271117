import type { Nodes } from 'mdast';
import type { Block, Content, ListItem, Phrase, TableCell, TableRow } from './content-nodes.ts';
import { isTooLong, tooComplexAt, treeOf } from './markdown-tree.ts';
import { imageHash, parseContent } from './parse-content.ts';

type Node = Content | Block | Phrase | ListItem | TableRow | TableCell;

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  if (!('children' in node)) return;
  for (const child of node.children) yield* nodesOf(child);
}

/** The hashes of the images that a Markdown text shows, each once, in order. */
export function imagesOf(text: string): string[] {
  if (!text.includes('image:')) return [];
  const hashes = new Set<string>();
  for (const node of nodesOf(parseContent(text))) {
    const hash = node.type === 'image' ? imageHash(node.url) : null;
    if (hash !== null) hashes.add(hash);
  }
  return [...hashes];
}

/** A formula of a Markdown text, and where it is with its dollars. */
export interface FormulaPlace {
  tex: string;
  from: number;
  to: number;
}

/** The formulas of a Markdown text, in order. */
export function formulasOf(text: string): FormulaPlace[] {
  if (!text.includes('$') || isTooLong(text) || tooComplexAt(text) !== null) return [];
  const found: FormulaPlace[] = [];
  const open: Nodes[] = [treeOf(text)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const type: string = node.type;
    if ((type === 'math' || type === 'inlineMath') && 'value' in node && node.position) {
      const { start, end } = node.position;
      found.push({ tex: node.value, from: start.offset ?? 0, to: end.offset ?? 0 });
    }
    if ('children' in node) open.push(...node.children);
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Whether showing a Markdown text needs the renderer of mathematics. */
export function hasMath(text: string): boolean {
  if (!text.includes('$')) return false;
  for (const { type } of nodesOf(parseContent(text))) {
    if (type === 'math' || type === 'inlineMath') return true;
  }
  return false;
}

/** A Markdown text on one line without its marks: for lists, mail, CSV and search. */
export function plainTextOf(text: string): string {
  const words = parseContent(text).children.map(wordsOf).join(' ');
  return words.replace(/\s+/g, ' ').trim();
}

function wordsOf(node: Node): string {
  switch (node.type) {
    case 'image':
      return node.alt;
    case 'break':
    case 'thematicBreak':
      return ' ';
    case 'paragraph':
    case 'emphasis':
    case 'strong':
    case 'link':
    case 'tableCell':
      return node.children.map(wordsOf).join('');
    case 'text':
    case 'inlineCode':
    case 'inlineMath':
    case 'math':
    case 'code':
      return node.value;
    default:
      return node.children.map(wordsOf).join(' ');
  }
}

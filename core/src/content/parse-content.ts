import type { Nodes } from 'mdast';
import type { Block, Content, ListItem, Phrase, TableRow } from './content-nodes.ts';
import { isTooLong, tooComplexAt, treeOf } from './markdown-tree.ts';

/** Most levels of nodes; deeper ones are shown as their source. Each list takes two levels. */
export const DEPTH_MAX = 32;

const IMAGE_URL = /^image:([0-9a-f]{64})(?:#(25|50|75|100))?$/;
const LINK_URL = /^(?:https?:\/\/|mailto:)/i;

/** The hash of a stored image's address, `null` for any other address. */
export function imageHash(url: string): string | null {
  return IMAGE_URL.exec(url)?.[1] ?? null;
}

/** Widths that an image can be given, percent of a line of 44 em. */
export const IMAGE_WIDTHS = [25, 50, 75, 100] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/** The width in a stored image's address; `null`: it is as large as its pixels, up to a height. */
export function imageWidth(url: string): ImageWidth | null {
  const width = Number(IMAGE_URL.exec(url)?.[2]);
  return IMAGE_WIDTHS.find((one) => one === width) ?? null;
}

/** The address of a stored image with another width. */
export function withImageWidth(url: string, width: ImageWidth | null): string {
  return url.replace(/#.*$/, '') + (width === null ? '' : `#${width}`);
}

/** The width that an image can have which is nearest to a share of a line, in percent. */
export function nearestImageWidth(percent: number): ImageWidth {
  return IMAGE_WIDTHS.find((one) => percent <= one + 12.5) ?? 100;
}

/**
 * A Markdown text as a tree of the closed list of content-nodes.ts. What is not in the list is literal
 * text. It never throws, and its time and result are bounded for any text.
 */
export function parseContent(text: string): Content {
  if (isTooLong(text) || tooComplexAt(text) !== null)
    return { type: 'root', children: [literalBlock(text)] };
  return { type: 'root', children: blocksOf(treeOf(text), text, 0) };
}

/** The source text of a node; every node of the parser has a position. */
export function sourceOf(node: Nodes, source: string): string {
  const { position } = node;
  return position === undefined ? '' : source.slice(position.start.offset, position.end.offset);
}

function childrenOf(node: Nodes): readonly Nodes[] {
  return 'children' in node ? node.children : [];
}

function literalBlock(text: string): Block {
  return { type: 'paragraph', children: [{ type: 'text', value: text }] };
}

function blocksOf(parent: Nodes, source: string, depth: number): Block[] {
  return childrenOf(parent).flatMap((node) =>
    depth >= DEPTH_MAX ? [literalBlock(sourceOf(node, source))] : blockOf(node, source, depth + 1),
  );
}

function blockOf(node: Nodes, source: string, depth: number): Block[] {
  // Named as in mdast-util-math, whose types core does not have.
  const type: string = node.type;
  if (type === 'math' && 'value' in node) return [{ type, value: node.value }];
  switch (node.type) {
    case 'paragraph':
      return paragraphsOf(node, source, depth);
    case 'heading':
      if (node.children.length === 0) return [];
      return [
        {
          type: 'paragraph',
          children: [{ type: 'strong', children: phrasesOf(node, source, depth + 1) }],
        },
      ];
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }];
    case 'code':
      return [{ type: 'code', lang: node.lang ?? null, value: node.value }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksOf(node, source, depth) }];
    case 'list':
      return [
        {
          type: 'list',
          ordered: node.ordered === true,
          start: node.start ?? null,
          spread: node.spread === true,
          children: node.children.map(
            (item): ListItem => ({
              type: 'listItem',
              spread: item.spread === true,
              children: blocksOf(item, source, depth + 1),
            }),
          ),
        },
      ];
    case 'table':
      return [
        {
          type: 'table',
          align: (node.align ?? []).map((side) => side ?? null),
          children: node.children.map(
            (row): TableRow => ({
              type: 'tableRow',
              children: row.children.map((cell) => ({
                type: 'tableCell',
                children: phrasesOf(cell, source, depth + 2),
              })),
            }),
          ),
        },
      ];
    default:
      return [literalBlock(sourceOf(node, source))];
  }
}

/** A paragraph, divided where it has `$$…$$`: that is a block of its own, wherever it is written. */
function paragraphsOf(paragraph: Nodes, source: string, depth: number): Block[] {
  const blocks: Block[] = [];
  let phrases: Phrase[] = [];
  const flush = () => {
    const isBlank = phrases.every(({ type, ...node }) =>
      type === 'break' ? true : type === 'text' && 'value' in node && node.value.trim() === '',
    );
    if (!isBlank) blocks.push({ type: 'paragraph', children: phrases });
    phrases = [];
  };
  for (const node of childrenOf(paragraph)) {
    const phrase = phraseOf(node, source, depth + 1);
    if (phrase.type === 'inlineMath' && sourceOf(node, source).startsWith('$$')) {
      trimEnd(phrases);
      flush();
      blocks.push({ type: 'math', value: phrase.value });
    } else if (phrases.length > 0 || blocks.length === 0) add(phrases, phrase);
    else if (phrase.type === 'text') {
      const value = phrase.value.replace(SPACES_FIRST, '');
      if (value !== '') phrases.push({ type: 'text', value });
    } else if (phrase.type !== 'break') phrases.push(phrase);
  }
  flush();
  return blocks;
}

const SPACES_FIRST = /^[ \t\n]+/;
const SPACES_LAST = /(?<![ \t\n])[ \t\n]+$/;

/** Removes what a formula on its own line leaves at the end of the text before it. */
function trimEnd(phrases: Phrase[]): void {
  for (let last = phrases.at(-1); last !== undefined; last = phrases.at(-1)) {
    if (last.type === 'text') last.value = last.value.replace(SPACES_LAST, '');
    if (last.type !== 'break' && (last.type !== 'text' || last.value !== '')) return;
    phrases.pop();
  }
}

function phrasesOf(parent: Nodes, source: string, depth: number): Phrase[] {
  const phrases: Phrase[] = [];
  for (const node of childrenOf(parent)) add(phrases, phraseOf(node, source, depth + 1));
  return phrases;
}

/** Texts that follow one another are one: also where the second is the source of what is not in the list. */
function add(phrases: Phrase[], phrase: Phrase): void {
  const last = phrases.at(-1);
  if (last?.type === 'text' && phrase.type === 'text') last.value += phrase.value;
  else phrases.push(phrase);
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

function phraseOf(node: Nodes, source: string, depth: number): Phrase {
  const literal: Phrase = { type: 'text', value: sourceOf(node, source) };
  if (depth > DEPTH_MAX) return literal;
  const type: string = node.type;
  if (type === 'inlineMath' && 'value' in node) return { type, value: node.value };
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      return { type: node.type, value: node.value };
    case 'break':
      return { type: 'break' };
    case 'emphasis':
    case 'strong':
      return { type: node.type, children: phrasesOf(node, source, depth) };
    case 'link':
      if (!LINK_URL.test(node.url)) return literal;
      return { type: 'link', url: node.url, children: phrasesOf(node, source, depth) };
    case 'image':
      if (imageHash(node.url) === null) return literal;
      return {
        type: 'image',
        url: node.url,
        alt: onOneLine(node.alt ?? ''),
        title: node.title ? onOneLine(node.title) : null,
      };
    default:
      return literal;
  }
}

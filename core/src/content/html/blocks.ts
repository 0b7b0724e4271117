import type { BlockContent, List, ListItem, Paragraph, PhrasingContent } from 'mdast';
import {
  type Block,
  type Conversion,
  type Inline,
  inlinesOf,
  isLeftOut,
  type Mark,
  marksIn,
} from './inline.ts';
import { classesOf, type HtmlElement, type HtmlNode, textOf } from './parse-html.ts';
import { trimmed, withoutMark } from './spacing.ts';
import { tableBlocks } from './table.ts';
import { isWordListItem, wordList } from './word-list.ts';

const BLOCKS = new Set(
  `address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre section summary table
  tbody tfoot thead tr ul`.split(/\s+/),
);

/** The blocks of nodes: paragraphs around runs of inline content, and the block elements between. */
export function blocksOf(nodes: readonly HtmlNode[], conversion: Conversion): Block[] {
  const blocks: Block[] = [];
  let run: HtmlNode[] = [];
  const endRun = () => {
    blocks.push(...paragraphs(inlinesOf(run, conversion)));
    run = [];
  };
  for (let i = 0; i < nodes.length; i += 1) {
    const node = nodes[i];
    if (node === undefined) continue;
    if (node.type === 'text' || !hasBlocks(node)) {
      run.push(node);
      continue;
    }
    endRun();
    if (isWordListItem(node)) {
      const { list, next } = wordList(nodes, i, (item) => blocksOf(item.children, conversion));
      blocks.push(list);
      i = next - 1;
    } else blocks.push(...blockElement(node, conversion));
  }
  endRun();
  return blocks;
}

function hasBlocks(node: HtmlElement): boolean {
  if (isLeftOut(node)) return false;
  return (
    BLOCKS.has(node.name) ||
    (node.name !== 'math' &&
      node.children.some((child) => child.type === 'element' && hasBlocks(child)))
  );
}

function blockElement(node: HtmlElement, conversion: Conversion): Block[] {
  const inside = () => blocksOf(node.children, conversion);
  switch (node.name) {
    case 'ul':
    case 'ol':
    case 'dir':
    case 'menu':
      return list(node, conversion);
    case 'pre':
      return [code(node)];
    case 'hr':
      return [{ type: 'thematicBreak' }];
    case 'table':
      return tableBlocks(node, conversion, (nodes) => blocksOf(nodes, conversion));
    case 'blockquote': {
      const children = inside() as BlockContent[];
      return children.length === 0 ? [] : [{ type: 'blockquote', children }];
    }
    case 'figure':
      return figure(node, conversion);
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6':
    case 'dt':
      return inMarks(['strong'], node, conversion);
    case 'b':
    case 'strong':
    case 'em':
    case 'i':
    case 'span':
    case 'p':
    case 'div':
      return inMarks(marksIn(node, conversion), node, conversion);
    default:
      return inside();
  }
}

function inMarks(marks: readonly Mark[], node: HtmlElement, conversion: Conversion): Block[] {
  const added = marks.filter((mark) => !conversion.marks.includes(mark));
  const inner = { ...conversion, marks: [...conversion.marks, ...added] };
  return added.reduce(
    (blocks: Block[], type) =>
      blocks.map((block) =>
        block.type === 'paragraph'
          ? { type: 'paragraph', children: [{ type, children: withoutMark(block.children, type) }] }
          : block,
      ),
    blocksOf(node.children, inner),
  );
}

/** Paragraphs of inline content, split around formulas that have a line of their own. */
function paragraphs(inlines: readonly Inline[]): Block[] {
  const blocks: Block[] = [];
  let run: PhrasingContent[] = [];
  const endRun = () => {
    const children = trimmed(run);
    if (children.length > 0) blocks.push({ type: 'paragraph', children });
    run = [];
  };
  for (const inline of inlines) {
    if (inline.type === 'displayFormula') {
      endRun();
      blocks.push({ type: 'math', value: inline.value });
    } else run.push(inline);
  }
  endRun();
  return blocks;
}

function list(node: HtmlElement, conversion: Conversion): Block[] {
  const items: ListItem[] = [];
  for (const child of node.children) {
    const children = (
      child.type === 'element' && child.name === 'li'
        ? inMarks(marksIn(child, conversion), child, conversion)
        : blocksOf([child], conversion)
    ) as BlockContent[];
    if (children.length === 0) continue;
    // A list directly in a list, as Word and old editors nest them, belongs to the item before.
    const last = items.at(-1);
    if (last && child.type === 'element' && child.name !== 'li') last.children.push(...children);
    else items.push({ type: 'listItem', spread: false, children });
  }
  if (items.length === 0) return [];
  // Only a list can follow a paragraph without an empty line between.
  const spread = items.some(({ children }) =>
    children.some(
      (child, i) => i > 0 && (child.type !== 'list' || children[i - 1]?.type !== 'paragraph'),
    ),
  );
  for (const item of items) item.spread = spread;
  const start = Number.parseInt(node.attributes.get('start') ?? '1', 10);
  const result: List = { type: 'list', ordered: node.name === 'ol', spread, children: items };
  if (result.ordered) result.start = start >= 0 && start < 1e6 ? start : 1;
  return [result];
}

function code(node: HtmlElement): Block {
  const inner = node.children.find((child) => child.type === 'element' && child.name === 'code');
  const classes = [node, ...(inner?.type === 'element' ? [inner] : [])].flatMap(classesOf);
  const language = classes
    .map((name) => /^lang(?:uage)?-([\w+#.-]+)$/.exec(name)?.[1])
    .find(Boolean);
  const value = textWithBreaks(node)
    .replace(/\r\n?/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return { type: 'code', value, ...(language ? { lang: language } : {}) };
}

function textWithBreaks(node: HtmlNode): string {
  if (node.type === 'text') return node.value;
  return node.name === 'br' ? '\n' : node.children.map(textWithBreaks).join('');
}

/** An image whose caption stands below it. */
function figure(node: HtmlElement, conversion: Conversion): Block[] {
  const isCaption = (child: HtmlNode) => child.type === 'element' && child.name === 'figcaption';
  const blocks = blocksOf(
    node.children.filter((child) => !isCaption(child)),
    conversion,
  );
  const captions = node.children.filter(isCaption);
  const [only] = blocks;
  const picture =
    only?.type === 'paragraph' && only.children.length === 1 ? only.children[0] : null;
  const caption = captions.map(textOf).join(' ').replace(/\s+/g, ' ').trim();
  if (blocks.length === 1 && picture?.type === 'image' && caption !== '') {
    const paragraph: Paragraph = { type: 'paragraph', children: [{ ...picture, title: caption }] };
    return [paragraph];
  }
  return [...blocks, ...blocksOf(captions, conversion)];
}

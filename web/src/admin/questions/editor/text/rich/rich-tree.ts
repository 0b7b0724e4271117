import type {
  Block,
  Content,
  ListItem,
  Phrase,
  TableCell,
} from '@invigil/core/content/content-nodes';
import { parseContent } from '@invigil/core/content/parse-content';
import { isShownTheSame, type Mark, phrasesOf, type Run, runsOf } from '@invigil/core/content/runs';
import { writeContent } from '@invigil/core/content/write-content';
import { $createCodeNode, $isCodeNode, CodeNode } from '@lexical/code-core';
import {
  $createHorizontalRuleNode,
  $isHorizontalRuleNode,
  HorizontalRuleNode,
} from '@lexical/extension';
import { $createLinkNode, $isLinkNode, LinkNode } from '@lexical/link';
import {
  $createListItemNode,
  $createListNode,
  $isListItemNode,
  $isListNode,
  ListItemNode,
  ListNode,
} from '@lexical/list';
import { $createQuoteNode, $isQuoteNode, QuoteNode } from '@lexical/rich-text';
import {
  $createTableCellNode,
  $createTableNode,
  $createTableRowNode,
  $isTableCellNode,
  $isTableNode,
  $isTableRowNode,
  TableCellNode,
  TableNode,
  TableRowNode,
} from '@lexical/table';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  createEditor,
  type ElementFormatType,
  type ElementNode,
  type LexicalNode,
} from 'lexical';
import { $createItemBlocksNode, ItemBlocksNode } from './item-blocks.ts';
import { $createFormulaNode, $createImageNode, FormulaNode, ImageNode } from './rich-nodes.tsx';

/*
 * The closed list of core/content and the nodes of the editor. Text is parsed and written by core alone:
 * the editor has no grammar of its own.
 */

export const RICH_NODES = [
  ...[FormulaNode, ImageNode, HorizontalRuleNode, LinkNode, CodeNode, QuoteNode],
  ...[ListNode, ListItemNode, ItemBlocksNode, TableNode, TableRowNode, TableCellNode],
];

const FORMATS: Record<Mark, 'bold' | 'italic'> = { strong: 'bold', emphasis: 'italic' };

/** Replaces everything by a text. */
export function $setMarkdown(text: string): void {
  const root = $getRoot().clear();
  root.append(...$nodesOf(parseContent(text).children));
  if (root.isEmpty()) root.append($createParagraphNode());
}

export function $nodesOf(blocks: readonly Block[]): LexicalNode[] {
  return blocks.map($nodeOf);
}

/** The cursor needs a place in an empty quote. */
const $atLeastLine = (blocks: readonly Block[]) =>
  blocks.length === 0 ? [$createParagraphNode()] : $nodesOf(blocks);

function $nodeOf(block: Block): LexicalNode {
  switch (block.type) {
    case 'paragraph':
      return $createParagraphNode().append(...$lineOf(block.children));
    case 'math':
      return $createParagraphNode().append($createFormulaNode(block.value, true));
    case 'code':
      return $createCodeNode(block.lang).append(...$linesOf(block.value));
    case 'thematicBreak':
      return $createHorizontalRuleNode();
    case 'blockquote':
      return $createQuoteNode({ shadowRoot: true }).append(...$atLeastLine(block.children));
    case 'list':
      return $createListNode(block.ordered ? 'number' : 'bullet', block.start ?? 1).append(
        ...block.children.flatMap($itemsOf),
      );
    case 'table':
      return $createTableNode().append(
        ...block.children.map((row) =>
          $createTableRowNode().append(
            ...row.children.map((cell, i) => $cellOf(cell, block.align[i] ?? '')),
          ),
        ),
      );
  }
}

/** An item that is a line, behind which lists in it have an item of their own; any other one holds blocks. */
function $itemsOf({ children }: ListItem): ListItemNode[] {
  const isLast = (at: number) => children.slice(at).every(({ type }) => type === 'list');
  const isLine = children.every(({ type }, at) =>
    type === 'paragraph'
      ? children[at - 1]?.type !== 'paragraph'
      : type === 'math' || (type === 'list' && at > 0 && isLast(at)),
  );
  if (!isLine) {
    return [$createListItemNode().append($createItemBlocksNode().append(...$nodesOf(children)))];
  }
  const item = $createListItemNode();
  const lists: ListItemNode[] = [];
  for (const block of children) {
    if (block.type === 'paragraph') item.append(...$lineOf(block.children));
    else if (block.type === 'math') item.append($createFormulaNode(block.value, true));
    else lists.push($createListItemNode().append($nodeOf(block)));
  }
  return [item, ...lists];
}

function $cellOf({ children }: TableCell, align: ElementFormatType): TableCellNode {
  const line = $createParagraphNode().append(...$lineOf(children));
  return $createTableCellNode().append(line.setFormat(align));
}

/** The nodes of a line; those of a link in a row are in one node. */
function $lineOf(phrases: readonly Phrase[]): LexicalNode[] {
  const line: LexicalNode[] = [];
  for (const { of, marks, link } of runsOf(phrases)) {
    const node = $leafOf(of, marks);
    const last = line.at(-1);
    if (link === null) line.push(node);
    else if ($isLinkNode(last) && last.getURL() === link) last.append(node);
    else line.push($createLinkNode(link).append(node));
  }
  return line;
}

function $leafOf(leaf: Run['of'], marks: readonly Mark[]): LexicalNode {
  switch (leaf.type) {
    case 'break':
      return $createLineBreakNode();
    case 'inlineMath':
      return $createFormulaNode(leaf.value, false);
    case 'image':
      return $createImageNode({ url: leaf.url, alt: leaf.alt, title: leaf.title });
    case 'text':
    case 'inlineCode': {
      const spaces = leaf.type === 'text' ? /[ \t\r\n]+/g : /\r\n?|\n/g;
      const text = $createTextNode(leaf.value.replace(spaces, ' '));
      for (const mark of marks) text.toggleFormat(FORMATS[mark]);
      return leaf.type === 'text' ? text : text.toggleFormat('code');
    }
  }
}

/** Lines of code. */
export function $linesOf(code: string): LexicalNode[] {
  if (code === '') return [];
  return code
    .split('\n')
    .flatMap((line, i) => [
      ...(i > 0 ? [$createLineBreakNode()] : []),
      ...(line === '' ? [] : [$createTextNode(line)]),
    ]);
}

/** The content of the editor as a tree of the closed list. */
export function $content(): Content {
  return { type: 'root', children: $blocks($getRoot()) };
}

function $blocks(parent: ElementNode): Block[] {
  return parent.getChildren().flatMap($block);
}

function $block(node: LexicalNode): Block[] {
  if ($isHorizontalRuleNode(node)) return [{ type: 'thematicBreak' }];
  if ($isCodeNode(node)) {
    return [{ type: 'code', lang: node.getLanguage() ?? null, value: node.getTextContent() }];
  }
  if ($isListNode(node)) return [$list(node)];
  if (node instanceof ItemBlocksNode) return $blocks(node);
  if ($isTableNode(node)) return [$table(node)];
  if ($isQuoteNode(node)) return [{ type: 'blockquote', children: $blocks(node) }];
  return $isElementNode(node) ? $lines(node) : [];
}

/** A line, divided where it has a formula of its own line. */
function $lines(parent: ElementNode): Block[] {
  const blocks: Block[] = [];
  let runs: Run[] = [];
  const flush = () => {
    const children = phrasesOf(runs);
    if (children.length > 0) blocks.push({ type: 'paragraph', children });
    runs = [];
  };
  for (const node of parent.getChildren()) {
    if (node instanceof FormulaNode && node.__isDisplay) {
      flush();
      blocks.push({ type: 'math', value: node.__tex });
    } else runs.push(...$runs(node, null));
  }
  flush();
  return blocks;
}

function $runs(node: LexicalNode, link: string | null): Run[] {
  if ($isLinkNode(node)) return node.getChildren().flatMap((one) => $runs(one, node.getURL()));
  if ($isElementNode(node)) return node.getChildren().flatMap((one) => $runs(one, link));
  if ($isLineBreakNode(node)) return [{ of: { type: 'break' }, marks: [], link }];
  if (node instanceof FormulaNode) {
    return [{ of: { type: 'inlineMath', value: node.__tex }, marks: [], link }];
  }
  if (node instanceof ImageNode) {
    return [{ of: { type: 'image', ...node.getPicture() }, marks: [], link }];
  }
  if (!$isTextNode(node)) return [];
  const marks = (['strong', 'emphasis'] as const).filter((mark) => node.hasFormat(FORMATS[mark]));
  const type = node.hasFormat('code') ? 'inlineCode' : 'text';
  return [{ of: { type, value: node.getTextContent() }, marks, link }];
}

function $list(node: ListNode): Block {
  const isOrdered = node.getListType() === 'number';
  const children: ListItem[] = [];
  for (const item of node.getChildren()) {
    if (!$isListItemNode(item)) continue;
    const nested = item.getChildren().filter($isListNode);
    const last = children.at(-1);
    const blocks = item.getFirstChild();
    if (blocks instanceof ItemBlocksNode) {
      children.push({ type: 'listItem', spread: true, children: $blocks(blocks) });
    } else if (nested.length === 0) {
      children.push({ type: 'listItem', spread: false, children: $lines(item) });
    } else if (last !== undefined) last.children.push(...nested.map($list));
    else children.push({ type: 'listItem', spread: false, children: nested.map($list) });
  }
  return {
    type: 'list',
    ordered: isOrdered,
    start: isOrdered ? node.getStart() : null,
    spread: false,
    children,
  };
}

function $table(node: TableNode): Block {
  const rows = node.getChildren().filter($isTableRowNode);
  const cells = rows.map((row) => row.getChildren().filter($isTableCellNode));
  return {
    type: 'table',
    align: (cells[0] ?? []).map($alignOf),
    children: cells.map((row) => ({
      type: 'tableRow',
      children: row.map((cell) => ({ type: 'tableCell', children: $cellPhrases(cell) })),
    })),
  };
}

const $cellPhrases = (cell: TableCellNode) =>
  phrasesOf(cell.getChildren().flatMap((one) => $runs(one, null)));

function $alignOf(cell: TableCellNode): 'left' | 'right' | 'center' | null {
  const line = cell.getFirstChild();
  const format = $isElementNode(line) ? line.getFormatType() : '';
  return format === 'left' || format === 'right' || format === 'center' ? format : null;
}

const trial = createEditor({ namespace: 'trial', nodes: RICH_NODES });

/** Whether the editor shows a text as it is shown on the paper, and can give it back. */
export function isRich(text: string): boolean {
  const wanted = parseContent(text);
  let given: Content | null = null;
  trial.update(
    () => {
      $setMarkdown(text);
      given = $content();
    },
    { discrete: true },
  );
  return (
    given !== null &&
    isShownTheSame(given, wanted) &&
    isShownTheSame(parseContent(writeContent(given)), wanted)
  );
}

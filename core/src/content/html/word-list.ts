import type { BlockContent, List } from 'mdast';
import type { Block } from './inline.ts';
import { type HtmlElement, type HtmlNode, styleOf, textOf } from './parse-html.ts';

/** Word writes each item of a list as a paragraph with its list and level in its style. */
export function isWordListItem(node: HtmlNode): boolean {
  return levelOf(node) !== null;
}

function levelOf(node: HtmlNode | undefined): number | null {
  if (node?.type !== 'element' || node.name !== 'p') return null;
  const level = /\blevel(\d)\b/.exec(styleOf(node).get('mso-list') ?? '')?.[1];
  return level === undefined ? null : Number(level);
}

/** The list whose first item is at `start`, and the index of the first node behind it. */
export function wordList(
  nodes: readonly HtmlNode[],
  start: number,
  blocksOfItem: (item: HtmlElement) => Block[],
): { list: List; next: number } {
  const level = levelOf(nodes[start]) ?? 1;
  const list: List = {
    type: 'list',
    ordered: isNumbered(nodes[start]),
    spread: false,
    children: [],
  };
  if (list.ordered) list.start = 1;
  let next = start;
  while (next < nodes.length) {
    const node = nodes[next];
    if (node === undefined || (node.type === 'text' && node.value.trim() === '')) {
      next += 1;
      continue;
    }
    const its = levelOf(node);
    if (its === null || its < level || node.type === 'text') break;
    if (its > level) {
      const inner = wordList(nodes, next, blocksOfItem);
      list.children.at(-1)?.children.push(inner.list);
      next = inner.next;
    } else {
      const children = blocksOfItem(node) as BlockContent[];
      list.children.push({ type: 'listItem', spread: false, children });
      next += 1;
    }
  }
  return { list, next };
}

/** Whether an item is numbered, by its marker, which Word hides from other programs' lists. */
function isNumbered(node: HtmlNode | undefined): boolean {
  const marker = node && findMarker(node);
  return (
    marker !== null && marker !== undefined && /^\(?(?:\d+|[a-z]{1,4})[.)]/i.test(marker.trim())
  );
}

function findMarker(node: HtmlNode): string | null {
  if (node.type === 'text') return null;
  if (styleOf(node).get('mso-list') === 'ignore') return textOf(node);
  for (const child of node.children) {
    const found = findMarker(child);
    if (found !== null) return found;
  }
  return null;
}

import { $isListItemNode, $isListNode, ListItemNode } from '@lexical/list';
import { $isTableNode } from '@lexical/table';
import { $findMatchingParent, mergeRegister } from '@lexical/utils';
import {
  $applyNodeReplacement,
  $copyNode,
  $createParagraphNode,
  $getSelection,
  $isDecoratorNode,
  $isElementNode,
  $isLineBreakNode,
  $isParagraphNode,
  $isRangeSelection,
  $isRootOrShadowRoot,
  COMMAND_PRIORITY_CRITICAL,
  COMMAND_PRIORITY_HIGH,
  ElementNode,
  INDENT_CONTENT_COMMAND,
  INSERT_LINE_BREAK_COMMAND,
  INSERT_PARAGRAPH_COMMAND,
  KEY_BACKSPACE_COMMAND,
  type LexicalEditor,
  type LexicalNode,
  OUTDENT_CONTENT_COMMAND,
  type ParagraphNode,
  type RangeSelection,
} from 'lexical';

/*
 * Lexical's items of lists are lines. One with several paragraphs, code or a table has them in a node of
 * its own, inside of which everything is as in the text itself.
 */

/** The blocks of an item of a list, which is more than a line. */
export class ItemBlocksNode extends ElementNode {
  static override getType() {
    return 'itemblocks';
  }
  static override clone({ __key }: ItemBlocksNode) {
    return new ItemBlocksNode(__key);
  }
  static override importJSON() {
    return $createItemBlocksNode();
  }
  override createDOM() {
    return document.createElement('div');
  }
  override updateDOM() {
    return false;
  }
  override isShadowRoot() {
    return true;
  }
}

export function $createItemBlocksNode(): ItemBlocksNode {
  return $applyNodeReplacement(new ItemBlocksNode());
}

const isBlock = (node: LexicalNode) =>
  ($isElementNode(node) || $isDecoratorNode(node)) && !node.isInline();

/** Registers how such items are made, kept and left. */
export function registerItemBlocks(editor: LexicalEditor): () => void {
  const step = (by: 1 | -1) => () => {
    const selection = $getSelection();
    const item = $isRangeSelection(selection) ? $itemOf($blocksAt(selection)) : null;
    if (item === null) return false;
    item.setIndent(Math.max(0, item.getIndent() + by));
    return true;
  };
  return mergeRegister(
    editor.registerNodeTransform(ListItemNode, $keepBlocksTogether),
    editor.registerNodeTransform(ItemBlocksNode, $keepInItem),
    editor.registerCommand(INDENT_CONTENT_COMMAND, step(1), COMMAND_PRIORITY_CRITICAL),
    editor.registerCommand(OUTDENT_CONTENT_COMMAND, step(-1), COMMAND_PRIORITY_CRITICAL),
    editor.registerCommand(INSERT_PARAGRAPH_COMMAND, $leaveItem, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(INSERT_LINE_BREAK_COMMAND, $beginParagraph, COMMAND_PRIORITY_HIGH),
    editor.registerCommand(
      KEY_BACKSPACE_COMMAND,
      (event) => {
        const isTaken = $takeOut();
        if (isTaken) event.preventDefault();
        return isTaken;
      },
      COMMAND_PRIORITY_CRITICAL,
    ),
  );
}

/** The node of the item's blocks in which the cursor is, in one of its paragraphs. */
function $blocksAt({ anchor }: RangeSelection): ItemBlocksNode | null {
  const block = $findMatchingParent(anchor.getNode(), isBlock);
  const parent = block?.getParent();
  return parent instanceof ItemBlocksNode ? parent : null;
}

function $itemOf(blocks: ItemBlocksNode | null): ListItemNode | null {
  const parent = blocks?.getParent();
  return $isListItemNode(parent) ? parent : null;
}

/**
 * Makes blocks of the item in which the cursor is, so that what is inserted next becomes a part of it.
 * Elsewhere it does nothing.
 */
export function $openItem(): void {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return;
  const item = $findMatchingParent(selection.anchor.getNode(), isBlock);
  if (!$isListItemNode(item) || item.getChildren().some(isBlock)) return;
  const line = $createParagraphNode();
  $move(item, line);
  item.append($createItemBlocksNode().append(line));
}

/** Moves what is in a node, and the cursor, into another one. */
function $move(from: ElementNode, to: ElementNode): void {
  const selection = $getSelection();
  const points = $isRangeSelection(selection) ? [selection.anchor, selection.focus] : [];
  const own = points.filter(({ key, type }) => key === from.getKey() && type === 'element');
  const children = from.getChildren();
  to.splice(to.getChildrenSize(), 0, children);
  for (const point of own) point.set(to.getKey(), point.offset, 'element');
}

/** An item with a block has nothing else: lines beside it become paragraphs. A list in it is an item of its own. */
function $keepBlocksTogether(item: ListItemNode): void {
  const children = item.getChildren();
  const [only] = children;
  if (only instanceof ItemBlocksNode && children.length === 1) return;
  if (!children.some((node) => isBlock(node) && !$isListNode(node))) return;
  const blocks = $createItemBlocksNode();
  let line: ParagraphNode | null = null;
  for (const node of children) {
    if (node instanceof ItemBlocksNode) blocks.append(...node.getChildren());
    else if (isBlock(node)) blocks.append(node);
    else {
      line ??= $createParagraphNode();
      blocks.append(line.append(node));
    }
    if (isBlock(node)) line = null;
    if (node instanceof ItemBlocksNode) node.remove();
  }
  item.append(blocks);
}

function $keepInItem(blocks: ItemBlocksNode): void {
  const item = $itemOf(blocks);
  if (item === null) {
    $unwrap(blocks);
    return;
  }
  const [first, ...others] = blocks.getChildren();
  if (first === undefined) blocks.append($createParagraphNode());
  else if ($isParagraphNode(first) && others.length === 0) {
    // One line again.
    $move(first, item);
    blocks.remove();
  } else {
    const last = others.at(-1) ?? first;
    const isStuck = $isTableNode(last) || $isDecoratorNode(last);
    // The cursor has to get behind it; before another item it can.
    if (isStuck && item.getNextSibling() === null) last.insertAfter($createParagraphNode());
  }
}

/** Blocks that are in no item any more. */
function $unwrap(blocks: ItemBlocksNode): void {
  const top =
    $findMatchingParent(blocks, (node) => $isRootOrShadowRoot(node.getParent())) ?? blocks;
  let last: LexicalNode = top;
  for (const block of blocks.getChildren()) {
    last.insertAfter(block);
    last = block;
  }
  const parent = blocks.getParent();
  blocks.remove();
  if ($isElementNode(parent) && parent.is(top) && parent.isEmpty()) parent.remove();
}

/** Enter in the empty last paragraph of an item begins the next item. */
function $leaveItem(): boolean {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return false;
  const line = selection.anchor.getNode();
  const blocks = $blocksAt(selection);
  const item = $itemOf(blocks);
  if (blocks === null || item === null || !$isParagraphNode(line) || !line.isEmpty()) return false;
  if (line.getNextSibling() !== null || blocks.getChildrenSize() < 2) return false;
  line.remove();
  const next = new ListItemNode();
  item.insertAfter(next);
  next.select();
  return true;
}

/** The second line end in a row begins a paragraph in the same item, as a blank line does in Markdown. */
function $beginParagraph(): boolean {
  const selection = $getSelection();
  if (!$isRangeSelection(selection) || !selection.isCollapsed()) return false;
  const { anchor } = selection;
  const node = anchor.getNode();
  const before = $isElementNode(node)
    ? node.getChildAtIndex(anchor.offset - 1)
    : anchor.offset === 0
      ? node.getPreviousSibling()
      : null;
  if (!$isLineBreakNode(before)) return false;
  const item = $findMatchingParent(node, isBlock);
  if (!$isListItemNode(item)) return false;
  $openItem();
  before.remove();
  const now = $getSelection();
  if ($isRangeSelection(now)) now.insertParagraph();
  return true;
}

/** Backspace at the beginning of an item takes its blocks out of the list. */
function $takeOut(): boolean {
  const selection = $getSelection();
  if (!$isRangeSelection(selection) || !selection.isCollapsed()) return false;
  const blocks = $blocksAt(selection);
  const item = $itemOf(blocks);
  const list = item?.getParent();
  const first = blocks?.getFirstChild();
  if (blocks === null || item === null || !$isListNode(list) || !$isElementNode(first))
    return false;
  const { anchor } = selection;
  const place = $findMatchingParent(anchor.getNode(), (node) => first.is(node.getParent()));
  const isAtStart =
    anchor.offset === 0 &&
    (first.is(anchor.getNode()) || (place !== null && place.getPreviousSibling() === null));
  if (!isAtStart) return false;
  if (item.getIndent() > 0) {
    item.setIndent(item.getIndent() - 1);
    return true;
  }
  const after = item.getNextSiblings();
  let last: LexicalNode = list;
  for (const block of blocks.getChildren()) {
    last.insertAfter(block);
    last = block;
  }
  if (after.length > 0) last.insertAfter($copyNode(list).append(...after));
  item.remove();
  if (list.isEmpty()) list.remove();
  return true;
}

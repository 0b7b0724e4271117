import { $isCodeNode, type CodeNode } from '@lexical/code-core';
import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { $isListItemNode, $isListNode, registerList } from '@lexical/list';
import { $isQuoteNode, DRAG_DROP_PASTE, registerRichText } from '@lexical/rich-text';
import {
  $insertTableRowAtSelection,
  $isTableCellNode,
  registerTablePlugin,
  registerTableSelectionObserver,
  setScrollableTablesActive,
  TableCellNode,
} from '@lexical/table';
import { $findMatchingParent, mergeRegister } from '@lexical/utils';
import {
  $createParagraphNode,
  $createTextNode,
  $getNearestNodeFromDOMNode,
  $getRoot,
  $getSelection,
  $isElementNode,
  $isLineBreakNode,
  $isNodeSelection,
  $isParagraphNode,
  $isRangeSelection,
  CLICK_COMMAND,
  COMMAND_PRIORITY_CRITICAL,
  COMMAND_PRIORITY_HIGH,
  CONTROLLED_TEXT_INSERTION_COMMAND,
  createEditor,
  DROP_COMMAND,
  FORMAT_ELEMENT_COMMAND,
  FORMAT_TEXT_COMMAND,
  INDENT_CONTENT_COMMAND,
  INSERT_LINE_BREAK_COMMAND,
  INSERT_PARAGRAPH_COMMAND,
  KEY_BACKSPACE_COMMAND,
  KEY_DOWN_COMMAND,
  KEY_ENTER_COMMAND,
  type LexicalEditor,
  type LexicalNode,
  OUTDENT_CONTENT_COMMAND,
  PASTE_COMMAND,
  type RangeSelection,
  RootNode,
} from 'lexical';
import { registerItemBlocks } from './item-blocks.ts';
import { ASK_FORMULA, ASK_IMAGE, FormulaNode, ImageNode } from './rich-nodes.tsx';
import { RICH_NODES } from './rich-tree.ts';

const CODE = 'rounded-sm bg-fill px-1 font-mono text-[0.9em] wrap-anywhere text-ink';
const GAP = 'my-3 first:mt-0 last:mb-0';

/** The name of the language above the code, and the space of its first line. */
const LANGUAGE =
  'before:-mx-3 before:mb-2.5 before:block before:font-sans before:text-xs before:text-ink-2 data-language:before:border-b data-language:before:border-line data-language:before:px-3 data-language:before:py-1 data-language:before:content-[attr(data-language)]';

/** The classes of question-view: a text is edited as it looks on the paper. */
const THEME = {
  paragraph: GAP,
  quote: `border-s-3 border-line-2 ps-4 text-ink-2 ${GAP}`,
  hr: 'my-4 border-line-2',
  link: 'text-accent-ink underline',
  text: { bold: 'font-semibold', italic: 'italic', code: CODE },
  list: {
    ol: `list-decimal ps-7 ${GAP}`,
    ul: `list-disc ps-6 ${GAP}`,
    listitem: 'my-1 ps-1',
    nested: { listitem: 'list-none mt-3!' },
  },
  code: `block w-fit max-w-full min-w-[min(100%,44em)] overflow-x-auto rounded-lg border border-line bg-sunken px-3 pb-2.5 font-mono text-[0.875rem] leading-relaxed font-normal whitespace-pre ${LANGUAGE} ${GAP}`,
  tableScrollableWrapper: `overflow-x-auto ${GAP}`,
  table:
    'border-collapse text-[0.9375em] font-normal wrap-normal [&_tr:first-child]:border-b-2 [&_tr:first-child]:border-line-2 [&_tr:first-child]:font-semibold',
  tableRow: 'border-b border-line',
  tableCell: 'min-w-12 px-3 py-1.5 align-top inset-ring inset-ring-line',
  tableCellSelected: 'bg-accent-soft',
};

export function createRichEditor(): LexicalEditor {
  const editor = createEditor({
    namespace: 'question',
    nodes: RICH_NODES,
    theme: THEME,
    onError(error) {
      throw error;
    },
  });
  setScrollableTablesActive(editor, true);
  return editor;
}

export interface RichActions {
  /** Takes what is pasted or dropped; false: it is left to the editor, which knows its own copies. */
  onTransfer(transfer: DataTransfer): boolean;
  onFiles(files: readonly File[]): void;
  /** Enter in an option; absent: a new paragraph. */
  onEnter?: (() => void) | undefined;
  /** Backspace in an empty option. */
  onBackspace?: (() => void) | undefined;
}

/** Registers what the editor does, until the returned function is called. */
export function registerBehavior(editor: LexicalEditor, actions: RichActions): () => void {
  return mergeRegister(
    registerRichText(editor),
    registerHistory(editor, createEmptyHistoryState(), 500),
    registerList(editor),
    registerTablePlugin(editor),
    registerTableSelectionObserver(editor),
    registerTransfer(editor, actions),
    registerEnter(editor, actions),
    registerItemBlocks(editor),
    registerClosedList(editor),
  );
}

/** Pasted and dropped: never as HTML of the editor, which would need Trusted Types and keep other things. */
function registerTransfer(editor: LexicalEditor, { onTransfer, onFiles }: RichActions) {
  const take = (event: Event, transfer: DataTransfer | null) => {
    if (transfer === null) return false;
    const selection = $getSelection();
    if ($codeAt() !== null && $isRangeSelection(selection)) {
      selection.insertRawText(transfer.getData('text/plain'));
    } else if (!onTransfer(transfer)) return false;
    event.preventDefault();
    return true;
  };
  return mergeRegister(
    editor.registerCommand(
      PASTE_COMMAND,
      (event) => 'clipboardData' in event && take(event, event.clipboardData),
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      DROP_COMMAND,
      (event) => take(event, event.dataTransfer),
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      DRAG_DROP_PASTE,
      (files) => {
        onFiles(files);
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      CONTROLLED_TEXT_INSERTION_COMMAND,
      (input) => {
        // A spell checker replaces a word.
        const selection = $getSelection();
        const text = typeof input === 'string' ? null : (input.dataTransfer ?? null);
        if (text === null || !$isRangeSelection(selection)) return false;
        selection.insertText(text.getData('text/plain'));
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
  );
}

function registerEnter(editor: LexicalEditor, { onEnter, onBackspace }: RichActions) {
  return mergeRegister(
    editor.registerCommand(
      CLICK_COMMAND,
      ({ target }) =>
        target instanceof Node && $askAbout($getNearestNodeFromDOMNode(target), editor),
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      KEY_BACKSPACE_COMMAND,
      (event) => {
        const line = $getRoot().getFirstChild();
        const isEmpty =
          $isParagraphNode(line) && line.isEmpty() && $getRoot().getChildrenSize() === 1;
        if (onBackspace === undefined || !isEmpty) return false;
        event.preventDefault();
        onBackspace();
        return true;
      },
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(
      KEY_ENTER_COMMAND,
      (event) => {
        // The keys of the whole page.
        if (event?.ctrlKey || event?.metaKey) return true;
        if ($askAbout($selectedNode(), editor)) {
          event?.preventDefault();
          return true;
        }
        const selection = $getSelection();
        const isPlain = $isRangeSelection(selection) && $blockNameAt(selection) === 'paragraph';
        if (onEnter === undefined || event === null || event.shiftKey || !isPlain) return false;
        event.preventDefault();
        onEnter();
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      INSERT_PARAGRAPH_COMMAND,
      () => {
        const selection = $getSelection();
        if (!$isRangeSelection(selection)) return false;
        return $endLineOfCode(selection) || $enterNextCell(selection) || $leaveQuote(selection);
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      INSERT_LINE_BREAK_COMMAND,
      // A cell has one line.
      () => $cellAt() !== null,
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      KEY_DOWN_COMMAND,
      (event) => {
        const isStep = (event.ctrlKey || event.metaKey) && (event.key === ']' || event.key === '[');
        if (!isStep) return false;
        event.preventDefault();
        const command = event.key === ']' ? INDENT_CONTENT_COMMAND : OUTDENT_CONTENT_COMMAND;
        return editor.dispatchCommand(command, undefined);
      },
      COMMAND_PRIORITY_HIGH,
    ),
  );
}

/** The selected formula or image. */
function $selectedNode(): LexicalNode | null {
  const selection = $getSelection();
  const [node = null, ...others] = $isNodeSelection(selection) ? selection.getNodes() : [];
  return others.length > 0 ? null : node;
}

/** Opens the dialog of a formula or image. */
function $askAbout(node: LexicalNode | null, editor: LexicalEditor): boolean {
  if (node instanceof FormulaNode) {
    const { __tex: tex, __isDisplay: isDisplay } = node;
    return editor.dispatchCommand(ASK_FORMULA, { key: node.getKey(), tex, isDisplay });
  }
  return node instanceof ImageNode && editor.dispatchCommand(ASK_IMAGE, node.getKey());
}

/** Keeps what has no place in the closed list from getting in, and the cursor able to leave each block. */
function registerClosedList(editor: LexicalEditor) {
  const isListItem = () => {
    const selection = $getSelection();
    return (
      $isRangeSelection(selection) &&
      $findMatchingParent(selection.anchor.getNode(), $isListItemNode) !== null
    );
  };
  return mergeRegister(
    editor.registerCommand(
      FORMAT_TEXT_COMMAND,
      (format) => !['bold', 'italic', 'code'].includes(format) || $codeAt() !== null,
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(
      FORMAT_ELEMENT_COMMAND,
      () => $cellAt() === null,
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(INDENT_CONTENT_COMMAND, () => !isListItem(), COMMAND_PRIORITY_CRITICAL),
    editor.registerCommand(OUTDENT_CONTENT_COMMAND, () => !isListItem(), COMMAND_PRIORITY_CRITICAL),
    editor.registerNodeTransform(TableCellNode, $keepOneLine),
    editor.registerNodeTransform(RootNode, (root) => {
      const last = root.getLastChild();
      // A list is left by Enter.
      const isOpen = $isParagraphNode(last) || $isListNode(last);
      if (!isOpen) root.append($createParagraphNode());
    }),
  );
}

/** A cell has one paragraph, without breaks. */
function $keepOneLine(cell: TableCellNode): void {
  const [first, ...others] = cell.getChildren();
  const isLine = $isParagraphNode(first);
  if (isLine && others.length === 0) {
    for (const node of first.getChildren()) {
      if ($isLineBreakNode(node)) node.replace($createTextNode(' '));
    }
    return;
  }
  const line = $createParagraphNode();
  if ($isParagraphNode(first)) line.setFormat(first.getFormatType());
  for (const block of cell.getChildren()) {
    if (line.getChildrenSize() > 0) line.append($createTextNode(' '));
    if ($isParagraphNode(block)) line.append(...block.getChildren());
    else line.append($createTextNode(block.getTextContent().replace(/\s+/g, ' ')));
    block.remove();
  }
  cell.append(line);
}

function $ancestorAt<T extends LexicalNode>(
  is: (node: LexicalNode | null | undefined) => node is T,
): T | null {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return null;
  return $findMatchingParent(selection.anchor.getNode(), (node): node is T => is(node)) as T | null;
}

/** The block of code in which the cursor is. */
export const $codeAt = () => $ancestorAt<CodeNode>($isCodeNode);
/** The cell in which the cursor is. */
export const $cellAt = () => $ancestorAt<TableCellNode>($isTableCellNode);

function $blockNameAt(selection: RangeSelection): string | undefined {
  const top = $findMatchingParent(
    selection.anchor.getNode(),
    (node) => $isElementNode(node) && !node.isInline(),
  );
  return top?.getParent()?.getType() === 'root' ? top.getType() : undefined;
}

/** The next line with the indentation of this one; behind two empty lines, a paragraph below the code. */
function $endLineOfCode(selection: RangeSelection): boolean {
  const code = $codeAt();
  if (code === null) return false;
  const last = code.getLastChild();
  const isAtEnd =
    selection.anchor.getNode().is(code) && selection.anchor.offset === code.getChildrenSize();
  if (isAtEnd && $isLineBreakNode(last) && $isLineBreakNode(last.getPreviousSibling())) {
    last.getPreviousSibling()?.remove();
    last.remove();
    const line = $createParagraphNode();
    code.insertAfter(line);
    line.select();
    return true;
  }
  const before = code.getTextContent().slice(0, $offsetIn(code, selection));
  const [indent = ''] = /[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1)) ?? [];
  selection.insertLineBreak();
  const next = $getSelection();
  if (indent !== '' && $isRangeSelection(next)) next.insertRawText(indent);
  return true;
}

function $offsetIn(code: CodeNode, { anchor }: RangeSelection): number {
  const node = anchor.getNode();
  const children = code.getChildren();
  const at = node.is(code) ? anchor.offset : node.getIndexWithinParent();
  const before = children.slice(0, at).reduce((n, child) => n + child.getTextContentSize(), 0);
  return node.is(code) ? before : before + anchor.offset;
}

/** Enter goes down in the column, and adds a row below the last. */
function $enterNextCell(selection: RangeSelection): boolean {
  const cell = $cellAt();
  if (cell === null) return false;
  const row = cell.getParent();
  if (!$isElementNode(row)) return false;
  if (!selection.isCollapsed()) selection.removeText();
  if (row.getNextSibling() === null) $insertTableRowAtSelection(true);
  const below = row.getNextSibling();
  const next = $isElementNode(below) ? below.getChildAtIndex(cell.getIndexWithinParent()) : null;
  if ($isElementNode(next)) next.selectEnd();
  return true;
}

/** Enter in the empty last line of a quote leaves it. */
function $leaveQuote(selection: RangeSelection): boolean {
  const line = selection.anchor.getNode();
  const quote = line.getParent();
  if (!$isParagraphNode(line) || !$isQuoteNode(quote)) return false;
  if (!line.isEmpty() || line.getNextSibling() !== null || quote.getChildrenSize() < 2)
    return false;
  quote.insertAfter(line);
  line.select();
  return true;
}

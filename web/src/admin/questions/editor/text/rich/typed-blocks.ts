import { $createCodeNode } from '@lexical/code-core';
import { $createListItemNode, $createListNode } from '@lexical/list';
import { $createQuoteNode } from '@lexical/rich-text';
import {
  $createParagraphNode,
  $getSelection,
  $isParagraphNode,
  $isRangeSelection,
  $isTextNode,
  COMMAND_PRIORITY_CRITICAL,
  HISTORIC_TAG,
  HISTORY_PUSH_TAG,
  KEY_ENTER_COMMAND,
  type LexicalEditor,
  mergeRegister,
  type ParagraphNode,
} from 'lexical';
import { $cellAt } from './rich-editor.ts';

/** Matches what begins a list or quote in Markdown, at the moment when its space is typed. */
const BEGINNING = /^(?:([-*])|(\d{1,9})[.)]|(>)) $/;
const FENCE = /^```([^\s`]*)$/;

/**
 * Makes a list, a quote or code of what begins one in Markdown, where it is typed at the beginning of a
 * paragraph. Undo takes that back, and the signs stay.
 */
export function registerTypedBlocks(editor: LexicalEditor): () => void {
  return mergeRegister(
    editor.registerUpdateListener(({ editorState, prevEditorState, dirtyLeaves, tags }) => {
      if (dirtyLeaves.size === 0 || tags.has(HISTORIC_TAG) || editor.isComposing()) return;
      const typed = editorState.read($lineBeforeCursor);
      if (typed === null || !BEGINNING.test(typed.text)) return;
      const before = prevEditorState.read($lineBeforeCursor);
      const isTyped = before?.line.is(typed.line) === true && `${before.text} ` === typed.text;
      if (isTyped) editor.update(() => $begin(typed.text), { tag: HISTORY_PUSH_TAG });
    }),
    editor.registerCommand(
      KEY_ENTER_COMMAND,
      (event) => {
        const at = $lineBeforeCursor();
        const language = at === null ? undefined : FENCE.exec(at.text)?.[1];
        if (at === null || language === undefined || event?.shiftKey) return false;
        if (at.line.getTextContent() !== at.text) return false;
        event?.preventDefault();
        const code = $createCodeNode(language === '' ? null : language);
        at.line.replace(code);
        code.select();
        return true;
      },
      COMMAND_PRIORITY_CRITICAL,
    ),
  );
}

/** The text before the cursor, where it is the beginning of a paragraph and plain. */
function $lineBeforeCursor(): { line: ParagraphNode; text: string } | null {
  const selection = $getSelection();
  if (!$isRangeSelection(selection) || !selection.isCollapsed() || $cellAt() !== null) return null;
  const node = selection.anchor.getNode();
  const line = node.getParent();
  if (!$isTextNode(node) || node.getFormat() !== 0 || !$isParagraphNode(line)) return null;
  if (node.getPreviousSibling() !== null) return null;
  return { line, text: node.getTextContent().slice(0, selection.anchor.offset) };
}

function $begin(typed: string): void {
  const at = $lineBeforeCursor();
  const [, bullet, number] = BEGINNING.exec(typed) ?? [];
  const text = at?.line.getFirstChild();
  if (at === null || at.text !== typed || !$isTextNode(text)) return;
  text.spliceText(0, typed.length, '');
  const rest = at.line.getChildren();
  if (bullet === undefined && number === undefined) {
    const line = $createParagraphNode().append(...rest);
    at.line.replace($createQuoteNode({ shadowRoot: true }).append(line));
    line.selectStart();
    return;
  }
  const item = $createListItemNode().append(...rest);
  const list =
    number === undefined ? $createListNode('bullet') : $createListNode('number', Number(number));
  at.line.replace(list.append(item));
  item.selectStart();
}

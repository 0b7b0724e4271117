import { formulasOf } from '@invigil/core/content/content-facts';
import {
  $getSelection,
  $isRangeSelection,
  $isTextNode,
  BLUR_COMMAND,
  COMMAND_PRIORITY_LOW,
  HISTORIC_TAG,
  HISTORY_PUSH_TAG,
  KEY_ENTER_COMMAND,
  type LexicalEditor,
  mergeRegister,
  SKIP_DOM_SELECTION_TAG,
  type TextNode,
} from 'lexical';
import { $codeAt } from './rich-editor.ts';
import { $createFormulaNode } from './rich-nodes.tsx';

interface Found {
  node: TextNode;
  from: number;
  to: number;
  tex: string;
}

/**
 * Draws what is typed between dollars as soon as it cannot be an amount of money any more: with the next
 * character, with Enter, and when the field is left. Undo takes that back, and the dollars stay.
 */
export function registerTypedFormulas(editor: LexicalEditor): () => void {
  const draw = (behind: number, tags: string[] = []) => {
    if (editor.isComposing()) return;
    const found = editor.getEditorState().read(() => $formulaAtCursor(behind));
    if (found === null) return;
    editor.update(() => $draw(found), { tag: [HISTORY_PUSH_TAG, ...tags], discrete: true });
  };
  return mergeRegister(
    editor.registerUpdateListener(({ dirtyLeaves, tags }) => {
      if (dirtyLeaves.size > 0 && !tags.has(HISTORIC_TAG)) draw(1);
    }),
    editor.registerCommand(
      BLUR_COMMAND,
      () => {
        // The cursor is in another field already.
        queueMicrotask(() => draw(0, [SKIP_DOM_SELECTION_TAG]));
        return false;
      },
      COMMAND_PRIORITY_LOW,
    ),
    editor.registerCommand(
      KEY_ENTER_COMMAND,
      () => {
        const found = $formulaAtCursor(0);
        if (found !== null) $draw(found);
        return false;
      },
      COMMAND_PRIORITY_LOW,
    ),
  );
}

/** The formula that ends at the cursor, or some characters before it. */
function $formulaAtCursor(behind: number): Found | null {
  const selection = $getSelection();
  if (!$isRangeSelection(selection) || !selection.isCollapsed() || $codeAt() !== null) return null;
  const node = selection.anchor.getNode();
  if (!$isTextNode(node) || node.hasFormat('code')) return null;
  const text = node.getTextContent().slice(0, selection.anchor.offset);
  const to = text.length - behind;
  if (text[to - 1] !== '$' || text[to] === '$') return null;
  const place = formulasOf(text).find((one) => one.to === to);
  return place === undefined ? null : { node, ...place };
}

function $draw({ node, from, to, tex }: Found): void {
  const isDisplay = node.getTextContent().startsWith('$$', from);
  const parts = node.splitText(from, to);
  const typed = parts[from === 0 ? 0 : 1];
  if (typed === undefined) return;
  const rest = typed.getNextSibling();
  const formula = $createFormulaNode(tex, isDisplay);
  typed.replace(formula);
  if ($isTextNode(rest)) rest.select(1, 1);
  else formula.selectNext();
}

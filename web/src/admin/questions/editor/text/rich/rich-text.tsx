import { parseContent } from '@invigil/core/content/parse-content';
import { isShownTheSame } from '@invigil/core/content/runs';
import { writeContent } from '@invigil/core/content/write-content';
import { t } from '@invigil/core/texts/i18n';
import { $isLinkNode } from '@lexical/link';
import { $findMatchingParent, mergeRegister } from '@lexical/utils';
import {
  $createRangeSelectionFromDom,
  $getSelection,
  $insertNodes,
  $isNodeSelection,
  $isParagraphNode,
  $isRangeSelection,
  $setSelection,
  CAN_UNDO_COMMAND,
  CLEAR_HISTORY_COMMAND,
  COMMAND_PRIORITY_CRITICAL,
  FORMAT_TEXT_COMMAND,
  KEY_DOWN_COMMAND,
  type LexicalEditor,
  PASTE_TAG,
  UNDO_COMMAND,
} from 'lexical';
import {
  type ComponentProps,
  type ReactElement,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { storeImage } from '../../../../data/questions.ts';
import { showFailure } from '../../../../data/show-failure.ts';
import {
  convertingText,
  markdownFromClipboard,
  type Pasted,
  tellFailedUpload,
  tellNotes,
  transferredIn,
  uploadingText,
} from '../clipboard.ts';
import { $openItem } from './item-blocks.ts';
import { ASK_LINK, RichDialogs } from './rich-dialogs.tsx';
import { createRichEditor, registerBehavior } from './rich-editor.ts';
import { $createImageNode, ASK_IMAGE, FormulaNode, ImageNode, RichEditor } from './rich-nodes.tsx';
import { askFormula, type FormattedText, RichToolbar } from './rich-toolbar.tsx';
import { $content, $nodesOf, $setMarkdown } from './rich-tree.ts';
import { registerTypedBlocks } from './typed-blocks.ts';
import { registerTypedFormulas } from './typed-formulas.ts';

/** Updates with it are no changes of the author. */
const LOADED = 'loaded';

export interface RichTextProps
  extends Pick<
    ComponentProps<'div'>,
    'id' | 'aria-invalid' | 'aria-describedby' | 'aria-label' | 'className'
  > {
  /** By which tests and the focus find it. */
  name: string;
  /** Markdown */
  value: string;
  placeholder?: string | undefined;
  /** The text that the toolbar above formats; absent: there is none. */
  toolbar?: FormattedText;
  onChange(value: string): void;
  onFocusText?: ((editor: LexicalEditor) => void) | undefined;
  onEnter?: (() => void) | undefined;
  /** Backspace in an empty text. */
  onBackspace?: (() => void) | undefined;
  /** A pasted Markdown text, before it is inserted; true: it was taken. */
  onPasteText?: ((pasted: Pasted, isSource: boolean) => boolean) | undefined;
  /** Undo where the text itself has nothing to take back. */
  onUndo?: (() => void) | undefined;
}

/** A text as candidates see it, to be written in. Only for texts that it can give back (`isRich`). */
export function RichText({
  name,
  value,
  placeholder,
  toolbar,
  className = '',
  onChange,
  onFocusText,
  onEnter,
  onBackspace,
  onPasteText,
  onUndo,
  ...ids
}: RichTextProps) {
  const [editor] = useState(createRichEditor);
  const root = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [selected, setSelected] = useState('');
  const [isLost, setLost] = useState(false);

  const insertMarkdown = (pasted: Pasted) => {
    if (onPasteText?.(pasted, false)) return;
    tellNotes(pasted);
    editor.update(
      () => {
        const { children } = parseContent(pasted.text);
        const [line, ...others] = $nodesOf(children);
        const isLine = $isParagraphNode(line) && others.length === 0;
        const nodes = line === undefined ? [] : isLine ? line.getChildren() : [line, ...others];
        if (children.some(({ type }) => /^(?:code|table|blockquote|thematicBreak)$/.test(type))) {
          $openItem();
        }
        if (nodes.length > 0) $insertNodes(nodes);
      },
      { tag: PASTE_TAG },
    );
  };
  const paste = async (html: string, plain: string) => {
    setBusy(convertingText());
    const { markdownFromPlain } = await import('@invigil/core/content/html/html-text');
    const escaped = (text: string): Pasted => {
      const markdown = markdownFromPlain(text);
      return { text: markdown, marked: markdown, format: 'markdown', notes: [] };
    };
    try {
      const got = html === '' ? null : await markdownFromClipboard(html, plain, storeImage);
      if (got === null) insertMarkdown(escaped(plain));
      else if (got.format === 'markdown') insertMarkdown(got);
      else insertMarkdown({ ...got, text: markdownFromPlain(got.text) });
    } catch (error) {
      insertMarkdown(escaped(plain));
      showFailure(t('richText.paste.plain', 'Pasted without formatting'), error);
    }
    setBusy(null);
  };
  const insertImages = async (files: readonly File[]) => {
    setBusy(uploadingText(files.length));
    for (const file of files) {
      try {
        const url = `image:${await storeImage(file)}`;
        editor.update(
          () => {
            const image = $createImageNode({ url, alt: '', title: null });
            $insertNodes([image]);
            // The description is written next.
            if (files.length === 1) {
              const key = image.getKey();
              queueMicrotask(() => editor.dispatchCommand(ASK_IMAGE, key));
            }
          },
          { tag: PASTE_TAG, discrete: true },
        );
      } catch (error) {
        tellFailedUpload(file, error);
      }
    }
    setBusy(null);
  };
  const transfer = useEffectEvent((data: DataTransfer): boolean => {
    if (data.types.includes('application/x-lexical-editor') && onPasteText === undefined) {
      return false;
    }
    const got = transferredIn(data);
    if ('images' in got) void insertImages(got.images);
    else void paste(got.html, got.plain);
    return true;
  });
  const files = useEffectEvent((images: readonly File[]) => void insertImages(images));
  const enter = useEffectEvent(() => onEnter?.());
  const backspace = useEffectEvent(() => onBackspace?.());
  const undo = useEffectEvent(() => onUndo?.());
  const isLine = onEnter !== undefined;

  useEffect(() => {
    editor.setRootElement(root.current);
    const removers = [
      registerBehavior(editor, {
        onTransfer: (data) => transfer(data),
        onFiles: (images) => files(images),
        ...(isLine ? { onEnter: () => enter(), onBackspace: () => backspace() } : {}),
      }),
      registerKeys(editor),
      registerLastUndo(editor, () => undo()),
      registerTypedFormulas(editor),
      // A "- 5" in an option is a number.
      ...(isLine ? [] : [registerTypedBlocks(editor)]),
    ];
    return () => {
      for (const remove of removers) remove();
      editor.setRootElement(null);
    };
  }, [editor, isLine]);

  // Behind the history, which begins with the text as it is shown first.
  const newText = useText(editor, value);
  const change = useEffectEvent((written: string) => {
    const text = newText(written);
    if (text !== null) onChange(text);
  });
  useEffect(
    () =>
      editor.registerUpdateListener(({ editorState, dirtyElements, dirtyLeaves, tags }) => {
        setSelected(editorState.read($selectedWords));
        if (tags.has(LOADED) || (dirtyElements.size === 0 && dirtyLeaves.size === 0)) return;
        const content = editorState.read($content);
        const written = writeContent(content);
        setLost(!isShownTheSame(parseContent(written), content));
        change(written);
      }),
    [editor],
  );

  return (
    <RichEditor value={editor}>
      {toolbar !== undefined && <RichToolbar editor={editor} of={toolbar} />}
      <div className="relative">
        {/* biome-ignore lint/a11y/useSemanticElements: an input holds no formulas */}
        <div
          {...ids}
          ref={root}
          role="textbox"
          aria-multiline="true"
          tabIndex={0}
          contentEditable
          suppressContentEditableWarning
          spellCheck
          data-field={name}
          onFocus={() => onFocusText?.(editor)}
          className={`rich-text relative break-words whitespace-pre-wrap outline-none ${className}`}
        />
        {value === '' && placeholder !== undefined && (
          // On top of the field, whose background would cover it.
          <span
            aria-hidden="true"
            className={`pointer-events-none absolute inset-0 border-transparent! bg-transparent! text-ink-3! ${className}`}
          >
            {placeholder}
          </span>
        )}
      </div>
      <DrawnNodes editor={editor} />
      <p role="status" className={busy === null ? 'sr-only' : 'px-3 py-1 text-sm text-ink-2'}>
        {busy ?? selected}
      </p>
      {isLost && <LostNotice />}
      <RichDialogs editor={editor} />
    </RichEditor>
  );
}

function LostNotice() {
  return (
    <p role="alert" className="px-3 py-1 text-sm text-warn-ink">
      {t(
        'richText.lost',
        'Part of this cannot be stored as it is shown here. Look at the preview, or at the Markdown source.',
      )}
    </p>
  );
}

/**
 * Shows a text, and again when it is another one than the editor has told. Returns what has to be told of
 * what the editor would write, null: nothing, it is what is shown.
 */
function useText(editor: LexicalEditor, value: string): (written: string) => string | null {
  /** The text as it was given, and as the editor would write it: one that only looks is not changed. */
  const given = useRef({ text: '', written: '' });
  const shown = useRef<string | null>(null);
  /** Texts that were told and have not come back: keys are quicker than what is rendered. */
  const told = useRef<string[]>([]);
  useEffect(() => {
    const own = told.current.lastIndexOf(value);
    told.current.splice(0, own + 1);
    if (own >= 0 || value === shown.current) return;
    told.current = [];
    shown.current = value;
    // Before it is shown: what comes after an empty history is where undo ends.
    editor.dispatchCommand(CLEAR_HISTORY_COMMAND, undefined);
    editor.update(() => $setMarkdown(value), { discrete: true, tag: LOADED });
    given.current = { text: value, written: writeContent(editor.getEditorState().read($content)) };
  }, [editor, value]);

  return (written) => {
    const text = written === given.current.written ? given.current.text : written;
    if (text === shown.current) return null;
    shown.current = text;
    told.current.push(text);
    return text;
  };
}

/** Formulas and images, each in the element that the editor has for it. */
function DrawnNodes({ editor }: { editor: LexicalEditor }) {
  const [nodes, setNodes] = useState<Record<string, ReactElement>>({});
  useEffect(() => editor.registerDecoratorListener<ReactElement>(setNodes), [editor]);
  return Object.entries(nodes).map(([key, element]) => {
    const place = editor.getElementByKey(key);
    return place === null ? null : createPortal(element, place, key);
  });
}

/** Follows a cursor that the browser has moved and not yet reported: the next key must not move it back. */
function $followCursor(editor: LexicalEditor): void {
  const selection = $getSelection();
  if (editor.isComposing() || !$isRangeSelection(selection)) return;
  const seen = $createRangeSelectionFromDom(window.getSelection(), editor);
  if (seen === null) return;
  if (!seen.anchor.is(selection.anchor) || !seen.focus.is(selection.focus)) $setSelection(seen);
}

/** The keys of formatting that the editor does not have itself. */
function registerKeys(editor: LexicalEditor) {
  return editor.registerCommand(
    KEY_DOWN_COMMAND,
    (event) => {
      $followCursor(editor);
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
      const key = event.key.toLowerCase();
      if (key === 'e') editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'code');
      else if (key === 'k') editor.dispatchCommand(ASK_LINK, $linkAtCursor());
      else if (key === 'm') askFormula(editor);
      else return false;
      event.preventDefault();
      return true;
    },
    COMMAND_PRIORITY_CRITICAL,
  );
}

/** Calls back at an undo when the history of the text is empty. */
function registerLastUndo(editor: LexicalEditor, onUndo: () => void) {
  let canUndo = false;
  return mergeRegister(
    editor.registerCommand(
      CAN_UNDO_COMMAND,
      (can) => {
        canUndo = can;
        return false;
      },
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(
      UNDO_COMMAND,
      () => {
        if (!canUndo) onUndo();
        return !canUndo;
      },
      COMMAND_PRIORITY_CRITICAL,
    ),
  );
}

function $linkAtCursor(): string {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return '';
  const link = $findMatchingParent(selection.anchor.getNode(), $isLinkNode);
  return $isLinkNode(link) ? link.getURL() : '';
}

/** Words for a screen reader when a formula or image is selected. */
function $selectedWords(): string {
  const selection = $getSelection();
  const [node] = $isNodeSelection(selection) ? selection.getNodes() : [];
  if (node instanceof FormulaNode) {
    return t(
      /* read out; {tex} is the formula, Enter the key */ 'richText.formula.selected',
      'Formula {tex} selected. Press Enter to change it.',
      { tex: node.__tex },
    );
  }
  return node instanceof ImageNode
    ? t(
        /* read out; {description} is the image’s, Enter the key */ 'richText.image.selected',
        'Image {description} selected. Press Enter to describe it.',
        { description: node.getPicture().alt },
      )
    : '';
}

import { nearestImageWidth, withImageWidth } from '@invigil/core/content/parse-content';
import { t } from '@invigil/core/texts/i18n';
import {
  $applyNodeReplacement,
  $getNodeByKey,
  $getSelection,
  $isNodeSelection,
  $isParagraphNode,
  createCommand,
  DecoratorNode,
  type DOMExportOutput,
  type LexicalCommand,
  type LexicalEditor,
  type NodeKey,
  type SerializedLexicalNode,
  SKIP_DOM_SELECTION_TAG,
  type Spread,
} from 'lexical';
import { createContext, type ReactElement, useContext, useEffect, useState } from 'react';
import { useLanguage } from '../../../../../lib/language.ts';
import { InlineImage, imageSize, pictureOf } from '../../../../../question-view/content/figure.tsx';
import { Formula } from '../../../../../question-view/content/formula.tsx';
import { loadMathematics } from '../../../../../question-view/content/load-mathematics.ts';

/** A formula to be written: in place of the node with this key, or where the cursor is. */
export interface AskedFormula {
  key: NodeKey | null;
  tex: string;
  isDisplay: boolean;
}
/** Opens the dialog of a formula. */
export const ASK_FORMULA: LexicalCommand<AskedFormula> = createCommand('ask formula');
/** Opens the dialog of an image, by its key. */
export const ASK_IMAGE: LexicalCommand<NodeKey> = createCommand('ask image');

export const RichEditor = createContext<LexicalEditor | null>(null);

/** A node on the clipboard, where anything can be. */
type Pasted = SerializedLexicalNode & Record<string, unknown>;

type SerializedFormula = Spread<{ tex: string; isDisplay: boolean }, SerializedLexicalNode>;

/** A formula, drawn; on its own line it takes the whole width. */
export class FormulaNode extends DecoratorNode<ReactElement> {
  __tex: string;
  __isDisplay: boolean;

  static override getType() {
    return 'formula';
  }
  static override clone({ __tex, __isDisplay, __key }: FormulaNode) {
    return new FormulaNode(__tex, __isDisplay, __key);
  }
  static override importJSON({ tex, isDisplay }: Pasted) {
    return $createFormulaNode(String(tex), isDisplay === true);
  }
  constructor(tex: string, isDisplay: boolean, key?: NodeKey) {
    super(key);
    this.__tex = tex;
    this.__isDisplay = isDisplay;
  }
  override exportJSON(): SerializedFormula {
    return { ...super.exportJSON(), tex: this.__tex, isDisplay: this.__isDisplay };
  }
  override exportDOM(): DOMExportOutput {
    const element = document.createElement('span');
    element.textContent = this.getTextContent();
    return { element };
  }
  override createDOM() {
    const element = document.createElement('span');
    // The whole width in a line, not a block: behind a block the cursor would have a line of its own.
    if (this.__isDisplay) element.className = 'inline-block w-full align-top';
    return element;
  }
  override updateDOM({ __isDisplay }: this) {
    return __isDisplay !== this.__isDisplay;
  }
  /** Delimited as the readers of pasted texts expect. */
  override getTextContent() {
    return this.__isDisplay ? `\\[${this.__tex}\\]` : `\\(${this.__tex}\\)`;
  }
  override decorate() {
    return <FormulaView nodeKey={this.__key} tex={this.__tex} isDisplay={this.__isDisplay} />;
  }
}

export function $createFormulaNode(tex: string, isDisplay: boolean): FormulaNode {
  return $applyNodeReplacement(new FormulaNode(tex, isDisplay));
}

export interface Picture {
  /** `image:`, a hash, and possibly a width */
  url: string;
  alt: string;
  /** the caption */
  title: string | null;
}
type SerializedPicture = Spread<Picture, SerializedLexicalNode>;

/** An image: in its line, or alone in its paragraph as a figure. */
export class ImageNode extends DecoratorNode<ReactElement> {
  __picture: Picture;

  static override getType() {
    return 'picture';
  }
  static override clone({ __picture, __key }: ImageNode) {
    return new ImageNode(__picture, __key);
  }
  static override importJSON({ url, alt, title }: Pasted) {
    const caption = typeof title === 'string' ? title : null;
    return $createImageNode({ url: String(url), alt: String(alt), title: caption });
  }
  constructor(picture: Picture, key?: NodeKey) {
    super(key);
    this.__picture = picture;
  }
  override exportJSON(): SerializedPicture {
    return { ...super.exportJSON(), ...this.__picture };
  }
  override exportDOM(): DOMExportOutput {
    // A document of its own: the page would ask for the address.
    const element = document.implementation.createHTMLDocument().createElement('img');
    element.alt = this.__picture.alt;
    element.title = this.__picture.title ?? '';
    element.src = this.__picture.url;
    return { element };
  }
  override createDOM() {
    return document.createElement('span');
  }
  override updateDOM() {
    return false;
  }
  override getTextContent() {
    return this.__picture.alt;
  }
  getPicture(): Picture {
    return this.getLatest().__picture;
  }
  setPicture(picture: Picture): this {
    const writable = this.getWritable();
    writable.__picture = picture;
    return writable;
  }
  override decorate() {
    return <ImageView nodeKey={this.__key} picture={this.__picture} />;
  }
}

export function $createImageNode(picture: Picture): ImageNode {
  return $applyNodeReplacement(new ImageNode(picture));
}

/** Reads the editor's state, again after each change of it. */
function useRead<T>(read: () => T): T | null {
  const editor = useContext(RichEditor);
  const [value, setValue] = useState<T | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question does not change
  useEffect(() => {
    if (editor === null) return;
    const again = () => setValue(editor.getEditorState().read(read));
    again();
    return editor.registerUpdateListener(again);
  }, [editor]);
  return value;
}

function $isSelected(key: NodeKey): boolean {
  const selection = $getSelection();
  return $isNodeSelection(selection) && selection.has(key);
}

const CHOSEN = 'outline-2 outline-offset-2 outline-focus';

function FormulaView({
  nodeKey,
  tex,
  isDisplay,
}: {
  nodeKey: NodeKey;
  tex: string;
  isDisplay: boolean;
}) {
  const isSelected = useRead(() => $isSelected(nodeKey));
  useEffect(() => {
    // A formula that is not drawn is shown as its source.
    loadMathematics([tex]).catch(() => undefined);
  }, [tex]);
  return (
    // An image to screen readers: the keys are the text's, which say what is selected.
    <span
      role="img"
      aria-label={tex}
      className={`cursor-pointer rounded-sm ${isDisplay ? 'block w-fit max-w-full min-w-[min(100%,44em)] overflow-x-auto' : ''} ${isSelected ? CHOSEN : ''}`}
    >
      <span aria-hidden="true">
        <Formula tex={tex} display={isDisplay} />
      </span>
    </span>
  );
}

function ImageView({ nodeKey, picture }: { nodeKey: NodeKey; picture: Picture }) {
  // Kept by the editor, so it is not drawn again with the page.
  useLanguage();
  const isSelected = useRead(() => $isSelected(nodeKey));
  const isAlone = useRead(() => $isAlone(nodeKey));
  const editor = useContext(RichEditor);
  const shown = pictureOf(picture);
  return (
    <span className={isAlone ? 'inline-block max-w-full align-top' : ''}>
      <span
        role="img"
        aria-label={
          picture.alt === ''
            ? t('richText.image.undescribed', 'Image without description')
            : picture.alt
        }
        className={`group/image relative inline-block max-w-full cursor-pointer rounded-md align-middle ${isSelected ? CHOSEN : ''}`}
      >
        <InlineImage {...shown} className={imageSize(shown.width, isAlone === true)} />
        <span
          // By keys the width is set in the dialog.
          aria-hidden="true"
          title={t(/* said of the corner of an image */ 'richText.image.drag', 'Drag to resize')}
          className="absolute -end-1 -bottom-1 size-4 cursor-nwse-resize touch-none rounded-sm border-2 border-on-accent bg-accent opacity-0 group-hover/image:opacity-100 touch:size-7 touch:opacity-100"
          onClick={(event) => event.stopPropagation()}
          onPointerDown={(event) => {
            event.preventDefault();
            const handle = event.currentTarget;
            handle.setPointerCapture(event.pointerId);
          }}
          onPointerMove={(event) => {
            const handle = event.currentTarget;
            const image = handle.parentElement;
            if (!handle.hasPointerCapture(event.pointerId) || image === null) return;
            const { left, right } = image.getBoundingClientRect();
            const isFromRight = getComputedStyle(image).direction === 'rtl';
            const wide = isFromRight ? right - event.clientX : event.clientX - left;
            const line = 44 * Number.parseFloat(getComputedStyle(image).fontSize);
            const url = withImageWidth(picture.url, nearestImageWidth((100 * wide) / line));
            if (url === picture.url) return;
            editor?.update(
              () => {
                const node = $getNodeByKey(nodeKey);
                if (node instanceof ImageNode) node.setPicture({ ...picture, url });
              },
              { tag: SKIP_DOM_SELECTION_TAG },
            );
          }}
        />
      </span>
      {picture.title !== null && (
        <span className={`block text-sm font-normal text-ink-2 ${isAlone ? 'mt-1.5' : ''}`}>
          {picture.title}
        </span>
      )}
    </span>
  );
}

/** A figure is alone in its paragraph. */
export function $isAlone(key: NodeKey): boolean {
  const parent = $getNodeByKey(key)?.getParent();
  return $isParagraphNode(parent) && parent.getChildrenSize() === 1;
}

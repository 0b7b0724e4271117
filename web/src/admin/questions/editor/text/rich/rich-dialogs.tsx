import {
  IMAGE_WIDTHS,
  type ImageWidth,
  imageWidth,
  withImageWidth,
} from '@invigil/core/content/parse-content';
import { t } from '@invigil/core/texts/i18n';
import { $toggleLink } from '@lexical/link';
import {
  $createParagraphNode,
  $createTextNode,
  $getNodeByKey,
  $getSelection,
  $insertNodes,
  $isParagraphNode,
  $isRangeSelection,
  $isRootOrShadowRoot,
  $setSelection,
  type BaseSelection,
  COMMAND_PRIORITY_EDITOR,
  createCommand,
  type LexicalCommand,
  type LexicalEditor,
  type NodeKey,
} from 'lexical';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../../../ui/fields/text-area.tsx';
import { TextField } from '../../../../../ui/fields/text-field.tsx';
import { FormulaDialog } from './formula-dialog.tsx';
import {
  $createFormulaNode,
  $isAlone,
  ASK_FORMULA,
  ASK_IMAGE,
  type AskedFormula,
  ImageNode,
  type Picture,
} from './rich-nodes.tsx';

/** Opens the dialog of a link, with the address that the selected text has. */
export const ASK_LINK: LexicalCommand<string> = createCommand('ask link');

type Asked =
  | { what: 'formula'; formula: AskedFormula }
  | { what: 'link'; url: string }
  | { what: 'image'; node: NodeKey; picture: Picture; isAlone: boolean; mayBeAlone: boolean };

/** The dialogs of an editor, opened by its commands. */
export function RichDialogs({ editor }: { editor: LexicalEditor }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  /** The cursor behind the dialog: a text that gets the focus back has it at its beginning. */
  const cursor = useRef<BaseSelection | null>(null);
  useEffect(() => {
    const ask = (next: Asked) => {
      cursor.current = $getSelection()?.clone() ?? null;
      setAsked(next);
      return true;
    };
    const commands = [
      editor.registerCommand(
        ASK_FORMULA,
        (formula) => ask({ what: 'formula', formula }),
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(
        ASK_LINK,
        (url) => ask({ what: 'link', url }),
        COMMAND_PRIORITY_EDITOR,
      ),
      editor.registerCommand(
        ASK_IMAGE,
        (key) => {
          const node = $getNodeByKey(key);
          if (!(node instanceof ImageNode)) return false;
          const parent = node.getParent();
          const mayBeAlone =
            $isParagraphNode(parent) && parent.getParent()?.getType() !== 'tablecell';
          return ask({
            what: 'image',
            node: key,
            picture: node.getPicture(),
            isAlone: $isAlone(key),
            mayBeAlone,
          });
        },
        COMMAND_PRIORITY_EDITOR,
      ),
    ];
    return () => {
      for (const remove of commands) remove();
    };
  }, [editor]);
  if (asked === null) return null;
  const change = (update: () => void) => {
    setAsked(null);
    // Once the dialog has given the focus back.
    requestAnimationFrame(() =>
      editor.focus(() =>
        editor.update(() => {
          if (cursor.current !== null) $setSelection(cursor.current.clone());
          update();
        }),
      ),
    );
  };
  const close = () => change(() => undefined);
  switch (asked.what) {
    case 'formula':
      return (
        <FormulaDialog
          initial={asked.formula}
          isNew={asked.formula.key === null}
          onClose={close}
          onDone={({ tex, isDisplay }) =>
            change(() => {
              const { key } = asked.formula;
              const formula = $createFormulaNode(tex, isDisplay);
              const former = key === null ? null : $getNodeByKey(key);
              if (former === null) $insertNodes([formula]);
              else former.replace(formula);
              formula.selectNext();
            })
          }
        />
      );
    case 'link':
      return (
        <LinkDialog
          initial={asked.url}
          onClose={close}
          onDone={(url) => change(() => $setLink(url))}
        />
      );
    case 'image':
      return (
        <ImageDialog
          picture={asked.picture}
          isAlone={asked.isAlone}
          mayBeAlone={asked.mayBeAlone}
          onClose={close}
          onDone={(picture, isAlone) =>
            change(() =>
              $setPicture(
                asked.node,
                picture,
                isAlone && !asked.isAlone,
                !isAlone && asked.isAlone,
              ),
            )
          }
        />
      );
  }
}

/** The address itself is the text, if nothing is selected. */
function $setLink(url: string | null): void {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return;
  if (url !== null && selection.isCollapsed()) {
    const text = $createTextNode(url.replace(/^mailto:/i, ''));
    $insertNodes([text]);
    text.select(0, text.getTextContentSize());
  }
  $toggleLink(url);
}

function $setPicture(key: NodeKey, picture: Picture, isParted: boolean, isJoined: boolean): void {
  const node = $getNodeByKey(key);
  if (!(node instanceof ImageNode)) return;
  node.setPicture(picture);
  const line = node.getParent();
  if (!$isParagraphNode(line)) return;
  const before = line.getPreviousSibling();
  if (isParted) {
    const rest = node.getNextSiblings();
    const own = $createParagraphNode().append(node);
    line.insertAfter(own);
    if (rest.length > 0) own.insertAfter($createParagraphNode().append(...rest));
    if (line.isEmpty()) line.remove();
  } else if (isJoined && $isParagraphNode(before) && $isRootOrShadowRoot(before.getParent())) {
    before.append($createTextNode(' '), node);
    line.remove();
  }
  node.selectNext();
}

const ADDRESS = /^(?:https?:\/\/|mailto:)./i;

function LinkDialog({
  initial,
  onClose,
  onDone,
}: {
  initial: string;
  onClose(): void;
  /** @param url null: no link any more */
  onDone(url: string | null): void;
}) {
  const [typed, setTyped] = useState(initial);
  const [isRefused, setRefused] = useState(false);
  const id = useId();
  const trimmed = typed.trim();
  const url = /^[\w.-]+\.\w+(?:\/|$)/.test(trimmed) ? `https://${trimmed}` : trimmed;
  const isAddress = ADDRESS.test(url) && !/\s/.test(url);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(/* the title of a dialog: noun */ 'richText.link', 'Link')}
      unsaved={typed !== initial}
      footer={
        <>
          {initial !== '' && (
            <span className="md:me-auto">
              <Button onClick={() => onDone(null)}>
                {t(/* a button */ 'richText.link.remove', 'Remove link')}
              </Button>
            </span>
          )}
          <DialogClose>
            <Button>
              {t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel')}
            </Button>
          </DialogClose>
          <Button variant="primary" type="submit" form={id}>
            {t(/* a button */ 'richText.link.set', 'Set link')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (isAddress) onDone(url);
          else setRefused(true);
        }}
      >
        <TextField
          label={t(/* of a web page */ 'richText.link.address', 'Address')}
          data-autofocus=""
          placeholder="https://"
          value={typed}
          error={
            isRefused && !isAddress
              ? t(
                  'richText.link.refused',
                  'Enter an address that begins with https://, http:// or mailto:',
                )
              : undefined
          }
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

const WIDTH_NAMES: Record<ImageWidth, () => string> = {
  25: () => t(/* the width of an image */ 'richText.image.quarter', 'A quarter of a line'),
  50: () => t(/* the width of an image */ 'richText.image.half', 'Half a line'),
  75: () =>
    t(/* the width of an image */ 'richText.image.threeQuarters', 'Three quarters of a line'),
  100: () => t(/* the width of an image */ 'richText.image.whole', 'A whole line'),
};

function ImageDialog({
  picture,
  isAlone: wasAlone,
  mayBeAlone,
  onClose,
  onDone,
}: {
  picture: Picture;
  isAlone: boolean;
  mayBeAlone: boolean;
  onClose(): void;
  onDone(picture: Picture, isAlone: boolean): void;
}) {
  const [alt, setAlt] = useState(picture.alt);
  const [caption, setCaption] = useState(picture.title ?? '');
  const [isAlone, setAlone] = useState(wasAlone);
  const [width, setWidth] = useState(imageWidth(picture.url));
  const done = () => {
    const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
    const url = withImageWidth(picture.url, width);
    onDone({ url, alt: oneLine(alt), title: oneLine(caption) || null }, isAlone);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(/* the title of a dialog */ 'portal.image', 'Image')}
      unsaved={
        alt !== picture.alt ||
        caption !== (picture.title ?? '') ||
        isAlone !== wasAlone ||
        width !== imageWidth(picture.url)
      }
      footer={
        <>
          {mayBeAlone && (
            <span className="md:me-auto">
              <Checkbox
                label={t(/* said of an image */ 'richText.image.ownLine', 'On a line of its own')}
                checked={isAlone}
                onChange={(event) => setAlone(event.target.checked)}
              />
            </span>
          )}
          <DialogClose>
            <Button>
              {t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel')}
            </Button>
          </DialogClose>
          <Button variant="primary" onClick={done}>
            {t(/* a button */ 'richText.image.apply', 'Apply')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <TextArea
          label={t(/* of an image */ 'portal.description', 'Description')}
          data-autofocus=""
          rows={2}
          hint={t(
            'richText.image.descriptionHint',
            'For people who cannot see the image. Say what matters for the question.',
          )}
          value={alt}
          onChange={(event) => setAlt(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            // Not a key of the page, which does not see the closed dialog.
            event.stopPropagation();
            done();
          }}
        />
        <TextField
          label={t(/* below an image */ 'richText.image.caption', 'Caption')}
          optional
          value={caption}
          onChange={(event) => setCaption(event.target.value)}
        />
        <SelectField
          label={t(/* of an image */ 'richText.image.width', 'Width')}
          hint={t(
            /* said of an image */ 'richText.image.widthHint',
            'On a narrow screen never wider than the text.',
          )}
          options={[
            {
              value: 'own',
              label: t(/* the width of an image */ 'richText.image.ownSize', 'As large as it is'),
            },
            ...IMAGE_WIDTHS.map((one) => ({ value: String(one), label: WIDTH_NAMES[one]() })),
          ]}
          value={String(width ?? 'own')}
          onChange={(value) => setWidth(IMAGE_WIDTHS.find((one) => String(one) === value) ?? null)}
        />
      </div>
    </Dialog>
  );
}

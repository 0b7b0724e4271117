import { raisedOrLowered } from '@invigil/core/content/html/tex';
import { t } from '@invigil/core/texts/i18n';
import { $createCodeNode } from '@lexical/code-core';
import { $isLinkNode } from '@lexical/link';
import {
  $isListNode,
  INSERT_ORDERED_LIST_COMMAND,
  INSERT_UNORDERED_LIST_COMMAND,
  ListNode,
  REMOVE_LIST_COMMAND,
} from '@lexical/list';
import { DRAG_DROP_PASTE } from '@lexical/rich-text';
import {
  $deleteTableColumnAtSelection,
  $deleteTableRowAtSelection,
  $insertTableColumnAtSelection,
  $insertTableRowAtSelection,
  $isTableCellNode,
  $isTableRowNode,
  INSERT_TABLE_COMMAND,
} from '@lexical/table';
import { $findMatchingParent } from '@lexical/utils';
import {
  $createParagraphNode,
  $getSelection,
  $insertNodes,
  $isElementNode,
  $isRangeSelection,
  COMMAND_PRIORITY_HIGH,
  type ElementFormatType,
  FORMAT_TEXT_COMMAND,
  KEY_DOWN_COMMAND,
  type LexicalEditor,
  SKIP_DOM_SELECTION_TAG,
  type TextFormatType,
} from 'lexical';
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenVerticalEnd,
  Bold,
  Code,
  ImagePlus,
  Italic,
  Link,
  List,
  ListOrdered,
  type LucideIcon,
  Sigma,
  SquareCode,
  Subscript,
  Superscript,
  Table,
  TableColumnsSplit,
  TableRowsSplit,
} from 'lucide-react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { modifierKey } from '../../../../../lib/keys.ts';
import { inlineArrow } from '../../../../../ui/direction.ts';
import { Tooltip } from '../../../../../ui/tooltip.tsx';
import { $openItem } from './item-blocks.ts';
import { ASK_LINK } from './rich-dialogs.tsx';
import { $cellAt, $codeAt } from './rich-editor.ts';
import { $createFormulaNode, ASK_FORMULA } from './rich-nodes.tsx';
import { $linesOf } from './rich-tree.ts';

const MOD = modifierKey();

/** The place of the cursor. */
interface Place {
  formats: readonly TextFormatType[];
  list: 'number' | 'bullet' | null;
  /** null: no code; an empty text: code without a language */
  language: string | null;
  isInTable: boolean;
  align: ElementFormatType;
  link: string;
}

const NOWHERE: Place = {
  ...{ formats: [], list: null, language: null, isInTable: false, align: '', link: '' },
};

function $place(): Place {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return NOWHERE;
  const node = selection.anchor.getNode();
  const list = $findMatchingParent(node, $isListNode);
  const type = list instanceof ListNode ? list.getListType() : null;
  const cell = $cellAt();
  const line = cell?.getFirstChild();
  const link = $findMatchingParent(node, $isLinkNode);
  const code = $codeAt();
  return {
    formats: (['bold', 'italic', 'code'] as const).filter((one) => selection.hasFormat(one)),
    list: type === 'number' || type === 'bullet' ? type : null,
    language: code === null ? null : (code.getLanguage() ?? ''),
    isInTable: cell !== null,
    align: $isElementNode(line) ? line.getFormatType() : '',
    link: $isLinkNode(link) ? link.getURL() : '',
  };
}

function usePlace(editor: LexicalEditor | null): Place {
  const [place, setPlace] = useState(NOWHERE);
  useEffect(() => {
    if (editor === null) return;
    const again = () => {
      const next = editor.getEditorState().read($place);
      setPlace((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    again();
    return editor.registerUpdateListener(again);
  }, [editor]);
  return place;
}

interface Tool {
  name(): string;
  Icon: LucideIcon;
  act(editor: LexicalEditor, place: Place): void;
  isOn?: (place: Place) => boolean;
  keys?: string;
  opens?: 'dialog';
  /** Told to a screen reader when it is done, where it has no state that is told. */
  says?(): string;
  /** Blocks have no place in an option's line. */
  isBlock?: true;
}

const format = (type: 'bold' | 'italic' | 'code'): Pick<Tool, 'act' | 'isOn'> => ({
  act: (editor) => editor.dispatchCommand(FORMAT_TEXT_COMMAND, type),
  isOn: ({ formats }) => formats.includes(type),
});

const TOOLS: Tool[] = [
  {
    name: () => t(/* a button above a text */ 'richText.tool.bold', 'Bold'),
    Icon: Bold,
    keys: `${MOD}+B`,
    ...format('bold'),
  },
  {
    name: () => t(/* a button above a text */ 'richText.tool.italic', 'Italic'),
    Icon: Italic,
    keys: `${MOD}+I`,
    ...format('italic'),
  },
  {
    name: () =>
      t(
        /* a button above a text: raises the selected text */ 'richText.tool.superscript',
        'Superscript',
      ),
    Icon: Superscript,
    act: raise(true),
  },
  {
    name: () =>
      t(
        /* a button above a text: lowers the selected text */ 'richText.tool.subscript',
        'Subscript',
      ),
    Icon: Subscript,
    act: raise(false),
  },
  {
    name: () =>
      t(/* a button above a text: the selected text is a code */ 'richText.tool.code', 'Code'),
    Icon: Code,
    keys: `${MOD}+E`,
    ...format('code'),
  },
  {
    name: () =>
      t(/* a button above a text: lines of code */ 'richText.tool.codeBlock', 'Code block'),
    Icon: SquareCode,
    isBlock: true,
    isOn: ({ language }) => language !== null,
    act: (editor) => editor.update($toggleCode),
  },
  {
    name: () => t(/* a button above a text */ 'richText.tool.bulletedList', 'Bulleted list'),
    Icon: List,
    isBlock: true,
    isOn: ({ list }) => list === 'bullet',
    act: (editor, { list }) =>
      editor.dispatchCommand(
        list === 'bullet' ? REMOVE_LIST_COMMAND : INSERT_UNORDERED_LIST_COMMAND,
        undefined,
      ),
  },
  {
    name: () => t(/* a button above a text */ 'richText.tool.numberedList', 'Numbered list'),
    Icon: ListOrdered,
    isBlock: true,
    isOn: ({ list }) => list === 'number',
    act: (editor, { list }) =>
      editor.dispatchCommand(
        list === 'number' ? REMOVE_LIST_COMMAND : INSERT_ORDERED_LIST_COMMAND,
        undefined,
      ),
  },
  {
    name: () => t(/* a button above a text: inserts one */ 'richText.tool.table', 'Table'),
    Icon: Table,
    isBlock: true,
    says: () => t('richText.tool.tableInserted', 'Table of 3 rows and 3 columns inserted'),
    act: (editor) =>
      editor.update(() => {
        $openItem();
        const size = { rows: '3', columns: '3', includeHeaders: false };
        editor.dispatchCommand(INSERT_TABLE_COMMAND, size);
      }),
  },
  {
    name: () => t(/* a button above a text: noun */ 'richText.tool.link', 'Link'),
    Icon: Link,
    keys: `${MOD}+K`,
    opens: 'dialog',
    isOn: ({ link }) => link !== '',
    act: (editor, { link }) => editor.dispatchCommand(ASK_LINK, link),
  },
  {
    name: () => t(/* a button above a text */ 'richText.tool.formula', 'Formula'),
    Icon: Sigma,
    keys: `${MOD}+M`,
    opens: 'dialog',
    act: (editor) => askFormula(editor),
  },
];

const align = (to: 'left' | 'center' | 'right', name: () => string, Icon: LucideIcon): Tool => ({
  name,
  Icon,
  isOn: (place) => place.align === to,
  act: (editor) => editor.update(() => $alignColumn(to)),
});

/** More tools inside of a table. */
const TABLE_TOOLS: Tool[] = [
  {
    name: () => t(/* a button: changes a table */ 'richText.table.addRow', 'Add row below'),
    says: () => t('richText.table.rowAdded', 'Row added'),
    Icon: BetweenHorizontalEnd,
    act: (editor) => editor.update(() => $insertTableRowAtSelection(true)),
  },
  {
    name: () => t(/* a button: changes a table */ 'richText.table.addColumn', 'Add column after'),
    says: () => t('richText.table.columnAdded', 'Column added'),
    Icon: BetweenVerticalEnd,
    act: (editor) => editor.update(() => $insertTableColumnAtSelection(true)),
  },
  {
    name: () => t(/* a button: changes a table */ 'richText.table.deleteRow', 'Delete row'),
    says: () => t('richText.table.rowDeleted', 'Row deleted'),
    Icon: TableRowsSplit,
    act: (editor) => editor.update(() => $deleteTableRowAtSelection()),
  },
  {
    name: () => t(/* a button: changes a table */ 'richText.table.deleteColumn', 'Delete column'),
    says: () => t('richText.table.columnDeleted', 'Column deleted'),
    Icon: TableColumnsSplit,
    act: (editor) => editor.update(() => $deleteTableColumnAtSelection()),
  },
  align(
    'left',
    () => t(/* a button: changes a table */ 'richText.table.alignLeft', 'Align column left'),
    AlignLeft,
  ),
  align(
    'center',
    () => t(/* a button: changes a table */ 'richText.table.center', 'Center column'),
    AlignCenter,
  ),
  align(
    'right',
    () => t(/* a button: changes a table */ 'richText.table.alignRight', 'Align column right'),
    AlignRight,
  ),
];

/** Asks for a formula, which begins with the selected text. */
export function askFormula(editor: LexicalEditor): void {
  const tex = editor.getEditorState().read(() => $getSelection()?.getTextContent() ?? '');
  editor.dispatchCommand(ASK_FORMULA, { key: null, tex: tex.trim(), isDisplay: false });
}

/** Raises or lowers the selected text as the reader of HTML does: by its own signs, or else as a formula. */
function raise(isRaised: boolean): Tool['act'] {
  return (editor) => {
    const text = editor.getEditorState().read(() => $getSelection()?.getTextContent() ?? '');
    const sign = isRaised ? '^' : '_';
    if (text.trim() === '') {
      editor.dispatchCommand(ASK_FORMULA, { key: null, tex: `x${sign}{2}`, isDisplay: false });
      return;
    }
    editor.update(() => {
      const plain = raisedOrLowered(text, isRaised);
      const selection = $getSelection();
      if (plain === null) {
        const escaped = text.replace(/[#$%&_{}]/g, '\\$&');
        $insertNodes([$createFormulaNode(`${sign}{\\text{${escaped}}}`, false)]);
      } else if ($isRangeSelection(selection)) selection.insertText(plain);
    });
  };
}

/** The selected lines as code, or code as lines. */
function $toggleCode(): void {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return;
  const code = $codeAt();
  if (code !== null) {
    const line = $createParagraphNode().append(...code.getChildren());
    code.replace(line);
    line.selectEnd();
    return;
  }
  const text = selection.isCollapsed() ? '' : selection.getTextContent().replace(/\n{2,}/g, '\n');
  const made = $createCodeNode().append(...$linesOf(text));
  $openItem();
  $insertNodes([made]);
  made.selectEnd();
}

function $alignColumn(to: 'left' | 'center' | 'right'): void {
  const cell = $cellAt();
  const rows = cell?.getParent()?.getParent()?.getChildren() ?? [];
  for (const row of rows) {
    const other = $isTableRowNode(row)
      ? row.getChildAtIndex(cell?.getIndexWithinParent() ?? 0)
      : null;
    const line = $isTableCellNode(other) ? other.getFirstChild() : null;
    if ($isElementNode(line)) line.setFormat(line.getFormatType() === to ? '' : to);
  }
}

const BUTTON =
  'inline-grid size-8 flex-none place-items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:size-11 [&_svg]:size-4.5';

/** The part of a question whose text is formatted. */
export type FormattedText = 'question' | 'explanation' | 'options' | 'pairs';

const TOOLBAR_NAMES: Record<FormattedText, () => string> = {
  question: () =>
    t(/* buttons above a text */ 'richText.toolbar.question', 'Formatting of question'),
  explanation: () =>
    t(/* buttons above a text */ 'richText.toolbar.explanation', 'Formatting of explanation'),
  options: () => t(/* buttons above texts */ 'richText.toolbar.options', 'Formatting of options'),
  pairs: () =>
    t(
      /* buttons above texts, which are pairs to match */ 'richText.toolbar.pairs',
      'Formatting of pairs',
    ),
};

const IMAGES_NAMES: Record<FormattedText, () => string> = {
  question: () => t(/* files to be chosen */ 'richText.images.question', 'Images for question'),
  explanation: () =>
    t(/* files to be chosen */ 'richText.images.explanation', 'Images for explanation'),
  options: () => t(/* files to be chosen */ 'richText.images.options', 'Images for options'),
  pairs: () => t(/* files to be chosen */ 'richText.images.pairs', 'Images for pairs'),
};

const switched = (tool: string, isOn: boolean) =>
  isOn
    ? t(
        /* read out; {tool} is the name of a button, such as Bold */ 'richText.tool.on',
        '{tool} on',
        { tool },
      )
    : t(
        /* read out; {tool} is the name of a button, such as Bold */ 'richText.tool.off',
        '{tool} off',
        { tool },
      );

/** Buttons for the text of an editor, whose selection is kept. One tab stop, and Alt+F10 from the text. */
export function RichToolbar({
  editor,
  of,
  isInline = false,
  className = 'sticky top-[var(--editor-top,0px)] z-10 border-b border-line bg-surface px-1.5 py-1',
}: {
  /** null: no text was in focus yet */
  editor: LexicalEditor | null;
  of: FormattedText;
  /** Only what fits in a line. */
  isInline?: boolean;
  className?: string;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(0);
  const [said, setSaid] = useState('');
  const place = usePlace(editor);
  const tools = [
    ...TOOLS.filter(({ isBlock }) => !isInline || !isBlock),
    {
      name: () => t(/* a button above a text: inserts one */ 'portal.image', 'Image'),
      Icon: ImagePlus,
      act: () => picker.current?.click(),
    },
    ...(place.isInTable ? TABLE_TOOLS : []),
  ] satisfies Tool[];
  const at = Math.min(current, tools.length - 1);
  const focus = (index: number) => {
    setCurrent(index);
    bar.current?.querySelectorAll('button')[index]?.focus();
  };
  const backToText = () => editor?.getRootElement()?.focus({ preventScroll: true });
  const use = ({ name, act, isOn, says }: Tool) => {
    // Who came here by keys goes on in the text, too.
    backToText();
    editor?.focus(() => {
      act(editor, place);
      const sentence = isOn === undefined ? (says?.() ?? '') : switched(name(), !isOn(place));
      // The same sentence again is told only as another text.
      setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence));
    });
  };
  const enter = useEffectEvent(() => focus(at));
  useEffect(
    () =>
      editor?.registerCommand(
        KEY_DOWN_COMMAND,
        (event) => {
          if (event.key !== 'F10' || !event.altKey) return false;
          event.preventDefault();
          enter();
          return true;
        },
        COMMAND_PRIORITY_HIGH,
      ),
    [editor],
  );
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={TOOLBAR_NAMES[of]()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          // Back to the text, not out of the editor.
          event.stopPropagation();
          backToText();
        }
        const way = inlineArrow(event);
        if (way === null || event.altKey || event.target instanceof HTMLInputElement) return;
        event.preventDefault();
        focus((at + (way === 'forward' ? 1 : -1) + tools.length) % tools.length);
      }}
      className={`flex flex-wrap gap-0.5 ${className}`}
    >
      {tools.map((tool: Tool, index) => (
        <Tooltip
          key={tool.name()}
          text={tool.keys === undefined ? tool.name() : `${tool.name()} (${tool.keys})`}
          describes={false}
        >
          <button
            type="button"
            tabIndex={index === at ? 0 : -1}
            aria-label={tool.name()}
            aria-haspopup={tool.opens}
            aria-pressed={tool.isOn?.(place)}
            className={BUTTON}
            // The text keeps its selection.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => use(tool)}
          >
            <tool.Icon />
          </button>
        </Tooltip>
      ))}
      {place.language !== null && (
        <CodeLanguage
          value={place.language}
          onChange={(language) =>
            editor?.update(() => $codeAt()?.setLanguage(language), { tag: SKIP_DOM_SELECTION_TAG })
          }
        />
      )}
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml"
        aria-label={IMAGES_NAMES[of]()}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          editor?.dispatchCommand(DRAG_DROP_PASTE, files);
        }}
      />
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}

const LANGUAGES =
  'bash c cpp csharp css go haskell html java javascript json kotlin matlab php python r ruby rust scala sql swift typescript xml yaml'.split(
    ' ',
  );

/** The name above the code: a usual one from the list, or any other. */
function CodeLanguage({ value, onChange }: { value: string; onChange(language: string): void }) {
  const id = useId();
  return (
    <>
      <input
        type="text"
        aria-label={t(/* a programming language */ 'richText.codeLanguage', 'Language of the code')}
        placeholder={t(
          /* a programming language, in the empty field */ 'richText.codeLanguage.empty',
          'Language',
        )}
        list={id}
        value={value}
        onChange={({ target }) => onChange(target.value.replace(/[\s`]/g, ''))}
        className="w-28 rounded-md border border-line-2 px-2 text-sm"
      />
      <datalist id={id}>
        {LANGUAGES.map((language) => (
          <option key={language} value={language} />
        ))}
      </datalist>
    </>
  );
}

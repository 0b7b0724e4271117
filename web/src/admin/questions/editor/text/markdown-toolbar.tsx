import {
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
  Table,
} from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { modifierKey } from '../state/shortcuts.ts';
import { FormulaDialog } from './formula-dialog.tsx';
import { insertStored } from './insert-images.ts';
import { COMMANDS, type Command, run } from './text-commands.ts';

const MOD = modifierKey();

const BUTTONS: {
  name: string;
  Icon: LucideIcon;
  command: Command;
  keys?: string;
  /** Blocks have no place in an option's line. */
  isBlock?: true;
}[] = [
  { name: 'Bold', Icon: Bold, command: COMMANDS.bold, keys: `${MOD}+B` },
  { name: 'Italic', Icon: Italic, command: COMMANDS.italic, keys: `${MOD}+I` },
  { name: 'Code', Icon: Code, command: COMMANDS.code, keys: `${MOD}+E` },
  { name: 'Code block', Icon: SquareCode, command: COMMANDS.codeBlock, isBlock: true },
  { name: 'Bulleted list', Icon: List, command: COMMANDS.bullets, isBlock: true },
  { name: 'Numbered list', Icon: ListOrdered, command: COMMANDS.numbers, isBlock: true },
  { name: 'Table', Icon: Table, command: COMMANDS.table, isBlock: true },
  { name: 'Link', Icon: Link, command: COMMANDS.link, keys: `${MOD}+K` },
];

const BUTTON =
  'inline-grid size-8 flex-none place-items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink touch:size-11 [&_svg]:size-4.5';

/** The marks of Markdown on the text of `field`, its selection kept. One tab stop. */
export function MarkdownToolbar({
  field,
  label,
  inline = false,
  className = 'border-b border-line bg-surface px-1.5 py-1',
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  /** What it formats. */
  label: string;
  /** Only what fits in a line. */
  inline?: boolean;
  className?: string;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(0);
  const [uploading, setUploading] = useState(false);
  /** What was selected when the formula dialog was opened; `null`: it is closed. */
  const [formula, setFormula] = useState<string | null>(null);
  const shown = inline ? BUTTONS.filter(({ isBlock }) => !isBlock) : BUTTONS;
  const last = shown.length + 1;
  const apply = (command: Command) => {
    if (field.current !== null) run(field.current, command);
  };
  const upload = async (into: HTMLTextAreaElement, files: readonly File[]) => {
    setUploading(true);
    await insertStored(into, files);
    setUploading(false);
  };
  const focus = (index: number) => {
    setCurrent(index);
    bar.current?.querySelectorAll('button')[index]?.focus();
  };
  const buttonProps = (index: number) => ({
    type: 'button' as const,
    tabIndex: index === current ? 0 : -1,
    className: BUTTON,
    // The text keeps its selection.
    onPointerDown: (event: { preventDefault(): void }) => event.preventDefault(),
  });
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={`Formatting of ${label.toLowerCase()}`}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0 || event.altKey) return;
        event.preventDefault();
        focus((current + step + last + 1) % (last + 1));
      }}
      className={`flex flex-wrap gap-0.5 ${className}`}
    >
      {shown.map(({ name, Icon, command, keys }, index) => (
        <Tooltip
          key={name}
          text={keys === undefined ? name : `${name} (${keys})`}
          describes={false}
        >
          <button {...buttonProps(index)} aria-label={name} onClick={() => apply(command)}>
            <Icon />
          </button>
        </Tooltip>
      ))}
      <Tooltip text="Formula" describes={false}>
        <button
          {...buttonProps(last - 1)}
          aria-label="Formula"
          aria-haspopup="dialog"
          onClick={() => setFormula(selectedIn(field.current))}
        >
          <Sigma />
        </button>
      </Tooltip>
      <Tooltip text="Image: or paste or drop one into the text" describes={false}>
        <button {...buttonProps(last)} aria-label="Image" onClick={() => picker.current?.click()}>
          <ImagePlus />
        </button>
      </Tooltip>
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif,image/svg+xml"
        aria-label={`Images for ${label.toLowerCase()}`}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (field.current !== null) void upload(field.current, files);
        }}
      />
      {uploading && (
        <span role="status" className="self-center px-1 text-sm text-ink-2">
          Uploading…
        </span>
      )}
      {formula !== null && (
        <FormulaDialog
          selected={formula}
          onClose={() => setFormula(null)}
          onInsert={(command) => {
            setFormula(null);
            // Once the dialog has given the focus back.
            requestAnimationFrame(() => apply(command));
          }}
        />
      )}
    </div>
  );
}

function selectedIn(field: HTMLTextAreaElement | null): string {
  return field?.value.slice(field.selectionStart, field.selectionEnd) ?? '';
}

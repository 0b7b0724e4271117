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
import { modifierKey } from '../../../../lib/keys.ts';
import { Content } from '../../../../question-view/content.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { Tooltip } from '../../../../ui/tooltip.tsx';
import { storeImage } from '../../../data/questions.ts';
import { showFailure } from '../../../data/show-failure.ts';
import { COMMANDS, type Command, images, insertBlock, insertText, run } from './text-commands.ts';

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
  label: string;
  /** Only what fits in a line. */
  inline?: boolean;
  className?: string;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(0);
  const [uploading, setUploading] = useState(false);
  /** The text that was selected when the formula dialog was opened; `null`: it is closed. */
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

/** Stores images and puts those that were stored where the cursor is. */
export async function insertStored(
  field: HTMLTextAreaElement,
  files: readonly File[],
): Promise<void> {
  const hashes: string[] = [];
  for (const file of files) {
    try {
      hashes.push(await storeImage(file));
    } catch (error) {
      showFailure(`Failed to upload ${file.name || 'the image'}`, error);
    }
  }
  if (hashes.length > 0) run(field, images(hashes));
}

const COMMON = [
  ['Power and index', 'x^{2} + x_{1}'],
  ['Fraction', '\\frac{a}{b}'],
  ['Root', '\\sqrt{x}'],
  ['Sum', '\\sum_{i=1}^{n} i'],
  ['Integral', '\\int_{0}^{1} f(x)\\,dx'],
  ['Limit', '\\lim_{x \\to \\infty}'],
  ['Greek letters', '\\alpha, \\beta, \\pi, \\Omega'],
  ['Comparison', 'a \\le b \\ne c \\approx d'],
  ['Sets', 'x \\in A \\cup B'],
  ['Vector', '\\vec{v} \\cdot \\vec{w}'],
  ['Matrix', '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}'],
  ['Cases', '\\begin{cases} 1 & x > 0 \\\\ 0 & x \\le 0 \\end{cases}'],
  ['Text and units', '9.81\\ \\text{m/s}^{2}'],
  ['Arrow', 'A \\rightarrow B'],
] as const;

function FormulaDialog({
  selected,
  onClose,
  onInsert,
}: {
  selected: string;
  onClose(): void;
  onInsert(command: Command): void;
}) {
  const initial = selected.replaceAll('$', '').trim();
  const [tex, setTex] = useState(initial);
  const [display, setDisplay] = useState(selected.includes('$$'));
  const shown = tex.trim();
  const insert = () =>
    onInsert(display ? insertBlock(`$$\n${shown}\n$$`, '') : insertText(`$${shown}$`));
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Formula"
      description="In TeX. In a text it stands between dollar signs: $x^2$."
      unsaved={tex !== initial}
      footer={
        <>
          <span className="md:mr-auto">
            <Checkbox
              label="On a line of its own"
              checked={display}
              onChange={(event) => setDisplay(event.target.checked)}
            />
          </span>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" aria-disabled={shown === ''} onClick={insert}>
            Insert formula
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <TextArea
          label="TeX"
          data-autofocus=""
          rows={2}
          spellCheck={false}
          inputClassName="font-mono"
          value={tex}
          onChange={(event) => setTex(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || shown === '') return;
            event.preventDefault();
            insert();
          }}
        />
        <div
          role="status"
          aria-label="Result"
          className="grid min-h-18 place-items-center overflow-x-auto rounded-lg bg-sunken px-4 py-3 text-md"
        >
          {shown === '' ? (
            <span className="text-ink-3">The formula is shown here</span>
          ) : (
            <Content format="markdown" text={`$$\n${shown}\n$$`} />
          )}
        </div>
        <div className="grid gap-2">
          <h3>Common formulas</h3>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {COMMON.map(([name, source]) => (
              <li key={name}>
                <button
                  type="button"
                  onClick={() => setTex(tex.trim() === '' ? source : `${tex.trimEnd()} ${source}`)}
                  className="flex min-h-16 w-full items-center justify-between gap-3 rounded-lg border border-line-2 px-3 py-2 text-start transition-colors hover:border-line-strong hover:bg-hover"
                >
                  <span className="text-sm text-ink-2">{name}</span>
                  <span aria-hidden="true">
                    <Content format="markdown" inline text={`$${source}$`} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Dialog>
  );
}

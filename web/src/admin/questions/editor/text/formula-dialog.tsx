import { useState } from 'react';
import { Content } from '../../../../question-view/content.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../../ui/fields/checkbox.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { type Command, insertBlock, insertText } from './text-commands.ts';

/** Common TeX: what it is, and how it is written. */
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

/** Writes a formula with common TeX at hand and its result beside it. */
export function FormulaDialog({
  selected,
  onClose,
  onInsert,
}: {
  /** What is selected in the text and will be replaced. */
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

import { useState } from 'react';
import { Content } from '../../../../../question-view/content.tsx';
import { Button } from '../../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../../../ui/fields/checkbox.tsx';
import { TextArea } from '../../../../../ui/fields/text-area.tsx';

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

export interface Formula {
  tex: string;
  isDisplay: boolean;
}

/** Writes a formula in TeX, with a look at what it gives. */
export function FormulaDialog({
  initial,
  isNew,
  onClose,
  onDone,
}: {
  initial: Formula;
  isNew: boolean;
  onClose(): void;
  onDone(formula: Formula): void;
}) {
  const [tex, setTex] = useState(initial.tex);
  const [isDisplay, setDisplay] = useState(initial.isDisplay);
  const shown = tex.trim();
  const insert = () => onDone({ tex: shown, isDisplay });
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Formula"
      description="In TeX, without dollar signs."
      unsaved={tex !== initial.tex}
      footer={
        <>
          <span className="md:me-auto">
            <Checkbox
              label="On a line of its own"
              checked={isDisplay}
              onChange={(event) => setDisplay(event.target.checked)}
            />
          </span>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button variant="primary" aria-disabled={shown === ''} onClick={insert}>
            {isNew ? 'Insert formula' : 'Change formula'}
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
            // Not a key of the page, which does not see the closed dialog.
            event.stopPropagation();
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

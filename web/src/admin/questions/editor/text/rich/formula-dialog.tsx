import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { Content } from '../../../../../question-view/content.tsx';
import { Button } from '../../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../../../ui/fields/checkbox.tsx';
import { TextArea } from '../../../../../ui/fields/text-area.tsx';

const COMMON = [
  [() => t('richText.formula.power', 'Power and index'), 'x^{2} + x_{1}'],
  [() => t(/* a common formula */ 'richText.formula.fraction', 'Fraction'), '\\frac{a}{b}'],
  [() => t(/* a common formula: of a number */ 'richText.formula.root', 'Root'), '\\sqrt{x}'],
  [
    () => t(/* a common formula: of many terms */ 'richText.formula.sum', 'Sum'),
    '\\sum_{i=1}^{n} i',
  ],
  [
    () => t(/* a common formula */ 'richText.formula.integral', 'Integral'),
    '\\int_{0}^{1} f(x)\\,dx',
  ],
  [
    () => t(/* a common formula: of a function */ 'richText.formula.limit', 'Limit'),
    '\\lim_{x \\to \\infty}',
  ],
  [() => t('richText.formula.greek', 'Greek letters'), '\\alpha, \\beta, \\pi, \\Omega'],
  [
    () => t(/* a common formula */ 'richText.formula.comparison', 'Comparison'),
    'a \\le b \\ne c \\approx d',
  ],
  [
    () => t(/* a common formula: of elements */ 'richText.formula.sets', 'Sets'),
    'x \\in A \\cup B',
  ],
  [() => t(/* a common formula */ 'richText.formula.vector', 'Vector'), '\\vec{v} \\cdot \\vec{w}'],
  [
    () => t(/* a common formula */ 'richText.formula.matrix', 'Matrix'),
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
  ],
  [
    () =>
      t(
        /* a common formula: a formula with a value for each case */ 'richText.formula.cases',
        'Cases',
      ),
    '\\begin{cases} 1 & x > 0 \\\\ 0 & x \\le 0 \\end{cases}',
  ],
  [() => t('richText.formula.units', 'Text and units'), '9.81\\ \\text{m/s}^{2}'],
  [() => t(/* a common formula */ 'richText.formula.arrow', 'Arrow'), 'A \\rightarrow B'],
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
      title={t(/* the title of a dialog */ 'richText.formula', 'Formula')}
      description={t(
        /* how a formula is written */ 'richText.formula.hint',
        'In TeX, without dollar signs.',
      )}
      unsaved={tex !== initial.tex}
      footer={
        <>
          <span className="md:me-auto">
            <Checkbox
              label={t(/* said of a formula */ 'richText.formula.ownLine', 'On a line of its own')}
              checked={isDisplay}
              onChange={(event) => setDisplay(event.target.checked)}
            />
          </span>
          <DialogClose>
            <Button>
              {t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel')}
            </Button>
          </DialogClose>
          <Button variant="primary" aria-disabled={shown === ''} onClick={insert}>
            {isNew
              ? t(/* a button */ 'richText.formula.insert', 'Insert formula')
              : t(/* a button */ 'richText.formula.change', 'Change formula')}
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
          aria-label={t(/* the formula as it looks */ 'richText.formula.result', 'Result')}
          className="grid min-h-18 place-items-center overflow-x-auto rounded-lg bg-sunken px-4 py-3 text-md"
        >
          {shown === '' ? (
            <span className="text-ink-3">
              {t('richText.formula.none', 'The formula is shown here')}
            </span>
          ) : (
            <Content format="markdown" text={`$$\n${shown}\n$$`} />
          )}
        </div>
        <div className="grid gap-2">
          <h3>{t('richText.formula.common', 'Common formulas')}</h3>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {COMMON.map(([name, source]) => (
              <li key={source}>
                <button
                  type="button"
                  onClick={() => setTex(tex.trim() === '' ? source : `${tex.trimEnd()} ${source}`)}
                  className="flex min-h-16 w-full items-center justify-between gap-3 rounded-lg border border-line-2 px-3 py-2 text-start transition-colors hover:border-line-strong hover:bg-hover"
                >
                  <span className="text-sm text-ink-2">{name()}</span>
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

import { type FormulaPlace, formulasOf } from '@invigil/core/content/content-facts';
import { t } from '@invigil/core/texts/i18n';
import type { RefObject } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { type Command, formulaAsCode, formulaAsText, run } from './text-commands.ts';

/** More would be longer than the text. */
const SHOWN = 20;

/** Words without a command, or a word or a sign of programs without any sign of TeX: rather code or text. */
function isDoubtful({ tex }: FormulaPlace): boolean {
  if (/[\\{}]/.test(tex)) return false;
  return (
    /\p{L}{2}\S*\s+\p{L}{2}/u.test(tex) || (!/[\^_]/.test(tex) && /\p{L}{2}|["'#;:@$?]/u.test(tex))
  );
}

/** Lists the parts read as formulas, with a way out for code and amounts; open where one looks like them. */
export function TextFormulas({
  text,
  field,
}: {
  text: string;
  field: RefObject<HTMLTextAreaElement | null>;
}) {
  const formulas = formulasOf(text);
  if (formulas.length === 0) return null;
  const apply = (command: Command) => {
    if (field.current !== null) run(field.current, command);
  };
  const isOpen = formulas.some(isDoubtful);
  return (
    // The person opens and closes it until the answer to the question changes.
    <details key={String(isOpen)} open={isOpen} className="text-sm text-ink-2">
      <summary className="w-fit cursor-pointer rounded-sm">
        {t('richText.formulas', '{count, plural, one {# formula} other {# formulas}}', {
          count: formulas.length,
        })}
      </summary>
      <ul className="mt-1 grid gap-1">
        {formulas.slice(0, SHOWN).map((formula) => (
          <li key={formula.from} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <code className="min-w-0 rounded-sm bg-fill px-1 font-mono text-ink wrap-anywhere">
              {formula.tex}
            </code>
            <Button
              size="dense"
              aria-label={t(
                /* a button: instead of a formula */ 'richText.formula.showAsCode',
                'Show {tex} as code',
                { tex: formula.tex },
              )}
              onClick={() => apply(formulaAsCode(formula))}
            >
              {t(
                /* a button: shows a text as code instead of a formula */ 'richText.formula.asCode',
                'As code',
              )}
            </Button>
            <Button
              size="dense"
              aria-label={t(
                /* a button: instead of a formula */ 'richText.formula.showAsText',
                'Show {tex} as text',
                { tex: formula.tex },
              )}
              onClick={() => apply(formulaAsText(formula))}
            >
              {t(
                /* a button: shows a text as it is instead of a formula */ 'richText.formula.asText',
                'As text',
              )}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

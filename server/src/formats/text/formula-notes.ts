import { formulasOf } from '@invigil/core/content/content-facts';
import { TEX_OPTIONS, texProblem } from '@invigil/core/content/tex-problem';
import { t } from '@invigil/core/texts/i18n';
import katex from 'katex';
import 'katex/contrib/mhchem';
import { cut } from '../imported-file.ts';

const SHOWN_CHARACTERS = 60;
const SHOWN = 3;

/** Sentences about formulas of Markdown texts that candidates would see as their source. */
export function formulaProblems(texts: readonly string[]): string[] {
  return texts
    .flatMap(formulasOf)
    .map(({ tex }) => problemOf(tex))
    .filter((problem) => problem !== null);
}

function problemOf(tex: string): string | null {
  const problem = texProblem(tex);
  if (problem !== null) return problem;
  try {
    // Parses as the page does; only the reading matters here, and MathML needs no measures of fonts.
    katex.renderToString(tex, { ...TEX_OPTIONS, output: 'mathml' });
    return null;
  } catch {
    return t(
      /* {source} is TeX */ 'import.formulaUnread',
      'A formula cannot be read and is shown as its source: {source}',
      { source: cut(tex, SHOWN_CHARACTERS) },
    );
  }
}

/** Says which formulas were made of what a file has between dollars: it may be code, or amounts. */
export function madeFormulas(markdown: string): string[] {
  const made = formulasOf(markdown).filter(({ tex }) => problemOf(tex) === null);
  if (made.length === 0) return [];
  const shown = made.slice(0, SHOWN).map(({ tex }) => cut(tex, SHOWN_CHARACTERS));
  const more = made.length > SHOWN ? ' …' : '';
  return [
    t(
      /* {formulas} is TeX: the first of them */ 'import.formulasMade',
      '{count, plural, one {# formula was made of what is between dollar signs: {formulas}} other {# formulas were made of what is between dollar signs: {formulas}}}',
      { count: made.length, formulas: `${shown.join(', ')}${more}` },
    ),
  ];
}

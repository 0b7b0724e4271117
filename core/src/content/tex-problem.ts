import { t } from '../texts/i18n.ts';

/** Longer ones take KaTeX a noticeable time on a phone, and fit on no screen. */
const MAX_CHARACTERS = 2_000;
const MAX_COMMANDS = 500;
/** A matrix of 20 by 20 has 400. */
const MAX_CELLS = 500;
/** KaTeX limits what is larger, but not what is smaller than nothing. */
const MAX_EM = 20;

/** The options with which KaTeX reads a formula, here and on the page. */
export const TEX_OPTIONS = {
  throwOnError: true,
  trust: false,
  strict: 'ignore',
  maxSize: MAX_EM,
  maxExpand: MAX_COMMANDS,
} as const;

/**
 * Commands that define others: with them a formula of 100 characters becomes one of millions (KaTeX's own
 * limit counts steps).
 */
const DEFINES = new Set(
  'def gdef edef xdef let futurelet global long newcommand renewcommand providecommand'.split(' '),
);

/** The size of a unit in em, at KaTeX's ten points for one (the TeXbook, chapter 10). */
const EM_OF: Record<string, number> = {
  ...{ em: 1, ex: 0.431, mu: 1 / 18, pt: 0.1, px: 0.1, bp: 0.1, pc: 1.2, mm: 0.285, cm: 2.85 },
  ...{ in: 7.23, dd: 0.107, cc: 1.28, nd: 0.107, nc: 1.28, sp: 0 },
};

const COMMAND = /\\(?:([a-zA-Z@]+)|.)/gs;
// No digit can be read in two ways, or a long number would take minutes.
const SIZE = /(?<![\d.])[-+]?\s*(?:\d+(?:\.\d*)?|\.\d+)\s*([a-z]{2})/g;
/** The commands that take sizes, with their sizes. In other places "30 cm" is text. */
const SIZED = new RegExp(
  String.raw`\\(?:m?kern|[hm]skip|above|hspace\*?|raisebox|rule|genfrac(?:\s*\{[^{}]*\}){2}|(?:\\\*?|cr)(?=\s*\[))((?:[\s{}[\]]*${SIZE.source}){1,3})`,
  'g',
);

/**
 * Why a formula is not drawn but shown as its source: it could take a page's time, or cover what is around
 * it. `null`: it can be drawn, if KaTeX knows its commands. Linear in its length.
 */
export function texProblem(tex: string): string | null {
  if (tex.length > MAX_CHARACTERS) {
    return t(
      'formula.tooLong',
      '{max, plural, one {The formula is longer than # character.} other {The formula is longer than # characters.}}',
      { max: MAX_CHARACTERS },
    );
  }
  const source = tex.replace(/(?<!\\)%[^\n]*\n?/g, '');
  let commands = 0;
  // `@` begins an arrow of a commutative diagram, which is a cell too.
  let cells = source.match(/[&@]/g)?.length ?? 0;
  for (const [all, name] of source.matchAll(COMMAND)) {
    if (name !== undefined && DEFINES.has(name)) {
      return t(
        /* {command} is a command of TeX that defines another one: \\def */ 'formula.defines',
        'The formula uses {command}. Write out what it stands for.',
        { command: `\\${name}` },
      );
    }
    if (name !== undefined) commands += 1;
    if (all === '\\\\' || name === 'cr') cells += 1;
  }
  if (commands > MAX_COMMANDS) {
    return t(
      /* commands of TeX */ 'formula.tooManyCommands',
      '{max, plural, one {The formula has more than # command.} other {The formula has more than # commands.}}',
      { max: MAX_COMMANDS },
    );
  }
  if (cells > MAX_CELLS) {
    return t(
      /* of a matrix or table */ 'formula.tooManyCells',
      '{max, plural, one {The formula has more than # cell.} other {The formula has more than # cells.}}',
      { max: MAX_CELLS },
    );
  }
  for (const [, sizes = ''] of source.matchAll(SIZED)) {
    for (const [size, unit = ''] of sizes.replace(/\s/g, '').matchAll(SIZE)) {
      if (Math.abs(Number.parseFloat(size) * (EM_OF[unit] ?? 0)) > MAX_EM) {
        return t(
          /* {size} is a length in TeX such as 300pt; em is a unit of TeX */ 'formula.tooLarge',
          'The formula has a size of {size}. At most {max}em are drawn.',
          { size, max: MAX_EM },
        );
      }
    }
  }
  return null;
}

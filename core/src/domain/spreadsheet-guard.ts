/**
 * Spreadsheets run a cell that starts with one of these characters as a formula. Full-width ones are
 * read as the plain ones in East Asian locales; a leading NUL or line break is dropped by some, and the
 * rest is run (OWASP, CSV Injection). A leading apostrophe makes the cell text; the import removes
 * exactly one, so that a round trip gives the same text.
 */
const RUNS = /^[=+\-@\t\r\n\0'＝＋－＠]/;

/** A text that is safe in a CSV cell (product 8). */
export function guardCell(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

const GUARDS = /^'+(?=[=+\-@\t\r\n\0'＝＋－＠])/;

/** The text of a cell that was guarded any number of times. */
export const unguardAll = (cell: string): string => cell.replace(GUARDS, '');

/** The text of a guarded cell; a cell that was not guarded is returned unchanged. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && RUNS.test(cell.slice(1)) ? cell.slice(1) : cell;
}

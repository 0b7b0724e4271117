/**
 * Spreadsheets run a cell that starts with one of these signs as a formula. Full-width signs are read
 * as the plain ones in East Asian settings; a NUL or line break in front is dropped by some, and the
 * rest is run (OWASP, CSV Injection). One apostrophe in front makes it text; the import removes
 * exactly one, so that export then import gives the same text.
 */
const RUNS = /^[=+\-@\t\r\n\0'＝＋－＠]/;

/** A text as it may stand in a CSV cell (product 8). */
export function guardCell(text: string): string {
  return RUNS.test(text) ? `'${text}` : text;
}

/** The text behind a guarded cell; a cell that was not guarded stays as it is. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && RUNS.test(cell.slice(1)) ? cell.slice(1) : cell;
}

import { isEmailAddress } from './email-address.ts';

const SEPARATORS = ['\t', ';', ','] as const;
/** Characters that are looked at to see what separates cells. */
const LOOKED_AT = 20_000;

/** A row of a list, with its number in the file or in what was pasted, where blank rows count too. */
export interface NumberedRow {
  number: number;
  cells: string[];
}

/**
 * The rows of a list of people, as it was pasted or read from a text file; blank ones are left out. Cells are
 * separated by tabs, semicolons or commas: by what leaves most addresses alone in their cells, else by what
 * the first row has. A cell may be quoted; a quotation mark that opens no such cell is an ordinary character.
 */
export function peopleRows(text: string): NumberedRow[] {
  const plain = text.replace(/\r\n?/g, '\n');
  const start = plain.slice(0, LOOKED_AT);
  const scores = SEPARATORS.map((separator) => {
    const rows = rowsBetween(start, separator);
    const addresses = rows.filter((row) => row.some((cell) => isEmailAddress(cell.trim()))).length;
    const isInFirst = (rows[0]?.length ?? 0) > 1 ? 0.5 : 0;
    return { separator, score: addresses + isInFirst };
  });
  // The first wins a tie.
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  return rowsBetween(plain, best?.separator ?? '\t')
    .map((cells, i) => ({ number: i + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function rowsBetween(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const endOf = (from: number) => {
    let at = from;
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
    return at;
  };
  for (let at = 0; at <= text.length; at += 1) {
    const quoted = quotedAt(text, at, separator);
    const end = quoted?.end ?? endOf(at);
    row.push(quoted?.cell ?? text.slice(at, end));
    at = end;
    if (text[at] === separator) continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** A quoted cell that begins here; marks in it are doubled (RFC 4180). */
function quotedAt(text: string, start: number, separator: string) {
  let open = start;
  while (text[open] === ' ') open += 1;
  if (text[open] !== '"') return null;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0) return null;
  let end = close + 1;
  while (text[end] === ' ') end += 1;
  const isClosed = end >= text.length || text[end] === separator || text[end] === '\n';
  return isClosed ? { cell: text.slice(open + 1, close).replaceAll('""', '"'), end } : null;
}

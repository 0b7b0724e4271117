const TAB_SPACES = 4;

/** Line ends, and what keeps its lines: elements of code, other tags, formulas. */
const PIECES =
  /<pre\b[^<>]*>|<\/pre>|<br\s*\/?>[ \t]*(?:\n([ \t]*))?|<[a-z/!][^<>]*>|\\\[[\s\S]{0,2000}?\\\]|\\\([\s\S]{0,2000}?\\\)|\$\$[\s\S]{0,2000}?\$\$|\n([ \t]*)/gi;

/** HTML in which the lines of a text, and how far each is indented, are seen. A `<br>` ends its line. */
export function htmlWithLines(text: string): string {
  let isCode = false;
  return text.replace(PIECES, (piece: string, behindBreak?: string, indent?: string) => {
    if (/^<\/?pre/i.test(piece)) isCode = !piece.startsWith('</');
    const spaces = behindBreak ?? indent;
    return isCode || spaces === undefined ? piece : `<br>${visibleSpaces(spaces)}`;
  });
}

/** Spaces that neither HTML nor Markdown takes away. */
export function visibleSpaces(spaces: string): string {
  return spaces.replaceAll('\t', ' '.repeat(TAB_SPACES)).replaceAll(' ', '\u00a0');
}

/**
 * Turns protected spaces into plain ones, as a plain text needs no protection: the inverse of
 * `visibleSpaces`.
 */
export function plainSpaces(text: string): string {
  return text.replace(/(?<=\n)[ \u00a0]+|[ \u00a0]{2,}/g, (run) => ' '.repeat(run.length));
}

/** Removes blank lines around a text, and the indentation that all of its lines share. */
export function dedented(text: string): string {
  const lines = text
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return lines.map((line) => line.slice(shared)).join('\n');
}

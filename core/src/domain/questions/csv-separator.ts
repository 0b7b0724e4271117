/** Accepted separators between the fields of a question file. */
export const CSV_SEPARATORS = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/**
 * The separators by how often each occurs in the first line outside quotes, most frequent first. The
 * first breaks a tie between two that give equally many questions.
 *
 * @param text with `\n` as its line break
 */
export function separatorsByFirstLine(text: string): CsvSeparator[] {
  const line = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const uses = (separator: string) => line.split(separator).length;
  return [...CSV_SEPARATORS].sort((a, b) => uses(b) - uses(a));
}

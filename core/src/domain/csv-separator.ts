/** What may stand between the fields of a question file. */
export const CSV_SEPARATORS = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/**
 * The separators by how often each stands in the first line outside of quotes, the most frequent
 * first: where two of them make as many questions of a file, the first is what its writer meant.
 *
 * @param text with `\n` as its line break
 */
export function separatorsByFirstLine(text: string): CsvSeparator[] {
  const line = (text.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const uses = (separator: string) => line.split(separator).length;
  return [...CSV_SEPARATORS].sort((a, b) => uses(b) - uses(a));
}

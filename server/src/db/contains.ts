/**
 * The pattern of a `like` that finds a text anywhere in a lower-case column; `%`, `_` and `\` of the
 * text are plain characters (product 10).
 */
export function containsPattern(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

import { readableEmail } from '@invigil/core/domain/email-address';

/**
 * The pattern of a `like` that finds a text anywhere in a lower-case column; `%`, `_` and `\` of the
 * text are plain characters (product 10). An address is found in either spelling of its domain.
 */
export function containsPattern(search: string): string {
  return `%${readableEmail(search)
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`;
}

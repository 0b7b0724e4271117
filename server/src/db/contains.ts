import { readableEmail } from '@invigil/core/domain/email-address';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * That a column has a text anywhere, whatever the case of both (`fold_case` in the migrations): every search
 * asks so. `%`, `_` and `\` of the text are plain characters (product 10). An address is found in either
 * spelling of its domain.
 */
export const contains = (column: SQLWrapper, search: string): SQL =>
  sql`fold_case(${column}) like ${containsPattern(search)}`;

/** The pattern of `contains`, for a column that is folded already. */
export const containsPattern = (search: string): SQL => patternOf(`%${escaped(search)}%`);

/** The pattern of a `like` for what a folded column begins with. */
export const beginsPattern = (search: string): SQL => patternOf(`${escaped(search)}%`);

// Folded once, whatever the number of rows.
const patternOf = (pattern: string) => sql`(select fold_case(${pattern}::text))`;

const escaped = (search: string) =>
  readableEmail(search.normalize('NFC')).replace(/[\\%_]/g, '\\$&');

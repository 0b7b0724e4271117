import { readableEmail } from '@invigil/core/domain/email-address';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * That a column has each word of a search anywhere, in any order, whatever the case of both (`fold_case` in the
 * migrations): every search asks so. `%`, `_` and `\` of the words are plain characters (product 10). An address
 * is found in either spelling of its domain.
 */
export const contains = (column: SQLWrapper, search: string): SQL =>
  containsFolded(sql`fold_case(${column})`, search);

/** The same for a column that is folded already, such as an id. */
export const containsFolded = (folded: SQLWrapper, search: string): SQL =>
  sql`${folded} like all (${patternsOf(search, sql`fold_case`)})`;

/** The same for texts about people, in which accents do not count (`plain_letters` in the migrations). */
export const containsPlain = (plain: SQLWrapper, search: string): SQL =>
  sql`${plain} like all (${patternsOf(search, sql`plain_letters`)})`;

/** The pattern of a `like` for what a folded column begins with. */
export const beginsPattern = (search: string): SQL =>
  sql`(select fold_case(${`${escaped(search)}%`}::text))`;

// Folded once, whatever the number of rows.
function patternsOf(search: string, fold: SQL): SQL {
  const patterns = search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${escaped(word)}%`);
  return sql`array(select ${fold}(p) from unnest(${sql.param(patterns)}::text[]) p)`;
}

const escaped = (search: string) =>
  readableEmail(search.normalize('NFC')).replace(/[\\%_]/g, '\\$&');

import { readableEmail } from '@invigil/core/domain/email-address';
import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/**
 * That a column has each word of a search anywhere, in any order, whatever the case of both (`fold_case` in the
 * migrations). `%`, `_` and `\` of the words are plain characters (product 10). An address is found in either
 * spelling of its domain.
 */
export const contains = (column: SQLWrapper, search: string): SQL =>
  containsFolded(sql`fold_case(${column})`, search);

/** The same for a column that is folded already, such as an id. */
export const containsFolded = (folded: SQLWrapper, search: string): SQL =>
  // Folded once, whatever the number of rows.
  sql`${folded} like all (array(select fold_case(p) from unnest(${sql.param(patternsOf(search))}::text[]) p))`;

/**
 * The same for texts in which accents do not count, of people and questions, as `search_letters` in the migrations
 * makes them. An index finds them: each pattern is a constant to the planner, which so knows whether a word is rare or
 * so common that the first page of a list is read sooner in its order. Words of one or two letters of ASCII are in no
 * index; nearly every text has them.
 */
export const containsPlain = (letters: SQLWrapper, search: string): SQL =>
  and(...patternsOf(search).map((pattern) => sql`${letters} like search_letters(${pattern})`)) ??
  sql`true`;

/** The pattern of a `like` for what a folded column begins with. */
export const beginsPattern = (search: string): SQL =>
  sql`(select fold_case(${`${escaped(search)}%`}::text))`;

const patternsOf = (search: string): string[] =>
  search
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${escaped(word)}%`);

const escaped = (text: string) => readableEmail(text.normalize('NFC')).replace(/[\\%_]/g, '\\$&');

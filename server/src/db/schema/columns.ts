import { type AnyPgColumn, customType, timestamp, uuid } from 'drizzle-orm/pg-core';

/*
 * Wrong states are impossible here where SQL can say so, and indexes are made for a million
 * participants. Times are to the millisecond, like JavaScript's; no column has a default of now():
 * the service clock's time is always a parameter (product 4.1).
 */

export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** The row of another table that a row belongs to. */
export const idOf = (
  name: string,
  column: () => AnyPgColumn,
  actions?: Parameters<ReturnType<typeof uuid>['references']>[1],
) => uuid(name).notNull().references(column, actions);

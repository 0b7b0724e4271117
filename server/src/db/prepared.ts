import type { Queryable } from './database.ts';

const known = new WeakMap<object, Map<string, unknown>>();

/**
 * A statement that is built once per connection, and parsed and planned by the database once, for what
 * many people do in the same minute. Building it takes several times as long as running it.
 *
 * @param name unique to the statement, which the database identifies by it
 */
export function prepared<Statement>(
  db: Queryable,
  name: string,
  build: (db: Queryable) => { prepare(name: string): Statement },
): Statement {
  let statements = known.get(db);
  if (!statements) {
    statements = new Map();
    known.set(db, statements);
  }
  const found = statements.get(name);
  if (found !== undefined) return found as Statement;
  const made = build(db).prepare(name);
  statements.set(name, made);
  return made;
}

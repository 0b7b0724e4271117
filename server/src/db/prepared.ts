import type { Queryable } from './database.ts';

const known = new WeakMap<object, Map<string, unknown>>();

/**
 * A statement that is built once for each connection, and parsed and planned by the database once:
 * for what a hall of people does in the same minute. Built again at each call, a look at an attempt
 * costs several times what it costs to run.
 *
 * @param name of its own for each statement; the database knows it by this name
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

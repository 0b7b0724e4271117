#!/usr/bin/env node
/**
 * Refuses statements in migrations that lock a table for a time that grows with its size. All new
 * migrations run in one transaction while other processes serve requests
 * (server/src/db/upkeep/migrate.ts): every lock is held until its end, and every save waits behind it.
 *
 *   node scripts/migration-rules.mjs [folder]   exit 1 when a migration breaks a rule
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEntry, root } from './toolchain.mjs';

/** A name, quoted or not, with or without its schema. */
const NAME = String.raw`(?:"?public"?\.)?"?(\w+)"?`;

/**
 * Patterns of refused statements, in lowercase without comments and line breaks. The first group is the
 * table; tables that the same migration creates are empty, and exempt.
 *
 * @type {{ rule: string, pattern: RegExp, instead: string }[]}
 */
const RULES = [
  {
    rule: 'rows are rewritten in a migration',
    pattern: new RegExp(String.raw`\bupdate\s+(?:only\s+)?${NAME}\s+(?:as\s+)?(?:\w+\s+)?set\b`),
    instead: 'let code fill the column in batches (db/portions.ts shows how), null until then',
  },
  {
    rule: 'rows are deleted in a migration',
    pattern: new RegExp(String.raw`\bdelete\s+from\s+(?:only\s+)?${NAME}`),
    instead: 'delete in batches by code (db/portions.ts)',
  },
  {
    rule: 'a column changes its type, which rewrites the table',
    pattern: new RegExp(
      String.raw`^alter table (?:if exists )?(?:only )?${NAME} .*\balter (?:column )?"?\w+"? (?:set data )?type\b`,
    ),
    instead: 'add a column of the new type and fill it in batches',
  },
  {
    rule: 'a column gets a default that differs by row, which rewrites the table',
    pattern: new RegExp(
      String.raw`^alter table (?:if exists )?(?:only )?${NAME} .*\badd (?:column )?.*(?:\bdefault\s+\(?\s*(?:[a-z_.]+\(|current_|localtime)|\bgenerated\b|\b(?:small|big)?serial\b)`,
    ),
    instead: 'a constant default or null, and batches for the rest',
  },
  {
    rule: 'a column becomes not null, which reads the whole table under its lock',
    pattern: new RegExp(
      String.raw`^alter table (?:if exists )?(?:only )?${NAME} .*\bset not null\b`,
    ),
    instead: 'add a check "is not null" as not valid, and validate it in a later migration',
  },
  {
    rule: 'a constraint is checked against every row under the lock of the table',
    pattern: new RegExp(
      String.raw`^alter table (?:if exists )?(?:only )?${NAME} .*\badd (?:constraint "?\w+"? )?(?:check|foreign key|unique|primary key|exclude)\b(?!.*\bnot valid\b)`,
    ),
    instead: 'add it as not valid, and validate it in a later migration',
  },
  {
    rule: 'an index is built on a table that may be large, which blocks its writers',
    pattern: new RegExp(
      String.raw`^create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:"?\w+"? )?on (?:only )?${NAME}`,
    ),
    instead:
      'build it by code after the migrations, concurrently; a migration runs in a transaction, where that is impossible',
  },
  {
    rule: 'a table is locked or rewritten',
    pattern: new RegExp(
      String.raw`^(?:lock|cluster|vacuum|reindex)(?: \([^)]*\))?(?: (?:full|table|index))* ${NAME}`,
    ),
    instead: 'a job of the service',
  },
];

/** Tables with few rows on any installation; exempt. */
const SMALL = [
  'admins',
  'admin_totp',
  'admin_recovery_codes',
  'pending_sign_ins',
  'sign_in_policy',
  'categories',
  'quizzes',
  'quiz_policies',
  'smtp_settings',
  'audit_head',
  'live_turn',
  'live_frames',
  'key_check',
  'retention',
  'liveness',
  'erased_leftovers',
];

/** A reviewed exception: `-- large table: <why it is safe>` before the statement. */
const REVIEWED = /--\s*large table:\s*\S{3}/i;

/**
 * @param {string} folder of the migrations
 * @returns {string[]} what is refused
 */
export function checkMigrations(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  if (files.length === 0) return [`no migrations were found in ${folder}`];
  return files.flatMap((name) =>
    checkMigration(readFileSync(join(folder, name), 'utf8')).map(
      (problem) => `${name}: ${problem}`,
    ),
  );
}

/**
 * @param {string} text of one migration
 * @returns {string[]}
 */
export function checkMigration(text) {
  const statements = text.split(/--> statement-breakpoint|;/).map((source) => ({
    isReviewed: REVIEWED.test(source),
    sql: source
      .replace(/--.*$/gm, ' ')
      .replace(/\/\*[\s\S]*?\*\//g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase(),
  }));
  const made = statements.flatMap(
    ({ sql }) =>
      new RegExp(`^create (?:unlogged )?table (?:if not exists )?${NAME}`).exec(sql)?.[1] ?? [],
  );
  return statements
    .filter(({ isReviewed }) => !isReviewed)
    .flatMap(({ sql }) =>
      RULES.flatMap(({ rule, pattern, instead }) => {
        const table = pattern.exec(sql)?.[1];
        if (table === undefined || made.includes(table) || SMALL.includes(table)) return [];
        return [`${rule} (${table}). Instead: ${instead}.`];
      }),
    );
}

if (isEntry(import.meta.url)) {
  const problems = checkMigrations(process.argv[2] ?? join(root, 'server', 'migrations'));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

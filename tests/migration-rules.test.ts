import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkMigration, checkMigrations } from '../scripts/migration-rules.mjs';
import { root } from '../scripts/toolchain.mjs';

const OFFENSES: [statement: string, rule: RegExp][] = [
  ['UPDATE "participants" SET "camera_enabled" = true', /rows are rewritten .* \(participants\)/],
  ['update public.users u set email = null', /rows are rewritten .* \(users\)/],
  [
    'UPDATE "participants" SET "camera_enabled" = i."camera_enabled"\nFROM "invitations" i\nWHERE true',
    /rows are rewritten/,
  ],
  ['WITH x AS (SELECT 1) UPDATE answers SET revision = 1', /rows are rewritten .* \(answers\)/],
  ['DELETE FROM "sessions"', /rows are deleted .* \(sessions\)/],
  ['ALTER TABLE "answers" ALTER COLUMN "revision" SET DATA TYPE bigint', /changes its type/],
  ['ALTER TABLE answers ALTER revision TYPE bigint', /changes its type/],
  ['ALTER TABLE "users" ADD COLUMN "x" uuid DEFAULT gen_random_uuid() NOT NULL', /differs by row/],
  ['ALTER TABLE "users" ADD COLUMN "x" timestamptz DEFAULT now()', /differs by row/],
  ['ALTER TABLE "users" ADD COLUMN "x" timestamptz DEFAULT current_timestamp', /differs by row/],
  ['ALTER TABLE "users" ADD COLUMN "n" bigserial', /differs by row/],
  ['ALTER TABLE "users" ADD COLUMN "x" text GENERATED ALWAYS AS (lower(email)) STORED', /by row/],
  ['ALTER TABLE "participants" ALTER COLUMN "camera_enabled" SET NOT NULL', /becomes not null/],
  ['ALTER TABLE "answers" ADD CONSTRAINT "c" CHECK ("answers"."revision" > 0)', /every row/],
  [
    'ALTER TABLE "answers" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."users"("id")',
    /every row/,
  ],
  ['ALTER TABLE "answers" ADD CONSTRAINT "u" UNIQUE("id")', /every row/],
  ['CREATE INDEX "i" ON "answers" USING btree ("saved_at")', /an index is built .* \(answers\)/],
  ['CREATE UNIQUE INDEX CONCURRENTLY "i" ON "answers" ("id")', /an index is built/],
  ['LOCK TABLE answers', /locked or rewritten/],
  ['VACUUM (FULL) answers', /locked or rewritten/],
];

const ALLOWED = [
  'ALTER TABLE "participants" ADD COLUMN "x" boolean',
  `ALTER TABLE "participants" ADD COLUMN "x" text DEFAULT '' NOT NULL`,
  'ALTER TABLE "participants" ADD COLUMN "n" integer DEFAULT 0 NOT NULL',
  'ALTER TABLE "participants" DROP CONSTRAINT "c"',
  'ALTER TABLE "participants" ADD CONSTRAINT "c" CHECK (true) NOT VALID',
  'ALTER TABLE "answers" RENAME TO "responses"',
  'ALTER TABLE "quizzes" ALTER COLUMN "duration" SET DATA TYPE integer',
  'UPDATE "quizzes" SET "closing_mail" = false',
  'CREATE TABLE "n" ("id" uuid);--> statement-breakpoint\nCREATE INDEX "i" ON "n" ("id")',
  'CREATE TABLE "n" ("id" uuid);--> statement-breakpoint\nALTER TABLE "n" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "users"("id") ON UPDATE no action',
  '-- UPDATE "participants" SET "x" = 1 only in a comment.\nALTER TABLE "participants" ADD COLUMN "x" text',
  '-- large table: rows of the last day only, by an index\nDELETE FROM "sessions"',
];

describe('the rules of migrations', () => {
  test.each(OFFENSES)('refuse %s', (statement, rule) => {
    expect(checkMigration(statement)).toEqual([expect.stringMatching(rule)]);
    expect(checkMigration(`CREATE TABLE "n" ();--> statement-breakpoint\n${statement};`)).toEqual([
      expect.stringMatching(rule),
    ]);
  });

  test.each(ALLOWED)('allow %s', (statement) => {
    expect(checkMigration(statement)).toEqual([]);
  });

  test('are followed by the existing migrations', () => {
    expect(checkMigrations(join(root, 'server', 'migrations'))).toEqual([]);
  });

  test('name the file, and refuse a folder without migrations', () => {
    const folder = mkdtempSync(join(tmpdir(), 'invigil-migrations-'));
    expect(checkMigrations(folder)).toEqual([`no migrations were found in ${folder}`]);
    writeFileSync(join(folder, '0001_new.sql'), 'DELETE FROM "sessions"');
    expect(checkMigrations(folder)).toEqual([
      expect.stringMatching(/^0001_new\.sql: rows are deleted/),
    ]);
    rmSync(folder, { recursive: true });
  });
});

import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { uploadEvidence } from '@invigil/testkit/evidence';
import {
  mailServer,
  makeScoredQuiz,
  setUpAppWithAdmin,
  setUpTotp,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { getTableColumns, is, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { insideOf, type Queryable } from '../db/database.ts';
import * as assessments from '../db/schema/assessments.ts';
import * as attempts from '../db/schema/attempts.ts';
import * as installation from '../db/schema/installation.ts';
import * as invitations from '../db/schema/invitations.ts';
import * as mail from '../db/schema/mail.ts';
import * as monitoring from '../db/schema/monitoring.ts';
import * as sessions from '../db/schema/sessions.ts';
import * as signIn from '../db/schema/sign-in.ts';
import { inTransaction } from '../db/transaction.ts';
import { RESEALED_KINDS } from './row-kinds.ts';
import { isWhole, SESSIONS, walkRows } from './sealed-kinds.ts';
import { namesIn, type SealedName, TABLES } from './table-list.ts';

const SCHEMA = [
  ...[assessments, attempts, installation, invitations, mail, monitoring, sessions, signIn],
].flatMap((file) => Object.values(file).filter((value) => is(value, PgTable)));

const listed = (table: string): string[] => {
  const { sealed = ['', ''], derived = {}, open = {} } = TABLES[table] ?? {};
  const lists = [sealed.slice(1).join(' '), ...Object.keys(derived), ...Object.keys(open)];
  return lists.flatMap(namesIn);
};

describe('the list of tables', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });

  beforeAll(async () => {
    await setUpTotp(app, app.admin);
    const call = (name: Parameters<typeof app.call>[0], input: object) =>
      app.call(name, { as: app.admin, ...input });
    const quiz = await makeScoredQuiz(
      app,
      app.admin,
      ['One', 'Two', 'Three', 'Four'].map((text) => plainDefinition(text, ['a', 'b'], 'a')),
    );
    const params = { id: quiz.id };
    const passMark = { passMark: { percent: 50 }, sectionMarks: [], grades: [] };
    await call('setResultRules', { params, body: { rules: passMark, dryRun: false } });
    const parts = ['outcome', 'score', 'certificate'];
    const rules = { parts, when: { kind: 'by_hand' }, openDays: 30 };
    await call('setReleaseRules', { params, body: { rules } });
    const attempt = await sitScoredQuiz(app, app.admin, quiz, ['a', 'a', 'a', 'b']);
    await uploadEvidence(app, attempt);
    await attempt.submit();
    const verdict = { verdict: 'talk', note: 'Ask' };
    await call('giveVerdict', { params: { id: attempt.id }, body: verdict });
    const released = await call('releaseResults', { params, body: { ids: [attempt.id] } });
    expect(released.body.released).toBe(1);
    await call('putSmtpSettings', { body: mailServer(1, { isActive: false }) });
    const institution = { name: 'A school', timeZone: null, publicUrl: null };
    await call('putInstitution', { body: institution });
    await call('putRetention', { body: { days: 20 } });
    // Another attempt, in progress.
    await sitScoredQuiz(app, app.admin, quiz, ['a']);
  });

  it('names every column of the database, and of the schema, once and with a reason', async () => {
    const { rows } = await app.pool.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' order by 1, 2`,
    );
    const stored = Map.groupBy(rows, ({ table }) => table);
    expect(Object.keys(TABLES).sort()).toEqual([...stored.keys()].sort());
    for (const [table, columns] of stored) {
      const names = columns.map(({ column }) => column);
      expect([table, ...listed(table).sort()]).toEqual([table, ...names.sort()]);
      const { derived = {}, open = {} } = TABLES[table] ?? {};
      for (const reason of Object.values({ ...derived, ...open })) {
        expect(reason).toMatch(/\w+ \w+/);
      }
    }
    for (const table of SCHEMA) {
      const { name } = getTableConfig(table);
      const columns = Object.values(getTableColumns(table)).map((column) => column.name);
      expect([name, ...listed(name).sort()]).toEqual([name, ...columns.sort()]);
    }
  });

  /** Another value of a column, by its type. */
  const OTHER: Record<string, (column: string) => string> = {
    uuid: () => 'gen_random_uuid()',
    text: (column) => `coalesce(${column}, '') || 'x'`,
    smallint: (column) => `coalesce(${column}, 0) + 100`,
    integer: (column) => `coalesce(${column}, 0) + 1`,
    boolean: (column) => `not coalesce(${column}, false)`,
    'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 s'`,
    bytea: (column) => `coalesce(${column}, '\\x00') || '\\x01'`,
    jsonb: (column) =>
      column === 'sections' ? `'[{"title": "x", "from": 1, "points": 1}]'` : `'{"x": 1}'`,
    ARRAY: (column) =>
      `${column} || ${column === 'groups' || (column.endsWith('s') && column !== 'option_ids') ? `'{x}'::text[]` : `'{99}'::smallint[]`}`,
  };
  const ofEnded = `participant_id in (select id from participants where status <> 'in_progress')`;
  /** Which rows of a table have a seal. */
  const WHICH: Record<string, string> = {
    sessions: 'admin_id is not null and ended_at is null',
    participants: "status <> 'in_progress'",
    answers: ofEnded,
    paper_questions: ofEnded,
    question_versions: 'question_id in (select question_id from paper_questions)',
    admin_totp: 'confirmed_at is not null',
  };

  const kindOf = (name: SealedName) =>
    [...RESEALED_KINDS, SESSIONS].find((kind) => kind.name === name);

  async function countBroken(db: Queryable, name: SealedName): Promise<number> {
    const kind = kindOf(name);
    if (!kind) throw new Error(`no kind ${name}`);
    let broken = 0;
    for await (const rows of walkRows(db, kind)) {
      broken += rows.filter((row) => !isWhole(app.context.keys.integrity, kind, row)).length;
    }
    return broken;
  }

  class Undo extends Error {}

  // Checked at the sign-in alone, by attacks.test.ts.
  const sealedTables = Object.entries(TABLES).flatMap(([table, { sealed }]) =>
    sealed && sealed[0] !== 'pending_sign_in'
      ? [{ table, name: sealed[0], columns: sealed.slice(1).join(' ') }]
      : [],
  );

  it.each(sealedTables)('a change of each sealed column breaks the seal: $table', async (one) => {
    const { table, name, columns } = one;
    const { rows: types } = await app.pool.query<{ column: string; type: string }>(
      `select column_name as column, data_type as type from information_schema.columns
       where table_schema = 'public' and table_name = $1`,
      [table],
    );
    const typeOf = new Map(types.map(({ column, type }) => [column, type]));
    expect(await countBroken(app.context.db, name)).toBe(0);
    for (const column of namesIn(columns)) {
      let found = -1;
      await inTransaction(app.context.db, async (tx) => {
        // The constraints of the schema would refuse most changes.
        await tx.execute(sql`do $$ declare c record; begin
          for c in select conrelid::regclass as t, conname from pg_constraint k
            join pg_class r on r.oid = k.conrelid
            where r.relnamespace = 'public'::regnamespace and k.contype in ('c', 'f') loop
            execute format('alter table %s drop constraint %I', c.t, c.conname);
          end loop; end $$`);
        const value = OTHER[typeOf.get(column) ?? '']?.(column);
        const changed = await tx.execute(
          sql.raw(`update ${table} set ${column} = ${value} where ctid = (
            select ctid from ${table} where ${WHICH[table] ?? 'true'} limit 1)`),
        );
        expect([table, column, changed.rowCount]).toEqual([table, column, 1]);
        found = await countBroken(insideOf(tx), name);
        throw new Undo();
      }).catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
      expect([table, column, found > 0]).toEqual([table, column, true]);
    }
  });
});

import { readFileSync } from 'node:fs';
import { startTestApp } from '@invigil/testkit/app';
import { beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import { silentLog } from '@invigil/testkit/silent-log';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { openPool } from '../connection/pool.ts';
import { migrate } from './migrate.ts';

/** The statements of compose's database, under the test's own name and without psql commands. */
function statements(role: string): string[] {
  const file = readFileSync(
    new URL('../../../../deploy/database-role.sql', import.meta.url),
    'utf8',
  );
  return file
    .replace(/^(--|\\).*$/gm, '')
    .replace(/\binvigil\b/g, role)
    .replace(":'password'", "'a password'")
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

it('everything works as the unprivileged role of the compose file', async () => {
  const role = 'compose_role';
  const postgres = inject('postgres');
  const superuser = new pg.Client({ ...postgres, user: 'postgres', database: 'postgres' });
  await superuser.connect();
  for (const statement of statements(role)) await superuser.query(statement);

  const pool = openPool({ ...postgres, user: role, database: role }, silentLog);
  await migrate(pool, silentLog);
  const connection = { ...postgres, user: role, database: role };
  const app = await startTestApp({}, Promise.resolve({ pool, connection, stop: () => pool.end() }));
  try {
    app.startJobs();
    const attempt = await beginAttempt(app, await signInAdmin(app));
    expect(await attempt.submit()).toMatchObject({
      status: 200,
      body: { summary: { status: 'completed' } },
    });

    const rights = await pool.query(
      `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as more,
         (select array_agg(datname::text) from pg_database where datdba = r.oid) as owns,
         (select array_agg(datname::text) from pg_database
          where has_database_privilege(r.oid, oid, 'connect') and datallowconn
            and datname in ($1, 'postgres', 'template1')) as reaches
       from pg_roles r where rolname = current_user`,
      [role],
    );
    expect(rights.rows).toEqual([{ more: false, owns: [role], reaches: [role] }]);
    for (const attack of [
      "select pg_read_file('/etc/passwd')",
      "copy (select 1) to program 'true'",
      'create role another',
      'create database another',
      'create extension dblink',
      `alter role ${role} superuser`,
    ]) {
      await expect(pool.query(attack), attack).rejects.toThrow(/permission denied|not available/);
    }
  } finally {
    await app.stop();
    await superuser.end();
  }
});

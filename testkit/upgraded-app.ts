import { MIGRATIONS, migrate } from '../server/src/db/upkeep/migrate.ts';
import { extendSeals } from '../server/src/trust/extend-seals.ts';
import { sealAudit } from '../server/src/trust/seal-audit.ts';
import {
  verifyAssessments,
  verifyCredentials,
  verifyLog,
  verifyPeople,
  verifyQuestions,
  verifyResults,
  verifySettings,
} from '../server/src/trust/verify.ts';
import { startTestApp, startTestDatabase, type TestApp } from './app.ts';
import { silentLog } from './silent-log.ts';

export interface UpgradedApp {
  app: TestApp;
  /** Rows that are not in the database as they were written. */
  lost: string[];
}

/** All rows that a former version wrote, and the moment of the last one. */
export interface Written {
  at: string;
  tables: Record<string, object[]>;
}

/** An app that starts ten seconds later on the rows of a former version, which had the first of the migrations. */
export async function startUpgradedApp(
  written: Written,
  migrationsThen: number,
): Promise<UpgradedApp> {
  const database = await startTestDatabase();
  const { pool } = database;
  await pool.query('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await migrate(pool, silentLog, undefined, MIGRATIONS.slice(0, migrationsThen));
  const tables = Object.entries(written.tables);
  for (const [table, rows] of tables) {
    // Generated columns are not among the written ones.
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await pool.query(
      `insert into ${table} (${columns})
       select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
  await migrate(pool, silentLog);
  const lost: string[] = [];
  for (const [table, rows] of tables) {
    const { rows: now } = await pool.query(
      `select r from jsonb_array_elements($1) r where not exists (
         select from ${table} t where to_jsonb(t) @> jsonb_strip_nulls(r))`,
      [JSON.stringify(rows)],
    );
    lost.push(...now.map(({ r }) => `${table}: ${JSON.stringify(r)}`));
  }
  const app = await startTestApp({}, Promise.resolve(database));
  app.clock.advance({ ms: Date.parse(written.at) + 10_000 - app.clock.now().getTime() });
  // Every start does this.
  await extendSeals(app.context, app.clock.now());
  return { app, lost };
}

/** All data that is not as it was sealed. */
export async function findings(app: TestApp): Promise<string[]> {
  await sealAudit(app.context);
  const areas = [
    ...[verifyLog, verifyCredentials, verifySettings, verifyAssessments, verifyPeople],
    ...[verifyQuestions, verifyResults],
  ];
  const all = await Promise.all(areas.map((verify) => verify(app.context)));
  return all.flatMap((area) => area.findings);
}

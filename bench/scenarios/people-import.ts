import type { PersonOutcome } from '@invigil/core/contract/invitations/people';
import { readPeople, recognizeColumns } from '@invigil/core/domain/people';
import { peopleRows } from '@invigil/core/domain/people-text';
import type { HttpPerson } from '@invigil/testkit/http-person';
import { inRounds, ratio, sized } from '../benchmark.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

/*
 * A list of 10,000 people: read, reviewed (a dry run) and stored, as a page does, among 100,000 others. The
 * first time, the same list again, and one in which everyone changes; beside what PostgreSQL needs for as many
 * rows with one statement per thousand.
 */
const PEOPLE = sized(10_000, 50);
const OTHERS = sized(100_000, 200);
const ROUNDS = sized(5, 1);
const AT_ONCE = 1_000;

// Fifteen lists in a minute are more than one person's.
const SETTINGS = { database: 'embedded', env: { REQUEST_BUDGET: '1000' } } as const;

await scenario('people-import', SETTINGS, async (system) => {
  await system.postgres.query(`
    insert into users (id, email, given_name, family_name, external_id, groups, created_at)
    select gen_random_uuid(), 'other-' || i || '@example.org', 'Given ' || i % 997,
      'Family ' || i % 1999, 'other-' || i, array['Group ' || i % 40], now()
    from generate_series(1, ${OTHERS}) i`);
  await system.postgres.query('vacuum (analyze) users');
  const admin = await system.signIn();
  const medians = await inRounds(ROUNDS, async (round) => {
    const list = listOf(round, 'A');
    const { insert, update } = await withoutServer(system);
    const first = await importList(admin, list, 'added');
    const again = await importList(admin, list, 'unchanged');
    const changed = await importList(admin, listOf(round, 'B'), 'changed');
    await system.postgres.query('vacuum (analyze) users');
    return {
      'for the first time, s': rounded(first.seconds, 2),
      'rows inserted by PostgreSQL alone, s': rounded(insert, 2),
      'stored ÷ inserted': ratio(first.storeSeconds, insert),
      'the same again, s': rounded(again.seconds, 2),
      'everyone changes, s': rounded(changed.seconds, 2),
      'rows updated by PostgreSQL alone, s': rounded(update, 2),
      'stored ÷ updated': ratio(changed.storeSeconds, update),
    };
  });
  return {
    figures: [
      {
        name: `${PEOPLE} people for the first time, s`,
        value: medians['for the first time, s'],
        most: 10,
      },
      { name: 'the same list again, s', value: medians['the same again, s'], most: 10 },
      {
        name: 'a list in which everyone changes, s',
        value: medians['everyone changes, s'],
        most: 10,
      },
      {
        name: 'stored for the first time ÷ rows inserted by PostgreSQL alone',
        value: medians['stored ÷ inserted'],
        most: 5,
      },
      {
        name: 'everyone changed ÷ rows updated by PostgreSQL alone',
        value: medians['stored ÷ updated'],
        most: 5,
      },
    ],
  };
});

/** A list of people as a spreadsheet copies it. */
function listOf(round: number, version: string): string {
  const head = 'E-mail\tFirst name\tLast name\tStudent ID\tClass';
  const rows = Array.from({ length: PEOPLE }, (_, i) => {
    const [given, family] = [`Given ${version}${i % 997}`, `Family ${i % 1_999}`];
    return [`p${round}-${i}@example.org`, given, family, `N${round}-${i}`, `Class ${i % 40}`].join(
      '\t',
    );
  });
  return [head, ...rows].join('\n');
}

async function importList(admin: HttpPerson, text: string, expected: string) {
  const began = performance.now();
  const rows = peopleRows(text).map(({ cells }) => cells);
  const { columns } = recognizeColumns(rows);
  const people = readPeople(rows.slice(1), columns).map(
    ({ person: { extraTime: _, ...one } }) => one,
  );
  const send = async (dryRun: boolean) => {
    const body = { people, dryRun };
    const reply: { outcomes?: PersonOutcome[]; isStored?: boolean } = await admin.must(
      'importPeople',
      { body },
    );
    const isAsExpected = reply.outcomes?.every(({ status }) => status === expected);
    if (!isAsExpected || reply.isStored === dryRun) {
      throw new Error(`not imported: ${JSON.stringify(reply).slice(0, 500)}`);
    }
    return performance.now();
  };
  const reviewed = await send(true);
  const stored = await send(false);
  return { seconds: (stored - began) / 1_000, storeSeconds: (stored - reviewed) / 1_000 };
}

/** Seconds in which PostgreSQL inserts and updates as many rows; they are removed again. */
async function withoutServer({ postgres: { pool } }: LoadSystem) {
  const rows = Array.from({ length: PEOPLE }, (_, i) => i);
  const inPortions = async (statement: string) => {
    const began = performance.now();
    const client = await pool.connect();
    await client.query('begin');
    for (let from = 0; from < PEOPLE; from += AT_ONCE) {
      await client.query(statement, [rows.slice(from, from + AT_ONCE)]);
    }
    await client.query('commit');
    client.release();
    return (performance.now() - began) / 1_000;
  };
  const insert = await inPortions(`
    insert into users (id, email, given_name, family_name, external_id, groups, created_at)
    select gen_random_uuid(), 'plain-' || i || '@example.org', 'Given ' || i % 997,
      'Family ' || i % 1999, 'plain-' || i, array['Class ' || i % 40], now()
    from unnest($1::int[]) i`);
  const update = await inPortions(`
    update users set given_name = 'Other ' || i % 997, family_name = 'Family ' || i % 1999,
      external_id = 'plain-' || i, language = 'en', groups = array['Class ' || i % 40]
    from unnest($1::int[]) i where lower(email) = 'plain-' || i || '@example.org'`);
  await pool.query("delete from users where email like 'plain-%'");
  await pool.query('vacuum (analyze) users');
  return { insert, update };
}

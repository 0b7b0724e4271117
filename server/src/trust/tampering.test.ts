import { setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { sealAudit, verifyAudit } from './seal-audit.ts';

/** `npm run attacks` runs a thousand. */
const RUNS = inForm({ short: 25, long: 1_000 });
const SEED = Number(process.env.INVIGIL_FUZZ_SEED ?? 20_261_121);
const ENTRIES = 40;

const app = setUpApp();

beforeAll(async () => {
  const admin = await signInAdmin(app);
  for (let i = 1; i < ENTRIES; i += 1) {
    app.clock.advance({ seconds: 1 });
    await app.call('createCategory', { as: admin, body: { name: `C${i}` } });
  }
  await sealAudit(app.context);
  await app.pool.query('create table kept as select * from audit_entries');
  await app.pool.query('create table kept_head as select * from audit_head');
});
const restore = () =>
  app.pool.query(
    `truncate audit_entries, audit_head; insert into audit_entries select * from kept;
     insert into audit_head select * from kept_head`,
  );
const problem = async () => (await verifyAudit(app.context)).problem;

const EDITS = [
  "action = action || '.'",
  "at = at + interval '1 millisecond'",
  "at = at - interval '1 day'",
  'admin_id = null',
  'admin_id = gen_random_uuid()',
  "subject_type = coalesce(subject_type, '') || 'x'",
  'subject_id = gen_random_uuid()',
  "details = coalesce(details, '{}') || '{\"tampered\": 1}'",
  'id = gen_random_uuid()',
  'hash = set_byte(hash, 7, (get_byte(hash, 7) + 1) % 256)',
  'number = number + 1000',
  'number = null, hash = null',
] as const;

/** An action of an attacker who can write to the database and does not have the server's keys. */
const actions: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...EDITS), fc.integer({ min: 1, max: ENTRIES }))
    .map(([edit, n]) => `update audit_entries set ${edit} where number = ${n}`),
  fc.integer({ min: 1, max: ENTRIES }).map((n) => `delete from audit_entries where number = ${n}`),
  fc.tuple(fc.integer({ min: 1, max: ENTRIES }), fc.boolean()).map(([n, withHead]) => {
    const cut = `delete from audit_entries where number >= ${n}`;
    const moved = `update audit_head set number = ${n - 1},
        hash = coalesce((select hash from audit_entries where number = ${n - 1}), '\\x00')`;
    return withHead ? `${cut}; ${moved}` : cut;
  }),
  // Two entries are swapped: only their numbers, or with the hashes.
  fc
    .tuple(
      fc.integer({ min: 1, max: ENTRIES - 1 }),
      fc.integer({ min: 1, max: ENTRIES }),
      fc.boolean(),
    )
    .filter(([a, b]) => a !== b)
    .map(
      ([a, b, withHash]) => `
      create temp table swapped on commit drop as select id, number, hash from audit_entries where number in (${a}, ${b});
      update audit_entries set number = -number where number in (${a}, ${b});
      update audit_entries e set number = o.number${withHash ? ', hash = o.hash' : ''}
        from swapped s, swapped o where e.id = s.id and o.id <> s.id`,
    ),
  fc.constantFrom(
    'delete from audit_head',
    "update audit_head set seal = '\\x00'",
    'update audit_head set number = number - 1',
  ),
);

it('detects any edit, deletion, reordering or truncation of the sealed log', async () => {
  expect(await problem()).toBeNull();
  for (const action of fc.sample(actions, { numRuns: RUNS, seed: SEED })) {
    await app.pool.query(`begin; ${action}; commit`);
    expect([action, await problem()]).toEqual([action, expect.any(String)]);
    await restore();
  }
  expect(await problem()).toBeNull();
});

it.each([
  [
    'an action',
    "update audit_entries set action = 'quiz.edited' where number = 2",
    /^entry 2 .*was changed/,
  ],
  ['a removed entry', 'delete from audit_entries where number = 2', /^entry 2 is missing$/],
  [
    'two swapped entries',
    `update audit_entries set number = -1 where number = 2;
     update audit_entries set number = 2 where number = 3;
     update audit_entries set number = 3 where number = -1`,
    /^entry 2 /,
  ],
  [
    'the end cut off',
    'delete from audit_entries where number = 40',
    /^the chain ends at entry 39, but its head is number 40$/,
  ],
  [
    'a head made without the key',
    `delete from audit_entries where number > 2; update audit_head
     set number = 2, hash = (select hash from audit_entries where number = 2)`,
    /^the head of the chain is not genuine$/,
  ],
  ['no head', 'delete from audit_head', /^the head of the chain is missing$/],
])('names what was changed: %s', async (_, statement, named) => {
  await app.pool.query(statement);
  const found = await problem();
  await restore();
  expect(found).toMatch(named);
});

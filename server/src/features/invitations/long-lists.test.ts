import { setUpAppWithAdmin } from '@invigil/testkit/factories';
import { longestBlock } from '@invigil/testkit/longest-block';
import { expect, it } from 'vitest';

const app = setUpAppWithAdmin();

const people = (name: string) =>
  Array.from({ length: 10_000 }, (_, i) => ({
    email: `${name}.${i}@example.org`,
    givenName: `Given ${i}`,
    familyName: `Family Name ${i}`,
    externalId: `${name}-${i}`,
    groups: ['Year 10', 'Class 2A'],
    language: 'en',
  }));
const send = (body: object) => app.call('importPeople', { as: app.admin, body });

it('imports ten thousand people, and keeps nobody else waiting for it', async () => {
  const list = people('a');
  for (const [dryRun, given] of [
    [true, list],
    [false, list],
    [false, list.map((person) => ({ ...person, groups: ['Year 11'] }))],
  ] as const) {
    let status = 0;
    const ms = await longestBlock(async () => {
      ({ status } = await send({ people: given, dryRun }));
    });
    expect(status).toBe(200);
    // The list took over 250 ms in one piece.
    expect(ms).toBeLessThan(120);
  }
});

it('looks at no element of a list that is too long, and names the place of one that is wrong', async () => {
  const many = Array.from({ length: 200_000 }, () => ({}));
  const ms = await longestBlock(async () => {
    const { status, body } = await send({ people: many, dryRun: true });
    expect([status, body.issues]).toEqual([
      400,
      [{ path: 'people', message: 'At most 10,000 people at a time' }],
    ]);
  });
  expect(ms).toBeLessThan(250);
  const list = people('b').slice(0, 1_000);
  const wrong = list.map((person, i) => (i === 500 ? { ...person, givenName: 7 } : person));
  const { status, body } = await send({ people: wrong, dryRun: true });
  expect([status, body.code, body.issues.map(({ path }: { path: string }) => path)]).toEqual([
    ...[400, 'INVALID_INPUT'],
    ['people.500.givenName'],
  ]);
  const bare = list.map(({ email }) => ({ email: ` ${email} `, groups: ['A', ' A ', 'B'] }));
  expect((await send({ people: bare, dryRun: false })).body.isStored).toBe(true);
  const { rows } = await app.pool.query(`select groups from users where email like 'b.%' limit 1`);
  expect(rows).toEqual([{ groups: ['A', 'B'] }]);
  const missing = await send({ people: list });
  expect(missing.body.issues.map(({ path }: { path: string }) => path)).toEqual(['dryRun']);
});

import { makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { beforeAll, describe, expect, it } from 'vitest';

/** More than a search collects beforehand, so that both of its strategies are used. */
const MANY = 1_100;

describe('a search among many attempts', () => {
  const app = setUpAppWithAdmin();
  let ids: string[];

  beforeAll(async () => {
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const base = app.clock.now().getTime();
    ids = await storeAttempts(
      app,
      id,
      Array.from({ length: MANY }, (_, i) => ({
        email: `p${String(i).padStart(4, '0')}@cafe.example.org`,
        startedAt: new Date(base - i * 1_000),
        ...(i < 2 ? { endedAfter: 1, replaced: i === 1 } : {}),
      })),
    );
  });
  const find = async (search: string, offset = 0) => {
    const query = { search, limit: 5, offset };
    const reply = await app.call('listParticipants', { as: app.admin, query });
    const rows = reply.body as { id: string; userEmail: string }[];
    return { total: Number(reply.headers['x-total-count']), rows };
  };
  /** The replaced one is not listed. */
  const listed = MANY - 1;

  it('finds all by a part of every address or id, on the first page and the last', async () => {
    for (const search of ['example.org', 'EXAMPLE', 'cafe', '-', '7']) {
      const first = await find(search);
      expect(first.total).toBe(listed);
      expect(first.rows.map((row) => row.userEmail.slice(0, 5))).toEqual([
        'p0000',
        'p0002',
        'p0003',
        'p0004',
        'p0005',
      ]);
      const last = await find(search, listed - 2);
      expect(last.rows.map((row) => row.userEmail.slice(0, 5))).toEqual(['p1098', 'p1099']);
    }
  });

  it('finds a few by part of the address', async () => {
    const { total, rows } = await find('p042');
    expect(total).toBe(10);
    expect(rows[0]?.userEmail).toBe('p0420@cafe.example.org');
  });

  it('finds one by the end of its id in either case, but not a replaced one', async () => {
    const one = ids[500] ?? '';
    for (const search of [one.slice(-8), one.slice(-12).toUpperCase(), one]) {
      expect(await find(search)).toMatchObject({ total: 1, rows: [{ id: one }] });
    }
    expect(await find(ids[1] ?? '')).toEqual({ total: 0, rows: [] });
  });

  it('finds matches of address and of id together', async () => {
    const digits = '0042';
    const expected = ids.filter(
      (id, i) => i !== 1 && (id.includes(digits) || String(i).padStart(4, '0').includes(digits)),
    );
    expect((await find(digits)).total).toBe(expected.length);
  });

  it('finds nothing without a match', async () => {
    expect(await find('nobody')).toEqual({ total: 0, rows: [] });
    expect(await find('%')).toEqual({ total: 0, rows: [] });
  });
});

import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { type StoredAttempt, storeAttempts } from '@invigil/testkit/stored';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';

interface Row {
  id: string;
  userId: string;
  quizId: string;
  userEmail: string;
  quizTitle: string;
  status: string;
  score: number | null;
  totalMarks: number;
  violationCount: number;
  timeSpent: number;
  startedAt: string;
  submittedAt: string | null;
  submissionType: string | null;
}

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

/** Attempts with varied values and many ties; the same in every run. */
function variedAttempts(base: Date, n: number): StoredAttempt[] {
  return Array.from({ length: n }, (_, i) => ({
    email: `p${String((i * 37) % 100).padStart(3, '0')}@example.org`,
    startedAt: new Date(base.getTime() - ((i * 53) % 40) * 60_000),
    endedAfter: i % 4 === 0 ? null : ((i * 29) % 17) * 60 + (i % 3),
    status: i % 7 === 1 ? ('dismissed' as const) : ('completed' as const),
    submissionType: i % 5 === 1 ? ('auto' as const) : ('manual' as const),
    score: (i * 13) % 11,
    totalMarks: 10 + (i % 2) * 10,
    countedViolations: i % 3,
    violationCalls: i % 4,
  }));
}

describe('the list of participants', () => {
  const app = setUpAppWithAdmin();
  let quizzes: { id: string; title: string }[];
  let all: Row[];
  let replaced: string;

  beforeAll(async () => {
    quizzes = [];
    for (const title of ['Networks', 'algebra']) {
      const { id } = await makeQuiz(app, app.admin, { title, questions: [] });
      quizzes.push({ id, title });
    }
    const base = app.clock.now();
    await storeAttempts(app, quizzes[0]?.id ?? '', variedAttempts(base, 60));
    await storeAttempts(app, quizzes[1]?.id ?? '', [
      ...variedAttempts(base, 25),
      { email: 'a%b@example.org', startedAt: base },
      { email: 'a_b@example.org', startedAt: base, endedAfter: 10 },
      { email: 'axb@example.org', startedAt: base },
      { email: 'a\\b@example.org', startedAt: base },
    ]);
    [replaced = ''] = await storeAttempts(app, quizzes[0]?.id ?? '', [
      { email: 'again@example.org', startedAt: base, endedAfter: 60, replaced: true },
      { email: 'again@example.org', startedAt: base, endedAfter: 60 },
    ]);
    all = await rowsFromTables();
  });

  /** The list computed from the tables, without the list's own SQL. */
  async function rowsFromTables(): Promise<Row[]> {
    const { rows } = await app.pool.query(
      `select p.*, u.email, q.title from participants p, users u, quizzes q
       where u.id = p.user_id and q.id = p.quiz_id and p.replaced_at is null`,
    );
    const now = app.clock.now().getTime();
    return rows.map((r) => ({
      id: r.id,
      userId: r.user_id,
      quizId: r.quiz_id,
      userEmail: r.email,
      quizTitle: r.title,
      status: r.status,
      score: r.score,
      totalMarks: r.total_marks,
      violationCount: Math.max(r.counted_violations, r.violation_calls),
      timeSpent: Math.floor(((r.submitted_at?.getTime() ?? now) - r.started_at.getTime()) / 1_000),
      startedAt: r.started_at.toISOString(),
      submittedAt: r.submitted_at?.toISOString() ?? null,
      submissionType: r.submission_type,
    }));
  }

  const list = (query: Record<string, string | number> = {}) =>
    app.call('listParticipants', { as: app.admin, query });
  const ids = (rows: { id: string }[]) => rows.map((r) => r.id);

  it('is empty for unknown ids', async () => {
    const noVersion = '11111111-1111-1111-1111-111111111111';
    const queries = [{ quizId: UNKNOWN }, { userId: UNKNOWN }, { quizId: noVersion }];
    for (const query of queries as Record<string, string>[]) {
      const reply = await list(query);
      expect(reply).toMatchObject({ status: 200, body: [] });
      expect(reply.headers['x-total-count']).toBe('0');
    }
  });

  it('begins with the newest start, ties ordered by id, and has the total', async () => {
    const reply = await list();
    const expected = all.toSorted(
      (a, b) => b.startedAt.localeCompare(a.startedAt) || (a.id < b.id ? 1 : -1),
    );
    expect(reply.headers['x-total-count']).toBe(String(all.length));
    expect(ids(reply.body)).toEqual(ids(expected));
    expect(reply.body).toMatchObject(expected);
  });

  it('shows no score and no end of attempts in progress, and their time spent so far', async () => {
    const { body } = await list({ status: 'in_progress' });
    expect(body.length).toBeGreaterThan(10);
    for (const row of body) {
      expect(row).toMatchObject({ score: null, submittedAt: null, submissionType: null });
    }
    const before = body[0].timeSpent;
    app.clock.advance({ seconds: 90 });
    const later = await list({ status: 'in_progress' });
    expect(later.body[0].timeSpent).toBe(before + 90);
    all = await rowsFromTables();
  });

  it('leaves replaced attempts out of the list, and shows one by its id', async () => {
    expect(ids((await list()).body)).not.toContain(replaced);
    expect((await list({ search: 'again@' })).headers['x-total-count']).toBe('1');
    const one = await app.call('getParticipant', { as: app.admin, params: { id: replaced } });
    expect(one).toMatchObject({ status: 200, body: { id: replaced, attempt: 1 } });
    const unknown = await app.call('getParticipant', { as: app.admin, params: { id: UNKNOWN } });
    expect(unknown.status).toBe(404);
  });

  it('searches for %, _ and a backslash literally', async () => {
    const found = async (search: string) =>
      (await list({ search })).body.map((r: Row) => r.userEmail).sort();
    expect(await found('a%b')).toEqual(['a%b@example.org']);
    expect(await found('a_b')).toEqual(['a_b@example.org']);
    expect(await found('a\\b')).toEqual(['a\\b@example.org']);
    expect(await found('axb')).toEqual(['axb@example.org']);
    expect(await found('%')).toEqual(['a%b@example.org']);
    expect(await found("'")).toEqual([]);
    expect(await found('A%B@EXAMPLE')).toEqual(['a%b@example.org']);
    const total = (await list({ search: ' ' })).headers['x-total-count'];
    expect(total).toBe(String(all.length));
  });

  it('finds by ids in upper case too', async () => {
    const { body } = await list({ quizId: quizzes[1]?.id.toUpperCase() ?? '' });
    expect(body).toHaveLength(29);
    const one = await app.call('getParticipant', {
      as: app.admin,
      params: { id: all[0]?.id.toUpperCase() ?? '' },
    });
    expect(one.body.id).toBe(all[0]?.id);
  });

  it('equals a recomputation for any filter, order and page', async () => {
    const sorts = [
      'startedAt',
      'submittedAt',
      'userEmail',
      'userName',
      'quizTitle',
      'score',
      'status',
      'timeSpent',
      'violationCount',
    ] as const;
    const query = fc.record({
      quizId: fc.option(fc.nat(1), { nil: undefined }),
      status: fc.option(fc.constantFrom('in_progress', 'completed', 'dismissed'), {
        nil: undefined,
      }),
      search: fc.constantFrom(undefined, 'p00', '1@', 'EXAMPLE', 'a_b', 'nobody'),
      sort: fc.constantFrom(...sorts),
      order: fc.constantFrom(undefined, 'asc', 'desc'),
      limit: fc.integer({ min: 1, max: 40 }),
      offset: fc.nat(90),
    });
    const { compare } = new Intl.Collator('und');
    const sortValue = (row: Row, key: (typeof sorts)[number]) => {
      // No one here has a name.
      const value = row[key === 'userName' ? 'userEmail' : key];
      return typeof value === 'string' ? value.toLowerCase() : value;
    };
    await fc.assert(
      fc.asyncProperty(query, async ({ quizId, status, search, sort, order, limit, offset }) => {
        const quiz = quizId === undefined ? undefined : quizzes[quizId]?.id;
        const reply = await list(
          Object.fromEntries(
            Object.entries({ quizId: quiz, status, search, sort, order, limit, offset }).filter(
              (entry): entry is [string, string | number] => entry[1] !== undefined,
            ),
          ),
        );
        const ascending = (order ?? (sort === 'startedAt' ? 'desc' : 'asc')) === 'asc';
        const expected = all
          .filter((r) => quiz === undefined || r.quizId === quiz)
          .filter((r) => status === undefined || r.status === status)
          .filter((r) => search === undefined || r.userEmail.includes(search.toLowerCase()))
          .toSorted((a, b) => {
            // Null sorts first, before 0 and before any text.
            const [x, y] = [sortValue(a, sort) ?? null, sortValue(b, sort) ?? null];
            const [p, q] = x === y ? [a.id, b.id] : [x, y];
            const isBefore = (p: string | number, q: string | number) =>
              sort === 'userName' && x !== y ? compare(String(p), String(q)) < 0 : p < q;
            const isLower = p === null || (q !== null && isBefore(p, q));
            return (isLower ? -1 : 1) * (ascending ? 1 : -1);
          });
        expect(reply.headers['x-total-count']).toBe(String(expected.length));
        expect(ids(reply.body)).toEqual(ids(expected.slice(offset, offset + limit)));
      }),
      { numRuns: 80 },
    );
  });

  it('keeps its pages stable while rows arrive, when requested as of a moment', async () => {
    const asOf = app.clock.now().toISOString();
    const total = all.length;
    const seen: string[] = [];
    for (let offset = 0; offset < total; offset += 20) {
      const page = await list({ asOf, limit: 20, offset });
      expect(page.headers['x-total-count']).toBe(String(total));
      seen.push(...ids(page.body));
      app.clock.advance({ ms: 1 });
      await storeAttempts(app, quizzes[0]?.id ?? '', [
        { email: `new${offset}@example.org`, startedAt: app.clock.now() },
      ]);
    }
    expect([...seen].sort()).toEqual(ids(all).sort());
    expect((await list()).headers['x-total-count']).toBe(String(total + Math.ceil(total / 20)));
  });

  it('has at most 1,000 rows without a limit, and the rest on further pages', async () => {
    const { id } = await makeQuiz(app, app.admin, { title: 'Large', questions: [] });
    await storeAttempts(
      app,
      id,
      Array.from({ length: 1_100 }, (_, i) => ({
        email: `large${i}@example.org`,
        startedAt: new Date(app.clock.now().getTime() - i),
      })),
    );
    const first = await list({ quizId: id });
    expect(first.body).toHaveLength(1_000);
    expect(first.headers['x-total-count']).toBe('1100');
    const rest = await list({ quizId: id, offset: 1_000 });
    expect(rest.body).toHaveLength(100);
    expect(new Set(ids([...first.body, ...rest.body])).size).toBe(1_100);
    expect((await list({ quizId: id, offset: 1_100 })).body).toEqual([]);
  });

  it('shows a candidate only their own row, without score and marks', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const one = await inviteCandidate(app, app.admin, quiz.id, 'one@example.org');
    await inviteCandidate(app, app.admin, quiz.id, 'two@example.org');
    await app.call('startParticipant', { as: one.cookie, body: {} });
    const mine = (query: Record<string, string>) =>
      app.call('listParticipants', { as: one.cookie, query });
    const reply = await mine({ userId: one.userId, quizId: quiz.id });
    expect(reply.body).toHaveLength(1);
    expect(reply.body[0]).toMatchObject({
      userId: one.userId,
      quizId: quiz.id,
      status: 'in_progress',
      submittedAt: null,
      submissionType: null,
      timeSpent: 0,
    });
    expect(reply.text).not.toMatch(/score|totalMarks|userEmail/);
    expect(reply.headers).not.toHaveProperty('x-total-count');
    expect((await mine({ search: 'two@', limit: '1000' })).body).toHaveLength(1);
    expect((await mine({ userId: UNKNOWN })).body).toEqual([]);
  });
});

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

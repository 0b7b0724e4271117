import type { Reply } from '@invigil/testkit/app';
import {
  ADMIN,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  setUpTotp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import argon2 from '@node-rs/argon2';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

/** `npm run attacks` plays all of it. */
const WRONG_CODES = inForm({ short: 100, long: 10_000 });
/** Sign-ins that are timed per kind of account. */
const TIMED = 150;
/** How far apart two kinds may be; the standard error is about 0.41 / sqrt(n). */
const FAR = 0.15;

const WRONG_CODE = 'AAAAA-BBBBB-CCCCC';

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
};

/** How often a value of `a` exceeds one of `b`, ties half: 0.5 for equal distributions (Mann-Whitney). */
function shareAbove(a: number[], b: number[]): number {
  let above = 0;
  for (const x of a) for (const y of b) above += x > y ? 1 : x === y ? 0.5 : 0;
  return above / (a.length * b.length);
}

/** The text of a query, however it was called. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return (statement as { text?: string }).text ?? '';
}

describe('guessing', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
  });
  beforeEach(async () => {
    await app.pool.query('delete from sign_in_failures');
  });

  const newEmail = () => {
    n += 1;
    return `guessed-${n}@example.org`;
  };
  const login = (email: string, password: string, address: string) =>
    app.call('login', { body: { email, password }, address });

  it('never locks out the right code by wrong ones, from one address or many', async () => {
    const email = newEmail();
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const candidates = newAddress();
    let wrong = 0;
    while (wrong < WRONG_CODES) {
      const guesses = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          login(
            email,
            `AAAAA-BBBBB-CC${String(wrong + i)
              .padStart(3, 'A')
              .slice(-3)
              .replace(/[01]/g, 'Z')}`,
            i % 2 === 0 ? candidates : newAddress(),
          ),
        ),
      );
      wrong += guesses.length;
      for (const { status } of guesses) expect([401, 429]).toContain(status);
      expect((await login(email, code, candidates)).status).toBe(200);
    }
    expect((await login(email, code, newAddress())).status).toBe(200);
  });

  it('of one account locks out none of 300 candidates behind the same address', async () => {
    const emails = Array.from({ length: 300 }, newEmail);
    const codes = await inviteForCodes(app, app.admin, quiz.id, emails);
    const candidates = newAddress();
    const statuses = new Map<number, number>();
    for (let from = 0; from < 300; from += 20) {
      const attacks = [
        login(ADMIN.email, 'wrong password!', candidates),
        login(emails[0] ?? '', WRONG_CODE, candidates),
        login('unknown@example.org', WRONG_CODE, candidates),
      ];
      const batch = emails.slice(from, from + 20);
      const replies = await Promise.all(
        batch.map((email, i) => login(email, codes[from + i] ?? '', candidates)),
      );
      for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Promise.all(attacks);
      app.clock.advance({ seconds: 4 });
    }
    expect([...statuses]).toEqual([[200, 300]]);
  });

  /** One address of each kind that sign-in must not distinguish. */
  async function kindsOfAccounts(): Promise<[string, string][]> {
    const invited = newEmail();
    // Again: tests with thousands of tries advance the clock by hours.
    app.admin = await signInAdmin(app);
    await inviteForCodes(app, app.admin, quiz.id, [invited]);
    const twoSteps = newEmail();
    await setUpTotp(app, await signInAdmin(app, twoSteps));
    return [
      ['unknown', newEmail()],
      ['a candidate', invited],
      ['an administrator', ADMIN.email],
      ['an administrator with two steps', twoSteps],
      ['no address', 'not an address at all'],
    ];
  }

  it('does not reveal by status, text or header who exists', async () => {
    const kinds = await kindsOfAccounts();
    const seen = new Map<string, string[]>();
    for (const [kind, email] of kinds) {
      for (const password of [WRONG_CODE, 'wrong password!', ' ', 'x'.repeat(999)]) {
        const { status, text, headers }: Reply = await login(email, password, newAddress());
        const { date: _, ...rest } = headers;
        const answer = JSON.stringify([password, status, text, rest]);
        seen.set(answer, [...(seen.get(answer) ?? []), kind]);
      }
    }
    const refused = await login('nobody@example.org', 'wrong password!', newAddress());
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS', message: 'Invalid credentials', statusCode: 401 },
    });
    // Each password gets the same answer for every address.
    expect([...seen.values()]).toEqual(
      Array.from({ length: 4 }, () => kinds.map(([kind]) => kind)),
    );
  });

  it.each([
    ['codes', WRONG_CODE, 0],
    ['passwords', 'wrong password!', 1],
  ])(
    'runs the same queries and as many hashes for every address: wrong %s',
    async (_, password, hashes) => {
      const kinds = await kindsOfAccounts();
      const query = vi.spyOn(Client.prototype, 'query');
      const verify = vi.spyOn(argon2, 'verify');
      const work = new Map<string, string[]>();
      try {
        for (const [kind, email] of kinds) {
          query.mockClear();
          verify.mockClear();
          expect((await login(email, password, newAddress())).status).toBe(401);
          const asked = query.mock.calls.map(([statement]) => textOf(statement));
          const done = JSON.stringify([asked, verify.mock.calls.length]);
          expect(asked.length).toBeGreaterThan(0);
          expect(verify).toHaveBeenCalledTimes(hashes);
          work.set(done, [...(work.get(done) ?? []), kind]);
        }
      } finally {
        query.mockRestore();
      }
      expect([...work.values()]).toEqual([kinds.map(([kind]) => kind)]);
    },
  );

  // Only `npm run attacks` evaluates times: beside other work they are noise.
  it.each([
    ['codes', WRONG_CODE],
    ['passwords', 'wrong password!'],
  ])('takes equally long for all: wrong %s', { tags: 'long' }, async (_, password) => {
    const kinds = await kindsOfAccounts();
    const times = new Map<string, number[]>(kinds.map(([kind]) => [kind, []]));
    // Interleaved, so that disturbances affect all alike; the first rounds warm up.
    for (let round = -3; round < TIMED; round += 1) {
      for (const [kind, email] of kinds) {
        const address = newAddress();
        // The budget of each account has a try for every round.
        if (kind === 'unknown') app.clock.advance({ seconds: 12 });
        const from = performance.now();
        expect((await login(email, password, address)).status).toBe(401);
        if (round >= 0) times.get(kind)?.push(performance.now() - from);
      }
    }
    const unknown = times.get('unknown') ?? [];
    for (const [kind, own] of times) {
      expect([kind, Math.abs(shareAbove(own, unknown) - 0.5)]).toEqual([
        kind,
        expect.toSatisfy((far: number) => far < FAR),
      ]);
    }
    // The measure is sensitive enough: a skipped hash would show.
    expect(
      shareAbove(
        unknown.map((ms) => ms * 2),
        unknown,
      ) - 0.5,
    ).toBeGreaterThan(FAR);
  });
});

import type { Reply } from '@invigil/testkit/app';
import {
  ADMIN,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  setUpApp,
  setUpAppWithAdmin,
  setUpTotp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import argon2 from '@node-rs/argon2';
import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { knownDevice, newDeviceCookie } from '../../security/device-cookie.ts';

/** `npm run attacks` plays all of it. */
const WRONG_CODES = inForm({ short: 50, long: 10_000 });
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
      const work: [kind: string, asked: string[], hashes: number][] = [];
      try {
        for (const [kind, email] of kinds) {
          // On a slow machine the pool has closed its connection, and a new one asks for its settings.
          await app.pool.query('select 1');
          query.mockClear();
          verify.mockClear();
          expect((await login(email, password, newAddress())).status).toBe(401);
          // Whether the database answers is asked in the background.
          const asked = query.mock.calls
            .map(([statement]) => textOf(statement))
            .filter((text) => text !== 'select 1');
          expect(asked.length).toBeGreaterThan(0);
          work.push([kind, asked, verify.mock.calls.length]);
        }
      } finally {
        query.mockRestore();
      }
      const [, first = []] = work[0] ?? [];
      expect(work).toEqual(kinds.map(([kind]) => [kind, first, hashes]));
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

/** Guesses in the first 10 s, and in the rest of the minute. */
const GUESSES = inForm({ short: 20, long: 286 });
const LATER_GUESSES = inForm({ short: 5, long: 50 });
/** The value of `invigil_device` in a sign-in response. */
const deviceOf = (reply: Reply) =>
  [reply.headers['set-cookie']]
    .flat()
    .map((cookie) => /^invigil_device=([^;]+)/.exec(String(cookie))?.[1])
    .find((value) => value !== undefined);

describe('the guess budget', () => {
  const app = setUpApp();
  let device: string;
  let verify: MockInstance<typeof argon2.verify>;

  beforeAll(async () => {
    await signInAdmin(app);
    device = deviceOf(await login(ADMIN.email, ADMIN.password, '192.0.2.1')) ?? '';
  });
  beforeEach(async () => {
    verify = vi.spyOn(argon2, 'verify');
    await app.pool.query('delete from sign_in_failures');
  });

  const login = (email: string, password: string, address: string, cookie?: string) =>
    app.call('login', {
      body: { email, password },
      address,
      ...(cookie === undefined ? {} : { headers: { cookie: `invigil_device=${cookie}` } }),
    });
  /** Hundreds of wrong passwords take seconds to hash. */
  const refuseWithoutHashing = () => verify.mockResolvedValue(false);
  const wrong = (address: string, i: number, email = ADMIN.email) =>
    login(email, `wrong password ${i}`, address);

  it.each([
    ['/64 networks of one /48', (i: number) => `2001:db8:1:${i.toString(16)}::1`],
    ['/48 networks', (i: number) => `2001:db8:${i.toString(16)}::1`],
    ['IPv4 addresses', (i: number) => `10.2.${i >> 8}.${i & 255}`],
  ])('evaluates at most ten a minute per account, from many %s', async (_, addressOf) => {
    for (const email of [ADMIN.email, 'nobody@example.org']) {
      verify.mockReset();
      const statuses: number[] = [];
      for (let i = 0; i < GUESSES; i += 1) {
        statuses.push((await wrong(addressOf(i), i, email)).status);
        app.clock.advance({ ms: 10_000 / GUESSES });
      }
      for (let i = 0; i < LATER_GUESSES; i += 1) {
        statuses.push((await wrong(addressOf(GUESSES + i), i, email)).status);
        app.clock.advance({ seconds: 50 / LATER_GUESSES });
      }
      expect(verify.mock.calls.length).toBeLessThanOrEqual(10);
      expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
    }
  });

  it('evaluates at most ten of many concurrent guesses', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => wrong(`2001:db8:${i.toString(16)}::1`, i)),
    );
    expect(replies.filter((r) => r.status === 401).length).toBeLessThanOrEqual(10);
    const refused = replies.find((r) => r.status === 429);
    expect(refused?.body).toMatchObject({ code: 'THROTTLED', details: { seconds: 12 } });
    expect(refused?.headers).toMatchObject({ 'retry-after': '12' });
  });

  const TRIES = inForm({ short: 12, long: 45 });
  it(`admits the known device at each of ${TRIES} tries during a flood from the same address`, async () => {
    const address = '192.0.2.77';
    for (let i = 0; i < TRIES; i += 1) {
      const guesses = Array.from({ length: 6 }, (_, k) => wrong(address, i * 6 + k));
      const [own] = await Promise.all([
        login(ADMIN.email, ADMIN.password, address, device),
        ...guesses,
      ]);
      expect(own.status).toBe(200);
      app.clock.advance({ ms: 222 });
    }
    // The same password from there is throttled without the cookie.
    expect((await login(ADMIN.email, ADMIN.password, address)).status).toBe(429);
  });

  it('serves a known device first while two hundred others are queued for hashing', {
    tags: 'long',
  }, async () => {
    const order: string[] = [];
    const flood = Array.from({ length: 300 }, async (_, i) => {
      await wrong(`10.3.${i >> 8}.${i & 255}`, i, `flood-${i}@example.org`);
      order.push('other');
    });
    await expect.poll(() => order.length).toBeGreaterThan(2);
    const own = await login(ADMIN.email, ADMIN.password, '192.0.2.1', device);
    const before = order.filter((who) => who === 'other').length;
    expect(own.status).toBe(200);
    await Promise.all(flood);
    expect(before).toBeLessThan(290);
  });

  it('counts a known device alone, and throttles it 1, 2, 4 seconds', async () => {
    for (const seconds of [1, 2, 4]) {
      expect((await login(ADMIN.email, 'wrong password!', '192.0.2.1', device)).status).toBe(401);
      const blocked = await login(ADMIN.email, ADMIN.password, '192.0.2.1', device);
      expect(blocked.headers['retry-after']).toBe(String(seconds));
      app.clock.advance({ seconds });
    }
    expect((await login(ADMIN.email, ADMIN.password, '192.0.2.1', device)).status).toBe(200);
  });

  it('recognizes no device by a forged, foreign or old cookie', async () => {
    const { devices } = app.context.keys;
    const now = app.clock.now();
    const [expires, name, mac] = device.split('.');
    const year = new Date(now.getTime() - 365 * 86_400_000);
    for (const cookie of [
      undefined,
      '',
      '..',
      'x'.repeat(4_000),
      `${expires}.other.${mac}`,
      `${Number(expires) + 1}.${name}.${mac}`,
      newDeviceCookie(app.context.keys.sessions, ADMIN.email, now),
      newDeviceCookie(devices, 'other@example.org', now),
      newDeviceCookie(devices, ADMIN.email, year),
    ]) {
      expect(knownDevice(devices, cookie, ADMIN.email, now)).toBeUndefined();
    }
    expect(knownDevice(devices, device, ADMIN.email.toUpperCase(), now)).toBe(name);
  });

  it('sends the cookie to signed-in administrators only', async () => {
    const admin = await signInAdmin(app, 'cookies@example.org');
    const quiz = await makeQuiz(app, admin);
    const [code = ''] = await inviteForCodes(app, admin, quiz.id, ['candidate@example.org']);
    expect(deviceOf(await login('candidate@example.org', code, '192.0.2.9'))).toBeUndefined();
    expect(deviceOf(await wrong('192.0.2.9', 1))).toBeUndefined();
    const right = await login('cookies@example.org', ADMIN.password, '192.0.2.9');
    expect(String(right.headers['set-cookie'])).toMatch(
      /invigil_device=[^;]+; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    expect(deviceOf(right)).not.toContain('cookies');
  });

  it.each([
    ['an IPv4 address', () => '192.0.2.200'],
    ['as many /64 networks of one /48', (i: number) => `2001:db8:77:${i.toString(16)}::1`],
  ])('of a network stops a flood for many accounts, from %s', async (_, addressOf) => {
    refuseWithoutHashing();
    const replies = await Promise.all(
      Array.from({ length: 180 }, (_, i) => wrong(addressOf(i), i, `many-${i}@example.org`)),
    );
    expect(replies.filter((r) => r.status === 401).length).toBe(150);
    expect(verify.mock.calls.length).toBe(150);
    expect(replies.filter((r) => r.status === 429).length).toBe(30);
    // Then one each 400 ms; the /48 next to it is another site.
    app.clock.advance({ seconds: 0.4 });
    const later = [
      await wrong(addressOf(0), 0, 'a@e.org'),
      await wrong(addressOf(0), 0, 'b@e.org'),
    ];
    expect(later.map(({ status }) => status)).toEqual([401, 429]);
    expect((await wrong('2001:db8:78::1', 0, 'beside@example.org')).status).toBe(401);
  });

  it('of a network does not limit right one-time passwords from a large site', async () => {
    refuseWithoutHashing();
    const flood = Array.from({ length: 180 }, (_, i) =>
      wrong('192.0.2.200', i, `many-${i}@example.org`),
    );
    expect((await Promise.all(flood)).filter((r) => r.status === 429).length).toBe(30);
    verify.mockReset();
    // A right one-time password uses no budget.
    const admin = await signInAdmin(app, 'site@example.org');
    const quiz = await makeQuiz(app, admin);
    const [code = ''] = await inviteForCodes(app, admin, quiz.id, ['site-1@example.org']);
    expect((await login('site-1@example.org', code, '192.0.2.200')).status).toBe(200);
  });

  it('is counted in a table of bounded size', async () => {
    refuseWithoutHashing();
    const tries = inForm({ short: 600, long: 20_000 });
    for (let from = 0; from < tries; from += 200) {
      await Promise.all(
        Array.from({ length: 200 }, (_, i) => {
          const n = from + i;
          const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
          const password = n % 4 === 0 ? `wrong password ${n}` : 'AAAAA-BBBBB-CCCCC';
          return login(`person-${n}@example.org`, password, address);
        }),
      );
    }
    const { rows } = await app.pool.query(
      'select max(length(key)) as bytes, count(*)::int as n from sign_in_failures',
    );
    // A kind and two bytes of a hash: however many tries, at most 5 × 65,536 rows.
    expect(rows[0].bytes).toBe(3);
    expect(rows[0].n).toBeGreaterThan(300);
  });
});

import type { Reply } from '@invigil/testkit/app';
import { ADMIN, inviteForCodes, makeQuiz, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import argon2 from '@node-rs/argon2';
import { beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { knownDevice, newDeviceCookie } from '../../../security/device-cookie.ts';

/** In 10 s, and then as slowly for the rest of the minute. */
const GUESSES = inForm({ short: 40, long: 286 });
const LATER_GUESSES = inForm({ short: 10, long: 50 });
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

  const TRIES = inForm({ short: 25, long: 45 });
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
    // Without the cookie the same password from there is throttled.
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
    // The /48 next to it is another site.
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

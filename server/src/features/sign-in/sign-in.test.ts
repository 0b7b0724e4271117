import {
  ADMIN,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('a sign-in as months pass', () => {
  const app = setUpAppWithAdmin();
  const login = (email: string, password: string) =>
    app.call('login', { body: { email, password } });

  it('refuses a code unused for 90 days, and accepts it while its attempt runs', async () => {
    const made = await makeQuiz(app, app.admin, { duration: 180 });
    const [late = '', early = ''] = await inviteForCodes(app, app.admin, made.id, [
      'l@example.org',
      'e@example.org',
    ]);
    app.clock.advance({ days: 90, minutes: -10 });
    const candidate = await signInCandidate(app, 'e@example.org', early);
    await app.call('startParticipant', { as: candidate.cookie, body: {} });
    app.clock.advance({ minutes: 11 });
    const refused = await login('l@example.org', late);
    expect(refused).toMatchObject({ status: 403, body: { code: 'CODE_EXPIRED' } });
    // Why, when, and whom to ask.
    expect(refused.body.message).toMatch(
      /^This one-time password expired on \w+, \d+ \w+ \d{4} at \d\d:\d\d \(.+\)\. Ask the person who invited you/,
    );
    const again = await login('e@example.org', early);
    expect(again.status).toBe(200);
  });

  it('accepts an unused code until the end date of its assessment, wherever that moves', async () => {
    const as = await signInAdmin(app, 'months@example.org');
    const endDate = new Date(app.clock.now().getTime() + 120 * 86_400_000).toISOString();
    const made = await makeQuiz(app, as, { endDate });
    const [code = ''] = await inviteForCodes(app, as, made.id, ['later@example.org']);
    const attempt = () => login('later@example.org', code);
    const moveTo = async (end: string | null) => {
      const again = await signInAdmin(app, `a${end}@example.org`);
      const quizzes = (await app.call('listQuizzes', { as: again })).body;
      const quiz = quizzes.find((q: { id: string }) => q.id === made.id);
      await app.call('updateQuiz', {
        as: again,
        params: { id: made.id },
        body: { ...quiz, endDate: end },
      });
    };
    app.clock.advance({ days: 119 });
    expect(await attempt()).toMatchObject({ status: 200, body: { quiz: { isOpen: true } } });
    await moveTo(null);
    expect(await attempt()).toMatchObject({ status: 403, body: { code: 'CODE_EXPIRED' } });
    await moveTo(endDate);
    app.clock.advance({ days: 2 });
    // Over: the page says so.
    expect(await attempt()).toMatchObject({ status: 200, body: { quiz: { isOpen: false } } });
  });
});

describe('signing in', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let n = 0;
  const newEmail = () => {
    n += 1;
    return `person-${n}@example.org`;
  };
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin);
    // Clears the throttle of earlier tests.
    await app.pool.query('delete from sign_in_failures');
  });

  const login = (email: string, password: string, address = '10.0.0.1') =>
    app.call('login', { body: { email, password }, address });

  it('refuses a right code with another address', async () => {
    const [mine, theirs] = [newEmail(), newEmail()];
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, [mine, theirs]);
    expect((await login(theirs, code)).status).toBe(401);
  });

  it('refuses a code at once after a newer invitation replaced it', async () => {
    const email = newEmail();
    const [first = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const [second = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    expect(await login(email, first)).toMatchObject({
      status: 401,
      body: { code: 'CODE_REPLACED', message: expect.stringContaining('newest email') },
    });
    // It was no guess: nothing is counted, and other addresses do not learn that the code existed.
    expect((await app.pool.query('select from sign_in_failures')).rowCount).toBe(0);
    expect((await login(newEmail(), first)).body.code).toBe('INVALID_CREDENTIALS');
    expect((await login(email, second)).status).toBe(200);
  });

  it('reports a revoked code as revoked, only to its recipient', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, [email, other]);
    const { body } = await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } });
    const { id } = body.find((row: { email: string }) => row.email === email);
    const params = { id: quiz.id };
    expect(
      (await app.call('revokeInvitations', { as: app.admin, params, body: { ids: [id] } })).status,
    ).toBe(200);
    const refused = await login(email, code);
    expect(refused).toMatchObject({
      status: 401,
      body: {
        code: 'CODE_WITHDRAWN',
        message: expect.stringMatching(/was revoked on .*\d\d:\d\d .*person who invited you/),
      },
    });
    expect(refused.cookie).toBeUndefined();
    // With only one of the two right, the answer is the one for unknown codes.
    const others = [await login(other, code), await login(newEmail(), code)];
    others.push(await login(email, 'ZZZZZ-ZZZZZ-ZZZZZ', '10.0.0.9'));
    const unknown = await login(newEmail(), 'ZZZZZ-ZZZZZ-ZZZZZ');
    for (const { status, text } of others) {
      expect({ status, text }).toEqual({ status: unknown.status, text: unknown.text });
    }
  });

  it('throttles wrong codes 1, 2, 4 seconds, but never the right one', async () => {
    const email = newEmail();
    const [code = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const wrong = 'AAAAA-BBBBB-CCCCC';
    expect((await login(email, wrong)).status).toBe(401);
    const blocked = await login(email, wrong);
    expect(blocked).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(blocked.body.message).toBe('Too many wrong attempts. Try again in 1 second');
    app.clock.advance({ seconds: 1 });
    expect((await login(email, wrong)).status).toBe(401);
    expect((await login(email, wrong)).headers['retry-after']).toBe('2');
    expect((await login(email, code)).status).toBe(200);
  });

  it('throttles an admin password before hashing it, per account and address', async () => {
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      expect((await login(ADMIN.email, 'wrong password!')).status).toBe(401);
      expect((await login(ADMIN.email, ADMIN.password)).headers['retry-after']).toBe(
        String(seconds),
      );
      app.clock.advance({ seconds });
    }
    expect((await login(ADMIN.email, 'wrong password!')).status).toBe(401);
    expect((await login(ADMIN.email, ADMIN.password, '10.0.0.2')).status).toBe(200);
  });

  it('hashes few of many concurrent admin passwords', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, i) => login(ADMIN.email, `wrong password ${i}`)),
    );
    // Two are hashed at a time; those queued behind them are refused without hashing.
    expect(guesses.filter((r) => r.status === 401).length).toBeLessThanOrEqual(2);
    expect(guesses.filter((r) => r.status === 429).length).toBeGreaterThanOrEqual(38);
    const others = await Promise.all(
      Array.from({ length: 10 }, () => login(ADMIN.email, ADMIN.password, '10.0.0.9')),
    );
    expect(others.map((r) => r.status)).toEqual(others.map(() => 200));
  });

  it('refuses passwords while too many are being hashed, but not codes', {
    tags: 'long',
  }, async () => {
    const emails = Array.from({ length: 5 }, newEmail);
    const codes = await inviteForCodes(app, app.admin, quiz.id, emails);
    const flood = Array.from({ length: 400 }, (_, i) =>
      login(newEmail(), 'wrong password!', `10.4.${i >> 8}.${i & 255}`),
    );
    const people = emails.map((email, i) => login(email, codes[i] ?? ''));
    expect((await Promise.all(people)).map((r) => r.status)).toEqual(emails.map(() => 200));
    const replies = await Promise.all(flood);
    const putOff = replies.filter((r) => r.status === 503);
    expect(putOff.length).toBeGreaterThan(0);
    expect(putOff[0]).toMatchObject({ body: { code: 'UNAVAILABLE' } });
    expect(putOff[0]?.headers).toMatchObject({ 'retry-after': '2' });
    // A few of 400 pairs of account and address share a slot of the throttle (throttle-key.ts).
    const shared = replies.filter((r) => r.status === 429).length;
    expect(shared).toBeLessThan(10);
    expect(replies.filter((r) => r.status === 401).length).toBe(400 - putOff.length - shared);
    expect((await login(ADMIN.email, ADMIN.password)).status).toBe(200);
  });

  it('opens the quiz of the code, in any case and grouping', async () => {
    const email = newEmail();
    const endDate = new Date(app.clock.now().getTime() + 3_600_000).toISOString();
    const other = await makeQuiz(app, app.admin, { title: 'Other', endDate });
    const [first = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const [second = ''] = await inviteForCodes(app, app.admin, other.id, [email]);
    const reply = await login(email.toUpperCase(), ` ${first.toLowerCase().replaceAll('-', ' ')} `);
    expect(reply).toMatchObject({
      status: 200,
      body: { role: 'participant', user: { email }, quiz: { id: quiz.id }, attempt: null },
    });
    // Only where there are times to say in it.
    expect(reply.body).not.toHaveProperty('timeZone');
    expect((await login(email, second)).body).toMatchObject({
      quiz: { id: other.id },
      timeZone: app.context.config.timeZone,
    });
    expect(first).toMatch(/^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/);
  });

  it('ends a session at once on sign-out, and sets a cookie no script can read', async () => {
    const reply = await login(ADMIN.email, ADMIN.password);
    expect(String(reply.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/);
    expect((await app.call('logout', { as: reply.cookie })).status).toBe(204);
    expect((await app.call('me', { as: reply.cookie })).status).toBe(401);
  });
});

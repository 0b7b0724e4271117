import type { OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  beginAttempt,
  inviteForCodes,
  type MadeQuiz,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

const app = setUpAppWithAdmin();
let quiz: MadeQuiz;
beforeEach(async () => {
  quiz = await makeQuiz(app, app.admin);
  await app.pool.query('delete from sign_in_failures');
  await app.pool.query('delete from outbox');
});
const idsOf = async (...emails: string[]): Promise<string[]> => {
  const { body } = await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } });
  return emails.map((email) => body.find((row: { email: string }) => row.email === email)?.id);
};

describe('resending an invitation', () => {
  const resend = (ids: unknown, words: object = {}, id = quiz.id) =>
    app.call('resendInvitations', { as: app.admin, params: { id }, body: { ids, ...words } });
  const login = (email: string, password: string) =>
    app.call('login', { body: { email, password } });
  const messages = async () =>
    (await app.pool.query('select recipient, state from outbox order by id')).rows;
  const close = () =>
    app.pool.query('update quizzes set is_active = false where id = $1', [quiz.id]);

  it.each([
    ['no ids', []],
    ['no list', undefined],
    ['invalid ids', ['x']],
    ['more than a thousand ids', Array.from({ length: 1_001 }, () => UNKNOWN)],
  ])('is refused for %s', async (_, ids) => {
    expect(await resend(ids)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });

  it('is refused as a whole with an id that is unknown or another assessment’s', async () => {
    await inviteForCodes(app, app.admin, quiz.id, ['a@example.org']);
    const own = await idsOf('a@example.org');
    const other = await makeQuiz(app, app.admin);
    await inviteForCodes(app, app.admin, other.id, ['b@example.org']);
    const { body } = await app.call('listInvitations', { as: app.admin, params: { id: other.id } });
    const before = await messages();
    for (const foreign of [UNKNOWN, body[0].id]) {
      expect((await resend([...own, foreign])).status).toBe(404);
    }
    expect((await resend(own, {}, UNKNOWN)).status).toBe(404);
    expect(await messages()).toEqual(before);
  });

  it('gives a person who never started a new code and revokes the older one', async () => {
    const email = 'never@example.org';
    const [older = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    const [id] = await idsOf(email);
    app.clock.advance({ minutes: 1 });
    expect((await resend([id])).body).toEqual({
      invitations: [{ email, id, status: 'queued' }],
    });
    expect(await messages()).toEqual([
      { recipient: email, state: 'failed' },
      { recipient: email, state: 'queued' },
    ]);
    const audited = "select details from audit_entries where action = 'invitations.resent'";
    expect((await app.pool.query(audited)).rows.at(-1)).toEqual({ details: { queued: 1 } });
    const [newer = ''] = await newestCodes(app, [email]);
    expect((await login(email, older)).status).toBe(401);
    await app.pool.query('delete from sign_in_failures');
    expect((await login(email, newer)).status).toBe(200);
  });

  it('gives a person in progress a second code beside the first, even when closed since', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    const { email, code } = attempt.candidate;
    await close();
    const reply = await resend(await idsOf(email));
    expect(reply.body.invitations).toMatchObject([{ email, status: 'queued' }]);
    const [second = ''] = await newestCodes(app, [email]);
    expect(second).not.toBe(code);
    // The message names the end of the attempt, which the end of the assessment does not change.
    const { rows } = await app.pool.query(
      `select variables, deadline_at from outbox, participants p
       where p.id = $1 order by outbox.id desc limit 1`,
      [attempt.id],
    );
    const endDate = rows[0].deadline_at.toISOString();
    expect(rows[0].variables).toMatchObject({ endDate, codeUntil: null, durationMinutes: 30 });
    for (const each of [code, second, code]) {
      const signedIn = await login(email, each);
      expect(signedIn).toMatchObject({ status: 200, body: { attempt: { id: attempt.id } } });
    }
  });

  it('says to a person who was reinstated how much time is left', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    app.clock.advance({ minutes: 20 });
    await attempt.submit();
    const body = { how: 'reinstate', minutes: 5, reason: 'Power cut' };
    await app.call('replaceParticipant', { as: app.admin, params: { id: attempt.id }, body });
    const { email } = attempt.candidate;
    await resend(await idsOf(email));
    const { rows } = await app.pool.query('select variables from outbox order by id desc limit 1');
    expect(rows[0].variables).toMatchObject({
      durationMinutes: 15,
      endDate: null,
      codeUntil: null,
    });
    const listed = await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } });
    expect(listed.body[0]).toMatchObject({ status: 'not_started', codeValidUntil: null });
  });

  it('sends nothing to a person who has finished, and returns the reason', async () => {
    const attempt = await beginAttempt(app, app.admin, quiz);
    await attempt.submit();
    await app.pool.query('delete from outbox');
    const { email } = attempt.candidate;
    expect((await resend(await idsOf(email))).body.invitations).toMatchObject([
      { email, status: 'already_completed', reason: 'Has already completed the assessment' },
    ]);
    expect(await messages()).toEqual([]);
  });

  describe('to a person who has finished and has a result', () => {
    let attempt: Awaited<ReturnType<typeof beginAttempt>>;
    const params = () => ({ id: quiz.id });
    const setRules = (rules: object | null) =>
      app.call('setReleaseRules', { as: app.admin, params: params(), body: { rules } });
    const RULES = { parts: ['answers'], when: { kind: 'by_hand' }, openDays: 30 };
    beforeEach(async () => {
      attempt = await beginAttempt(app, app.admin, quiz);
      await attempt.submit();
      await setRules(RULES);
      await app.call('releaseResults', { as: app.admin, params: params(), body: {} });
      await close();
      await app.pool.query('delete from outbox');
    });

    it('gives a new one-time password that opens it, and starts nothing', async () => {
      const { email, code } = attempt.candidate;
      const ids = await idsOf(email);
      const words = { subject: 'Come', message: 'Start now' };
      expect((await resend(ids, words)).body.invitations).toMatchObject([
        { email, status: 'queued' },
      ]);
      const { rows } = await app.pool.query('select kind, subject, variables from outbox');
      expect(rows).toMatchObject([
        { kind: 'invitation', variables: { isForResult: true, message: null } },
      ]);
      const [newer = ''] = await newestCodes(app, [email]);
      expect((await login(email, code)).status).toBe(401);
      await app.pool.query('delete from sign_in_failures');
      const signedIn = await login(email, newer);
      expect(signedIn).toMatchObject({ status: 200, body: { hasResult: true } });
      const as = signedIn.cookie;
      const result = await app.call('getResult', { as, params: { id: attempt.id } });
      expect([result.status, result.body.until]).toEqual([200, rows[0].variables.codeUntil]);
      expect((await app.call('startParticipant', { as, body: {} })).status).toBeGreaterThanOrEqual(
        400,
      );
    });

    it('is for those who may see scores', async () => {
      const [id] = await idsOf(attempt.candidate.email);
      const support = await signInAdmin(app, 'support@example.org');
      const me = (await app.call('me', { as: support })).body.user.id;
      const grants = [{ role: 'support', quizId: quiz.id }];
      app.admin = await signInAdmin(app, 'grants@example.org');
      await app.call('setGrants', { as: app.admin, params: { id: me }, body: { grants } });
      const reply = await app.call('resendInvitations', {
        ...{ as: support, params: params(), body: { ids: [id] } },
      });
      expect(reply.body.invitations).toMatchObject([
        { status: 'already_completed', reason: expect.stringContaining('may see scores') },
      ]);
      expect((await messages()).map(({ recipient }) => recipient)).not.toContain(
        attempt.candidate.email,
      );
    });

    it.each([
      ['was taken back', () => setRules(null)],
      ['can be read no longer', () => setRules({ ...RULES, openDays: 1 })],
    ])('sends nothing once it %s', async (_, change) => {
      await change();
      app.clock.advance({ minutes: 24 * 60 + 1 });
      app.admin = await signInAdmin(app, `later${app.clock.now().getTime()}@example.org`);
      const reply = await resend(await idsOf(attempt.candidate.email));
      expect(reply.body.invitations).toMatchObject([{ status: 'already_completed' }]);
      expect(await messages()).toEqual([]);
    });
  });

  it('is refused as a whole when the assessment is closed and a person has not started', async () => {
    const running = await beginAttempt(app, app.admin, quiz);
    await inviteForCodes(app, app.admin, quiz.id, ['fresh@example.org']);
    const ids = await idsOf(running.candidate.email, 'fresh@example.org');
    const before = await messages();
    await close();
    expect(await resend(ids)).toMatchObject({
      status: 409,
      body: { message: 'Invitations cannot be sent for inactive Assessments' },
    });
    expect(await messages()).toEqual(before);
  });

  it('replies in the order of the ids, each once, and uses the given texts', async () => {
    const emails = ['c@example.org', 'a@example.org', 'b@example.org'];
    await inviteForCodes(app, app.admin, quiz.id, emails);
    const ids = await idsOf(...emails);
    const reply = await resend([...ids, ...ids], { subject: 'Reminder', message: 'Tomorrow!' });
    expect(reply.body.invitations.map((i: { email: string }) => i.email)).toEqual(emails);
    const { rows } = await app.pool.query(
      `select variables ->> 'subject' as subject, variables ->> 'message' as message
       from outbox where state = 'queued'`,
    );
    expect(rows).toEqual(Array(3).fill({ subject: 'Reminder', message: 'Tomorrow!' }));
  });

  it('handles a thousand at once, as does revoking', { tags: 'long' }, async () => {
    const emails = Array.from({ length: 1_000 }, (_, i) => `many${i}@example.org`);
    await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { emails } });
    const { body } = await app.call('listInvitations', {
      as: app.admin,
      params: { id: quiz.id },
      query: { limit: 1_000 },
    });
    const ids = body.map((row: { id: string }) => row.id);
    const reply = await resend(ids);
    expect(reply.body.invitations.map((i: { id: string }) => i.id)).toEqual(ids);
    const states = 'select state, count(*)::int as n from outbox group by 1 order by 1';
    expect((await app.pool.query(states)).rows).toEqual([
      { state: 'failed', n: 1_000 },
      { state: 'queued', n: 1_000 },
    ]);
    const params = { id: quiz.id };
    const revoked = await app.call('revokeInvitations', { as: app.admin, params, body: { ids } });
    expect(revoked.body).toEqual({ revoked: 1_000 });
    expect((await app.pool.query(states)).rows).toEqual([{ state: 'failed', n: 2_000 }]);
  });
});

describe('reminding people who have not started', () => {
  const remind = (ids: string[], words: object = {}) =>
    app.call('remindInvitations', {
      as: app.admin,
      params: { id: quiz.id },
      body: { ids, ...words },
    });
  const markSent = () =>
    app.pool.query(
      "update outbox set state = 'sent', sealed_code = null, next_attempt_at = null, sent_at = created_at",
    );
  const queued = async () =>
    (await app.call('listOutbox', { as: app.admin, query: { state: 'queued' } })).body.map(
      ({ recipient, subject }: OutboxMessage) => ({ recipient, subject }),
    );

  it('is refused for a closed assessment, and as a whole with an unknown id', async () => {
    await inviteForCodes(app, app.admin, quiz.id, ['a@example.org']);
    await markSent();
    const ids = await idsOf('a@example.org');
    expect((await remind([...ids, UNKNOWN])).status).toBe(404);
    await app.pool.query('update quizzes set is_active = false where id = $1', [quiz.id]);
    expect(await remind(ids)).toMatchObject({ status: 409, body: { code: 'QUIZ_NOT_OPEN' } });
    expect(await queued()).toEqual([]);
  });

  it('sends a further code, while the earlier one keeps working', async () => {
    const email = 'slow@example.org';
    const [first = ''] = await inviteForCodes(app, app.admin, quiz.id, [email]);
    await markSent();
    app.clock.advance({ days: 1 });
    app.admin = await signInAdmin(app, 'next-day@example.org');
    const [id = ''] = await idsOf(email);
    expect((await remind([id])).body).toEqual({ invitations: [{ email, id, status: 'queued' }] });
    expect(await queued()).toEqual([
      { recipient: email, subject: 'Reminder: your assessment: Network Fundamentals' },
    ]);
    const [second = ''] = await newestCodes(app, [email]);
    expect(second).not.toBe(first);
    for (const password of [first, second]) {
      expect((await app.call('login', { body: { email, password } })).status).toBe(200);
    }
  });

  it('sends nothing to others, and returns the reasons', async () => {
    const running = await beginAttempt(app, app.admin, quiz);
    const done = await beginAttempt(app, app.admin, quiz);
    await done.submit();
    await inviteForCodes(app, app.admin, quiz.id, ['gone@example.org', 'erased@example.org']);
    await markSent();
    const [gone = '', erased = ''] = await idsOf('gone@example.org', 'erased@example.org');
    const params = { id: quiz.id };
    await app.call('revokeInvitations', { as: app.admin, params, body: { ids: [gone] } });
    await app.pool.query("update users set email = null where email = 'erased@example.org'");
    await inviteForCodes(app, app.admin, quiz.id, ['waiting@example.org']);
    const others = await idsOf(
      running.candidate.email,
      done.candidate.email,
      'waiting@example.org',
    );
    const reply = await remind([...others, gone, erased]);
    expect(reply.body.invitations).toMatchObject([
      { status: 'in_progress', reason: 'Taking the assessment now; nothing was sent' },
      { status: 'already_completed', reason: 'Has already completed the assessment' },
      { status: 'queued', reason: 'The earlier message is still being sent' },
      { status: 'invalid', reason: 'The invitation was revoked' },
      { status: 'invalid', reason: 'This person was erased' },
    ]);
    expect(await queued()).toMatchObject([{ recipient: 'waiting@example.org' }]);
    const { rows } = await app.pool.query(
      "select details from audit_entries where action = 'invitations.reminded' order by id desc limit 1",
    );
    expect(rows).toEqual([{ details: { queued: 0 } }]);
  });

  it('uses the given texts, and mentions only devices that the policy and the person use', async () => {
    quiz = await makeQuiz(app, app.admin, { policy: OFF_POLICY });
    await inviteForCodes(app, app.admin, quiz.id, ['a@example.org']);
    await markSent();
    await remind(await idsOf('a@example.org'), { subject: 'Tomorrow', message: 'See you' });
    const { rows } = await app.pool.query("select variables from outbox where state = 'queued'");
    expect(rows).toMatchObject([
      {
        variables: {
          subject: 'Tomorrow',
          message: 'See you',
          camera: false,
          microphone: false,
          reminder: true,
        },
      },
    ]);
  });
});

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

describe('reminding people who have not started', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin);
    await app.pool.query('delete from sign_in_failures');
    await app.pool.query('delete from outbox');
  });

  const remind = (ids: string[], words: object = {}) =>
    app.call('remindInvitations', {
      as: app.admin,
      params: { id: quiz.id },
      body: { ids, ...words },
    });
  const idsOf = async (...emails: string[]): Promise<string[]> => {
    const { body } = await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } });
    return emails.map((email) => body.find((row: { email: string }) => row.email === email)?.id);
  };
  const markSent = () =>
    app.pool.query(
      "update outbox set state = 'sent', sealed_code = null, next_attempt_at = null, sent_at = created_at",
    );
  const queued = async () =>
    (await app.pool.query("select recipient, subject from outbox where state = 'queued'")).rows;

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

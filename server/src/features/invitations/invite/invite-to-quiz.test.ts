import {
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

describe('inviting', () => {
  const app = setUpAppWithAdmin();
  let quiz: string;

  beforeAll(async () => {
    quiz = (await makeQuiz(app, app.admin)).id;
  });
  const invite = (emails: unknown, id = quiz) =>
    app.call('inviteToQuiz', { as: app.admin, params: { id }, body: { emails } });

  it.each([[[]], [['', '   ']], [null], [undefined]])('refuses %j', async (emails) => {
    expect(await invite(emails)).toMatchObject({
      status: 400,
      body: { code: 'NO_EMAILS', message: 'Please enter at least one email address' },
    });
  });

  it('refuses an assessment that is not open: inactive, ended or archived', async () => {
    const inactive = await makeQuiz(app, app.admin, { isActive: false });
    const ended = await makeQuiz(app, app.admin, { endDate: app.clock.now().toISOString() });
    for (const { id } of [inactive, ended]) {
      expect(await invite(['x@example.org'], id)).toMatchObject({
        status: 409,
        body: { message: 'Invitations cannot be sent for inactive Assessments' },
      });
    }
    const archived = await makeQuiz(app, app.admin);
    await app.call('deleteQuiz', { as: app.admin, params: { id: archived.id } });
    expect((await invite(['x@example.org'], archived.id)).status).toBe(404);
  });

  it('refuses more than 1,000 addresses, and accepts 1,000', async () => {
    const emails = Array.from({ length: 1_001 }, (_, i) => `p${i}@example.org`);
    expect(await invite(emails)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'emails' }] },
    });
    const reply = await invite(emails.slice(1));
    expect(reply.body.invitations).toHaveLength(1_000);
    expect(new Set(reply.body.invitations.map((i: { status: string }) => i.status))).toEqual(
      new Set(['queued']),
    );
    const { rows } = await app.pool.query('select count(*)::int as n from outbox');
    expect(rows[0].n).toBe(1_000);
  });

  it('replies per address, with duplicates merged case-insensitively', async () => {
    const done = await inviteCandidate(app, app.admin, quiz, 'done@example.org');
    const attempt = await app.call('startParticipant', { as: done.cookie, body: {} });
    await app.call('submitParticipant', {
      as: done.cookie,
      params: { id: attempt.body.id },
      body: {},
    });
    const busy = await inviteCandidate(app, app.admin, quiz, 'busy@example.org');
    await app.call('startParticipant', { as: busy.cookie, body: {} });

    const reply = await invite([
      ' new@example.org ',
      'NEW@example.org',
      'not an address',
      'done@example.org',
      'Busy@example.org',
      '',
    ]);
    expect(reply.body.invitations).toMatchObject([
      { email: 'new@example.org', status: 'queued' },
      { email: 'not an address', status: 'invalid', reason: 'Not an email address' },
      { email: 'done@example.org', status: 'already_completed' },
      { email: 'Busy@example.org', status: 'in_progress' },
    ]);
    expect(reply.body.invitations[1]).not.toHaveProperty('id');
    // Nothing was sent to the candidate in progress, whose code still works.
    expect((await signInCandidate(app, busy.email, busy.code)).userId).toBe(busy.userId);
  });
});

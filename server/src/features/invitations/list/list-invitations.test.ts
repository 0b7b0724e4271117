import type { Invitation, InvitedBefore } from '@invigil/core/contract/invitations/invitations';
import { INVITATION_STATES, type InvitationState } from '@invigil/core/domain/invitation-states';
import {
  beginAttempt,
  inviteCandidate,
  inviteForCodes,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  setUpSmtpSink,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

describe('the list of invitations', () => {
  const app = setUpAppWithAdmin();

  const list = (quiz: MadeQuiz, query: Record<string, string | number> = {}) =>
    app.call('listInvitations', { as: app.admin, params: { id: quiz.id }, query });
  const byEmail = async (quiz: MadeQuiz) =>
    new Map(
      (await list(quiz)).body.map((row: { email: string }) => [row.email.split('@')[0], row]),
    );

  it.each([{ limit: 1_001 }, { search: 'x'.repeat(321) }, { state: 'everybody' }])(
    'refuses %j',
    async (query) => {
      const quiz = await makeQuiz(app, app.admin, { questions: [] });
      expect((await list(quiz, query)).status).toBe(400);
    },
  );

  it('is empty at first', async () => {
    const reply = await list(await makeQuiz(app, app.admin));
    expect([reply.status, reply.body, reply.headers['x-total-count']]).toEqual([200, [], '0']);
  });

  it('finds those of some addresses that were invited, with how far each is', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const other = await makeQuiz(app, app.admin);
    await inviteForCodes(app, app.admin, other.id, ['elsewhere@example.org']);
    const started = await beginAttempt(app, app.admin, quiz);
    const finished = await beginAttempt(app, app.admin, quiz);
    await finished.submit();
    await inviteCandidate(app, app.admin, quiz.id, 'in@example.org');
    await inviteForCodes(app, app.admin, quiz.id, ['new@müller.example', 'off@example.org']);
    const ids = new Map((await list(quiz)).body.map((r: Invitation) => [r.email, r.id]));
    const params = { id: quiz.id };
    await app.call('revokeInvitations', {
      as: app.admin,
      params,
      body: { ids: [ids.get('off@example.org')] },
    });
    const emails = [
      'NEW@xn--mller-kva.example',
      'in@example.org',
      'off@example.org',
      started.candidate.email,
      finished.candidate.email,
      'elsewhere@example.org',
      'nobody@example.org',
    ];
    const reply = await app.call('findInvited', { as: app.admin, params, body: { emails } });
    const states = reply.body.invited.map((r: InvitedBefore) => [r.email, r.state]);
    expect(new Map(states)).toEqual(
      new Map([
        ['new@müller.example', 'not_started'],
        ['in@example.org', 'signed_in'],
        ['off@example.org', 'revoked'],
        [started.candidate.email, 'started'],
        [finished.candidate.email, 'finished'],
      ]),
    );
  });

  it('tells before an invitation who gets extra time, where it begins with what is kept', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const params = { id: quiz.id };
    const listed = ['kept@example.org', 'given@example.org', 'plain@example.org'];
    const rows = listed.map((email, i) => ({
      ...{ email, givenName: 'Ada', familyName: '', externalId: '', groups: [], language: '' },
      ...(i < 2 ? { extraTime: 25 } : {}),
    }));
    const body = { people: rows, replacesGroups: false, dryRun: false };
    await app.call('importPeople', { as: app.admin, body });
    await inviteForCodes(app, app.admin, quiz.id, ['given@example.org']);
    const change = { as: app.admin, body: { people: [{ ...rows[1], extraTime: 50 }] } };
    await app.call('importPeople', { ...change, body: { ...body, ...change.body } });
    const find = async (as: string) => {
      const reply = await app.call('findInvited', { as, params, body: { emails: listed } });
      return reply.body.extraTime;
    };
    // An earlier invitation keeps its time.
    const given = { email: 'given@example.org', userName: 'Ada', percent: 25 };
    expect(await find(app.admin)).toEqual([
      given,
      { email: 'kept@example.org', userName: 'Ada', percent: 25 },
    ]);
    const support = await signInAdmin(app, 'support@example.org');
    const { id } = (await app.call('me', { as: support })).body.user;
    const grants = { grants: [{ role: 'support', quizId: quiz.id }] };
    await app.call('setGrants', { as: app.admin, params: { id }, body: grants });
    expect(await find(support)).toEqual([expect.objectContaining({ email: given.email })]);
  });

  it('shows each person’s progress from the message to the end', async () => {
    const quiz = await makeQuiz(app, app.admin, { duration: 5 });
    await inviteForCodes(app, app.admin, quiz.id, ['waiting@example.org']);
    const [signedIn, running, done] = [
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
    ];
    // One of them only signed in: their start is undone.
    await app.pool.query('delete from paper_questions where participant_id = $1', [signedIn.id]);
    await app.pool.query('delete from participant_events where participant_id = $1', [signedIn.id]);
    await app.pool.query('delete from participants where id = $1', [signedIn.id]);
    app.clock.advance({ seconds: 30 });
    await done.submit();

    const rows = await byEmail(quiz);
    const name = (attempt: typeof done) => attempt.candidate.email.split('@')[0];
    const start = running.startedAt.toISOString();
    expect(rows.get('waiting')).toEqual({
      id: expect.any(String),
      userId: expect.any(String),
      quizId: quiz.id,
      email: 'waiting@example.org',
      invitedAt: start,
      mail: {
        state: 'queued',
        lastError: null,
        attempts: 0,
        nextAttemptAt: start,
        sentAt: null,
      },
      signedInAt: null,
      status: 'not_started',
      participantId: null,
      startedAt: null,
      submittedAt: null,
      revokedAt: null,
      codeValidUntil: '2026-08-12T08:00:00.000Z',
      extraTimeFactor: 1,
      cameraEnabled: true,
      microphoneEnabled: true,
    });
    expect(rows.get(name(signedIn))).toMatchObject({
      signedInAt: start,
      status: 'not_started',
      startedAt: null,
    });
    expect(rows.get(name(running))).toMatchObject({
      status: 'in_progress',
      participantId: running.id,
      startedAt: start,
      submittedAt: null,
    });
    expect(rows.get(name(done))).toMatchObject({
      status: 'completed',
      participantId: done.id,
      submittedAt: app.clock.now().toISOString(),
      attempt: (await app.call('getParticipant', { as: app.admin, params: { id: done.id } })).body,
    });
    await passTime(app, { minutes: 6 });
    expect((await byEmail(quiz)).get(name(running))).toMatchObject({ status: 'completed' });
  });

  it('can be searched by address, with % and _ as plain characters', async () => {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const emails = [
      'a_b@example.org',
      'axb@example.org',
      '50%off@example.org',
      '50xoff@example.org',
      ...Array.from({ length: 21 }, (_, i) => `many${i}@example.com`),
    ];
    await app.call('inviteToQuiz', { as: app.admin, params: { id: quiz.id }, body: { emails } });
    const found = async (search: string) => {
      const reply = await list(quiz, { search });
      expect(reply.headers['x-total-count']).toBe(String(reply.body.length));
      return reply.body.map((row: { email: string }) => row.email).sort();
    };
    expect(await found('A_B')).toEqual(['a_b@example.org']);
    expect(await found('0%O')).toEqual(['50%off@example.org']);
    expect(await found(' many ')).toHaveLength(21);
    expect(await found('\\')).toEqual([]);
  });

  it('shows no name for an erased person', async () => {
    const quiz = await makeQuiz(app, app.admin);
    const attempt = await beginAttempt(app, app.admin, quiz);
    await app.pool.query('update users set email = null where id = $1', [attempt.candidate.userId]);
    expect((await list(quiz)).body).toMatchObject([{ email: null, status: 'in_progress' }]);
    const ids = [(await list(quiz)).body[0].id];
    const params = { id: quiz.id };
    const reply = await app.call('resendInvitations', { as: app.admin, params, body: { ids } });
    expect(reply.body.invitations).toMatchObject([{ email: 'Unknown', status: 'invalid' }]);
  });
});

const DAY_MS = 86_400_000;
const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('the states of invitations', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();
  let quiz: MadeQuiz;
  /** Which of the people below are in each state. */
  const EXPECTED: Record<InvitationState, string[]> = {
    queued: ['busy'],
    sent: ['looked', 'running', 'done', 'dismissed', 'quiet'],
    uncertain: ['perhaps'],
    failed: ['refused'],
    not_started: ['busy', 'looked', 'quiet', 'perhaps', 'refused'],
    signed_in: ['looked'],
    code_ending: ['quiet'],
    started: ['running'],
    finished: ['done', 'dismissed'],
    to_review: ['dismissed'],
    revoked: ['gone'],
  };

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    const other = await makeQuiz(app, app.admin);
    await call('inviteToQuiz', { emails: ['elsewhere@example.org'] }, other.id);
    const people = ['running', 'done', 'dismissed', 'looked'];
    for (const name of people) {
      const { candidate, submit } = await beginAttempt(app, app.admin, quiz);
      if (name.startsWith('d')) await submit();
      await app.pool.query('update users set email = $2 where id = $1', [
        candidate.userId,
        `${name}@example.org`,
      ]);
    }
    await app.pool.query(`update participants p set status = 'dismissed', submission_type = 'dismissed', tab_switches = 1
      from users u where u.id = p.user_id and u.email = 'dismissed@example.org'`);
    // One of them only signed in: their start is undone.
    const looked = `participant_id in (select p.id from participants p
      join users u on u.id = p.user_id where u.email = 'looked@example.org')`;
    await app.pool.query(`delete from paper_questions where ${looked};
      delete from participant_events where ${looked};
      delete from participants where ${looked.replace('participant_id', 'id')}`);
    await call('inviteToQuiz', {
      emails: ['gone@example.org', 'quiet@example.org'],
    });
    await call('revokeInvitations', { ids: [await idOf('gone')] });
    await app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(sink.port),
    });
    await deliverMail(app.context);
    for (const [name, fault] of [
      ['refused', { at: 'rcpt', code: 550, text: '5.1.1 No such person' }],
      ['busy', { at: 'rcpt', code: 451, text: '4.7.1 Greylisted' }],
      ['perhaps', { at: 'after-data', drop: true }],
    ] as const) {
      sink.faults.push(fault);
      await call('inviteToQuiz', { emails: [`${name}@example.org`] });
      await deliverMail(app.context);
    }
    await app.pool.query(
      `update invitations i set last_invited_at = $1 from users u
       where u.id = i.user_id and u.email = 'quiet@example.org'`,
      [new Date(app.clock.now().getTime() - 84 * DAY_MS)],
    );
  });

  const call = (
    name: 'inviteToQuiz' | 'revokeInvitations' | 'readDelivery',
    body: object,
    id = quiz.id,
  ) => app.call(name, { as: app.admin, params: { id }, body });
  const read = (
    name: 'listInvitations' | 'countInvitations' | 'listInvitationIds' | 'exportInvitations',
    query: Record<string, string | number> = {},
    id = quiz.id,
  ) => app.call(name, { as: app.admin, params: { id }, query });
  const idOf = async (name: string): Promise<string> =>
    (await read('listInvitations', { search: `${name}@` })).body[0].id;
  const names = (rows: { email: string }[]) => rows.map(({ email }) => email.split('@')[0]).sort();

  it.each(INVITATION_STATES)('list the people in state %s, with their number', async (state) => {
    const expected = EXPECTED[state].toSorted();
    const reply = await read('listInvitations', { state });
    expect(names(reply.body)).toEqual(expected);
    expect(reply.headers['x-total-count']).toBe(String(expected.length));
    expect((await read('countInvitations')).body[state]).toBe(expected.length);
    const { ids } = (await read('listInvitationIds', { state })).body;
    expect(ids).toEqual(reply.body.map((row: { id: string }) => row.id));
  });

  it('are narrowed by a search and paged within a state', async () => {
    expect((await read('countInvitations')).body.all).toBe(9);
    expect((await read('countInvitations', { search: 'RUN' })).body).toMatchObject({
      all: 1,
      sent: 1,
      started: 1,
      not_started: 0,
    });
    const pages = await Promise.all(
      [0, 2, 4, 6].map((offset) => read('listInvitations', { state: 'sent', limit: 2, offset })),
    );
    expect(pages.map(({ body: rows }) => rows.length)).toEqual([2, 2, 1, 0]);
    expect(names(pages.flatMap(({ body: rows }) => rows))).toEqual(EXPECTED.sent.toSorted());
  });

  it('explain why a message failed, and when a delayed one is retried', async () => {
    const ids = await Promise.all(['refused', 'busy', 'quiet', 'perhaps'].map(idOf));
    const { mails } = (await call('readDelivery', { ids: [...ids, UNKNOWN] })).body;
    const byId = new Map(mails.map((mail: { id: string }) => [mail.id, mail]));
    expect(mails).toHaveLength(4);
    expect(ids.map((id) => byId.get(id))).toMatchObject([
      {
        state: 'failed',
        lastError: 'There is no mailbox with this address (550 5.1.1 No such person)',
        nextAttemptAt: null,
      },
      {
        state: 'queued',
        attempts: 1,
        lastError:
          'Temporary problem: a rule of the mail server refused the message (451 4.7.1 Greylisted)',
        nextAttemptAt: new Date(app.clock.now().getTime() + 5_000).toISOString(),
      },
      { state: 'sent', attempts: 1, lastError: null },
      { state: 'uncertain', attempts: 1 },
    ]);
  });

  it('list a message that is being sent as waiting', async () => {
    const whose = "where recipient = 'busy@example.org'";
    const { rows } = await app.pool.query(`select next_attempt_at as at from outbox ${whose}`);
    await app.pool.query(
      `update outbox set state = 'sending', claimed_until = next_attempt_at, next_attempt_at = null ${whose}`,
    );
    expect((await read('countInvitations')).body).toMatchObject({ queued: 1, sent: 5, failed: 1 });
    await app.pool.query(
      `update outbox set state = 'queued', claimed_until = null, next_attempt_at = $1 ${whose}`,
      [rows[0].at],
    );
  });

  it('are exported as filtered, guarded against formulas', async () => {
    const { text, headers } = await read('exportInvitations', { state: 'failed' });
    expect(headers['content-type']).toContain('text/csv');
    expect(headers['content-disposition']).toMatch(/filename="invitations_\d{8}-\d{6}\.csv"/);
    const [head, row, ...more] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      '\uFEFFParticipant,Invited At,Mail State,Mail Error,Mail Sent At,Signed In At,Status,Started At,Submitted At,Revoked At,Extra Time Factor',
    );
    expect(row).toMatch(/^refused@example\.org,2026-.*,failed,There is no mailbox .*,not_started,/);
    expect(more).toEqual([]);
    await app.pool.query(`update users set email = '=1+1@example.org' where email like 'quiet@%'`);
    const all = (await read('exportInvitations')).text.trimEnd().split('\r\n');
    expect(all).toHaveLength(10);
    expect(all.filter((line) => line.startsWith("'=1+1@"))).toHaveLength(1);
    await app.pool.query(`update users set email = 'quiet@example.org' where email like '=1+1@%'`);
  });

  it('are exported with names, number and groups once any are known', async () => {
    const setName = (given: string, number: string | null, groups: string) =>
      app.pool.query(
        `update users set given_name = $1, external_id = $2, groups = $3
         where email = 'quiet@example.org'`,
        [given, number, groups],
      );
    await setName('Ada', 'S-1', '{2A,Chess}');
    const [head, ...rows] = (await read('exportInvitations')).text.trimEnd().split('\r\n');
    expect(head).toMatch(/,Extra Time Factor,Given Name,Family Name,Number,Groups$/);
    expect(rows.find((row) => row.startsWith('quiet@'))).toMatch(/,1,Ada,,S-1,2A; Chess$/);
    expect(rows.filter((row) => row.endsWith(',,,,'))).toHaveLength(8);
    const others = (await read('exportInvitations', { state: 'failed' })).text;
    expect(others).not.toContain('Given Name');
    await setName('', null, '{}');
  });

  it('say until when an unused one-time password works, by the end date or the last email', async () => {
    const until = async (name: string) =>
      (await read('listInvitations', { search: `${name}@` })).body[0].codeValidUntil;
    const inDays = (days: number) =>
      new Date(app.clock.now().getTime() + days * DAY_MS).toISOString();
    expect(await until('quiet')).toBe(inDays(6));
    expect(await until('busy')).toBe(inDays(90));
    expect(await until('running')).toBeNull();
    expect(await until('gone')).toBeNull();
    const endAt = (end: string | null) =>
      app.pool.query('update quizzes set end_date = $1 where id = $2', [end, quiz.id]);
    const ending = async () => (await read('countInvitations')).body.code_ending;
    await endAt(inDays(200));
    expect(await until('quiet')).toBe(inDays(200));
    expect(await ending()).toBe(0);
    await endAt(inDays(6));
    // The others were invited today: they have had no time yet.
    expect(await ending()).toBe(EXPECTED.code_ending.length);
    const openAt = (at: string | null) =>
      app.pool.query('update quizzes set opens_at = $1 where id = $2', [at, quiz.id]);
    await openAt(inDays(5));
    expect(await ending()).toBe(0);
    await openAt(null);
    await endAt(inDays(-1));
    expect(await ending()).toBe(0);
    await endAt(null);
  });

  it('count failed ones for the dashboard while their assessment is open', async () => {
    const problems = async () =>
      (await app.call('getMailProblems', { as: app.admin })).body as { quizzes: object[] };
    expect(await problems()).toEqual({
      quizzes: [{ id: quiz.id, title: 'Network Fundamentals', failed: 1 }],
      other: 0,
      delayed: 0,
    });
    await app.pool.query(`update outbox set attempts = 3 where state in ('queued', 'uncertain')
      and recipient in ('busy@example.org', 'perhaps@example.org')`);
    expect(await problems()).toMatchObject({ delayed: 2 });
    await app.pool.query('update quizzes set is_active = false where id = $1', [quiz.id]);
    expect(await problems()).toMatchObject({ quizzes: [] });
    await app.pool.query('update quizzes set is_active = true where id = $1', [quiz.id]);
  });
});

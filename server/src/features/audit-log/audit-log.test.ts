import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  beginAttempt,
  confirmPassword,
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sealAudit, verifyAudit } from '../../trust/seal-audit.ts';

describe('the audit log', () => {
  const app = setUpAppWithAdmin();
  let quizId: string;

  beforeAll(async () => {
    quizId = (await makeQuiz(app, app.admin)).id;
  });
  const list = (query: Record<string, string | number> = {}) =>
    app.call('listAudit', { as: app.admin, query });

  it('shows who did what to whom, newest first', async () => {
    const { body, headers } = await list();
    expect(body[0]).toEqual({
      id: expect.any(String),
      number: null,
      at: app.clock.now().toISOString(),
      adminId: expect.any(String),
      adminEmail: 'admin@example.org',
      action: 'questions.added',
      subjectType: 'quiz',
      subjectId: quizId,
      subjectName: 'Network Fundamentals',
      details: expect.any(Object),
    });
    expect(body.map((entry: { action: string }) => entry.action)).toEqual([
      'questions.added',
      'quiz.created',
      'category.created',
      'admin.signed_in',
    ]);
    expect(headers['x-total-count']).toBe(String(body.length));
  });

  it('is searched by action, id and address, and % is a plain character', async () => {
    const found = async (search: string) =>
      (await list({ search })).body.map((entry: { action: string }) => entry.action);
    expect(await found('SIGNED')).toEqual(['admin.signed_in']);
    expect(await found(quizId)).toEqual(['questions.added', 'quiz.created']);
    expect((await found('admin@EXAMPLE')).length).toBeGreaterThan(3);
    expect(await found('%')).toEqual([]);
    expect((await list({ search: 'quiz', limit: 1, offset: 1 })).body).toMatchObject([
      { action: 'quiz.created' },
    ]);
  });

  it('exports CSV, oldest first, with nothing that a spreadsheet executes', async () => {
    await app.context.db.execute(
      `insert into audit_entries (id, at, action, details)
       values (gen_random_uuid(), '2020-01-01', 'test.entry', '"=1+1"')`,
    );
    const reply = await app.call('exportAudit', { as: app.admin });
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit_log.csv"',
    });
    const rows: string[][] = parse(reply.text, { bom: true });
    expect(rows[0]).toEqual([
      'Number',
      'Time',
      'Administrator',
      'Action',
      'Subject',
      'Subject Id',
      'Details',
      'Subject Name',
    ]);
    expect(rows.find(([, , , action]) => action === 'quiz.created')?.at(-1)).toBe(
      'Network Fundamentals',
    );
    expect(rows[1]?.slice(2, 4)).toEqual(['System', 'test.entry']);
    const total = Number((await list()).headers['x-total-count']);
    expect(rows).toHaveLength(total + 1);
  });

  it('has everything that leaves with its keys or results, and who looked at a record', async () => {
    const attempt = await beginAttempt(app, app.admin);
    await attempt.submit();
    const { quiz, id } = attempt;
    const as = app.admin;
    const fetched = [
      await app.call('exportParticipants', { as }),
      await app.call('exportParticipants', {
        as,
        query: { quizId: quiz.id, search: 'person', questions: 'true' },
      }),
      await app.call('exportInvitations', { as, params: { id: quiz.id } }),
      await app.call('exportAudit', { as }),
      await app.call('getParticipantRecord', { as, params: { id } }),
    ];
    expect(fetched.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const body = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>');
    const headers = { 'content-type': 'image/svg+xml' };
    const image = await app.call('uploadImage', { as, body, headers });
    expect(image.status).toBe(201);
    const adminId = (await app.call('me', { as })).body.user.id;
    const entry = (action: string, subjectId: string | null, details: object | null) =>
      expect.objectContaining({ action, adminId, subjectId, details });
    expect((await list({ limit: 6 })).body).toEqual([
      entry('image.uploaded', null, { image: image.body.hash }),
      entry('participant.viewed', id, null),
      entry('audit.exported', null, null),
      entry('invitations.exported', quiz.id, { count: 1 }),
      // Not what was searched for: it may be an address.
      entry('participants.exported', quiz.id, { withQuestions: true, isFiltered: true }),
      entry('participants.exported', null, { withQuestions: false, isFiltered: false }),
    ]);

    // Once an hour for each administrator, and not on the record itself.
    const views = async () => (await list({ search: 'participant.viewed' })).body.length;
    const record = (cookie: string) =>
      app.call('getParticipantRecord', { as: cookie, params: { id } });
    expect(JSON.stringify((await record(app.admin)).body)).not.toContain('participant.viewed');
    expect(await views()).toBe(1);
    await record(await signInAdmin(app, 'second@example.org'));
    expect(await views()).toBe(2);
    for (const expected of [2, 2, 3]) {
      app.clock.advance({ minutes: 20 });
      await record(app.admin);
      expect(await views()).toBe(expected);
    }
  });

  it('shows reasons to administrators, and not to someone who has only the tables', async () => {
    const { userId } = await inviteCandidate(app, app.admin, quizId, 'sealed@example.org');
    const invitations = await app.call('listInvitations', {
      as: app.admin,
      params: { id: quizId },
    });
    const reason = 'Has a certificate for dyslexia';
    const changed = await app.call('updateInvitation', {
      as: app.admin,
      params: { id: invitations.body[0].id },
      body: { extraTimeFactor: 1.5, cameraEnabled: true, microphoneEnabled: true, reason },
    });
    expect(changed.status).toBe(200);
    const entry = async () =>
      (await list({ search: 'invitation.accommodated' })).body[0].details as object;
    expect(await entry()).toMatchObject({ extraTimeFactor: 1.5, reason });
    const { rows } = await app.pool.query('select details::text as text from audit_entries');
    expect(JSON.stringify(rows)).not.toContain('dyslexia');
    expect((await app.call('exportAudit', { as: app.admin })).text).toContain('dyslexia');

    await sealAudit(app.context);
    const erased = await app.call('erasePerson', {
      as: app.admin,
      params: { id: userId },
      body: { reason: 'Asked for it' },
    });
    expect(erased.status).toBe(204);
    expect(await entry()).toMatchObject({ extraTimeFactor: 1.5, reason: 'Erased' });
    expect((await app.call('exportAudit', { as: app.admin })).text).not.toContain('dyslexia');
    // The chain is intact: it covers the stored ciphertext, not the text.
    await sealAudit(app.context);
    expect((await verifyAudit(app.context)).problem).toBeNull();
  });

  it('shows the current names of assessments and people, and Unknown for erased ones', async () => {
    const attempt = await beginAttempt(app, app.admin);
    const { candidate } = attempt;
    await app.call('sendMessage', {
      as: app.admin,
      params: { id: attempt.id },
      body: { text: 'Please close the window' },
    });
    const nameOf = async (action: string) => (await list({ search: action })).body[0]?.subjectName;
    expect(await nameOf('participant.messaged')).toBe(`${candidate.email}, Network Fundamentals`);
    expect(await nameOf('category.created')).toBe('Category');
    const definition = plainDefinition('Which layer routes?', ['2', '3'], '3');
    await app.call('addToBank', { as: app.admin, body: { definition } });
    expect(await nameOf('questions.added')).toBe('Which layer routes?');
    const asked = await app.call('listOutbox', { as: app.admin });
    const { id, recipient, subject } = asked.body[0];
    await confirmPassword(app, app.admin);
    const read = await app.call('readOutboxMessage', { as: app.admin, params: { id } });
    expect(read.status).toBe(200);
    expect(await nameOf('outbox.message_read')).toBe(`${recipient}, ${subject}`);
    await attempt.submit();
    await app.call('erasePerson', {
      as: app.admin,
      params: { id: candidate.userId },
      body: { reason: 'Asked for it' },
    });
    expect(await nameOf('participant.messaged')).toBe(`Unknown, Network Fundamentals`);
    expect(await nameOf('person.erased')).toBe('Unknown');
  });
});

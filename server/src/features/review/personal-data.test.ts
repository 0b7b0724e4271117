import { PSEUDO } from '@invigil/core/texts/languages';
import {
  beginAttempt,
  type Candidate,
  inviteCandidate,
  inviteForCodes,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { STILL } from '@invigil/testkit/stills';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { deleteExpired } from './delete-expired.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe("a person's data", () => {
  const app = setUpAppWithAdmin();
  let quizId: string;

  beforeAll(async () => {
    quizId = (await makeQuiz(app, app.admin)).id;
  });

  const start = async (candidate: Candidate) =>
    (
      await app.call('startParticipant', {
        as: candidate.cookie,
        body: { consent: { textVersion: '2026-1' }, deviceCheck: { camera: 'Cam of Frida' } },
        address: '203.0.113.77',
      })
    ).body.id as string;
  const submit = (candidate: Candidate, id: string) =>
    app.call('submitParticipant', { as: candidate.cookie, params: { id }, body: { answers: [] } });
  const erase = (id: string, reason = 'Asked for it') =>
    app.call('erasePerson', { as: app.admin, params: { id }, body: { reason } });

  it('is exported as one document, and that is audited', async () => {
    const candidate = await inviteCandidate(app, app.admin, quizId, 'export@example.org');
    const texts = { subject: 'For Frida', message: 'Dear Frida, good luck' };
    const [{ id: invitationId }] = (
      await app.call('listInvitations', {
        as: app.admin,
        params: { id: quizId },
        query: { search: candidate.email },
      })
    ).body;
    const id = await start(candidate);
    const resent = { ids: [invitationId], ...texts };
    await app.call('resendInvitations', { as: app.admin, params: { id: quizId }, body: resent });
    await app.call('sendMessage', {
      as: app.admin,
      params: { id },
      body: { text: 'Hello, Frida' },
    });
    await submit(candidate, id);
    const { body: questions } = await app.call('listQuestions', {
      as: app.admin,
      params: { id: quizId },
    });
    const [{ id: questionId, options }] = questions;
    const late = { questionId, selectedOption: options[0], isFlagged: false, revision: 9 };
    await app.call('saveAnswers', {
      as: candidate.cookie,
      params: { id },
      body: { answers: [late] },
    });
    await app.call('giveFeedback', {
      as: candidate.cookie,
      body: { participantId: id, emoji: 'sad', text: 'Signed, Frida Kahlo' },
    });
    await app.call('noteParticipant', {
      as: app.admin,
      params: { id },
      body: { note: 'Frida phoned us' },
    });
    await app.call('replaceParticipant', {
      as: app.admin,
      params: { id },
      body: { how: 'another', reason: 'Frida was ill' },
    });
    const reply = await app.call('exportPerson', {
      as: app.admin,
      params: { id: candidate.userId },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="person_${candidate.userId}.json"`,
    );
    expect(JSON.parse(reply.text)).toMatchObject({
      exportedAt: app.clock.now().toISOString(),
      person: { id: candidate.userId, email: 'export@example.org' },
      invitations: [{ quizId, extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true }],
      mail: [
        { kind: 'invitation', quizId, recipient: 'export@example.org', message: null },
        {
          kind: 'invitation',
          quizId,
          recipient: 'export@example.org',
          subject: 'For Frida',
          message: 'Dear Frida, good luck',
          state: 'queued',
          sentAt: null,
        },
      ],
      attempts: [
        {
          participant: { id, status: 'completed' },
          consent: { textVersion: '2026-1', address: '203.0.113.77' },
          deviceCheck: { camera: 'Cam of Frida' },
          feedback: { emoji: 'sad', text: 'Signed, Frida Kahlo' },
          note: 'Frida phoned us',
          messages: [{ text: 'Hello, Frida' }],
          lateAnswers: [{ revision: 9, selectedOption: expect.any(String) }],
          sensors: { camera: 'on', microphone: 'on' },
        },
      ],
    });
    expect(reply.text).not.toContain(candidate.code);
    const log = await app.call('listAudit', {
      as: app.admin,
      query: { search: 'person.exported' },
    });
    expect(log.body).toMatchObject([{ subjectType: 'user', subjectId: candidate.userId }]);
    const unknown = await app.call('exportPerson', { as: app.admin, params: { id: UNKNOWN } });
    expect(unknown.status).toBe(404);
  });

  it('is exported the same in every language', async () => {
    const attempt = await beginAttempt(app, app.admin);
    await attempt.report('tab_hidden', { durationMs: 3_000 });
    await app.pool.query(
      "update violations set notes = 'moved_to_phone' where participant_id = $1",
      [attempt.id],
    );
    const params = { id: attempt.candidate.userId };
    const load = async (headers = {}) =>
      (await app.call('exportPerson', { as: app.admin, params, headers })).text;
    const english = await load();
    expect(english).toContain('The attempt continued on a phone or tablet');
    expect(await load({ 'x-language': PSEUDO.long })).toBe(english);
  });

  it('revokes session and code of the person', async () => {
    const candidate = await inviteCandidate(app, app.admin, quizId, 'gone@example.org');
    await erase(candidate.userId);
    expect((await app.call('me', { as: candidate.cookie })).status).toBe(401);
    const again = await app.call('login', {
      body: { email: candidate.email, password: candidate.code },
    });
    expect(again).toMatchObject({ status: 401, body: { message: 'Invalid credentials' } });
  });

  it('cancels a queued message and deletes the code in it', async () => {
    await inviteForCodes(app, app.admin, quizId, ['waiting@example.org']);
    const person = await app.pool.query(`select id from users where email = 'waiting@example.org'`);
    await erase(person.rows[0].id);
    const { rows } = await app.pool.query(
      `select o.recipient, o.state, o.sealed_code from outbox o
       join invitations i on i.id = o.invitation_id where i.user_id = $1`,
      [person.rows[0].id],
    );
    expect(rows).toEqual([{ recipient: 'Unknown', state: 'failed', sealed_code: null }]);
  });

  it('is called unknown in the language of who reads of it', async () => {
    const candidate = await inviteCandidate(app, app.admin, quizId, 'unnamed@example.org');
    const id = await start(candidate);
    await submit(candidate, id);
    await erase(candidate.userId);
    const read = async (headers = {}) => {
      const as = { as: app.admin, headers };
      const [mail] = (await app.call('listOutbox', { ...as, query: { limit: 1 } })).body;
      const audit = (await app.call('listAudit', { ...as, query: { search: 'person.erased' } }))
        .body;
      const record = (await app.call('getParticipantRecord', { ...as, params: { id } })).body;
      const stats = (await app.call('getStats', as)).body;
      return [
        ...[mail.recipient, audit[0].subjectName, record.consent.address],
        stats.recentActivity.find((one: { participantId: string }) => one.participantId === id)
          .description,
      ];
    };
    expect(await read()).toEqual([
      ...['Unknown', 'Unknown', 'Unknown'],
      'Unknown completed Network Fundamentals',
    ]);
    const inAnother = await read({ 'x-language': PSEUDO.long });
    expect(inAnother.join()).toContain('Üñķñöŵñ');
    expect(inAnother.join()).not.toMatch(/Unknown|completed/);
  });

  it('allows the same address to be invited again, as a new person', async () => {
    const first = await inviteCandidate(app, app.admin, quizId, 'again@example.org');
    await erase(first.userId);
    const second = await inviteCandidate(app, app.admin, quizId, 'again@example.org');
    expect(second.userId).not.toBe(first.userId);
    expect((await app.call('me', { as: second.cookie })).status).toBe(200);
  });

  it('is not erased during an attempt, for an unknown person, or without a reason', async () => {
    const candidate = await inviteCandidate(app, app.admin, quizId, 'writing@example.org');
    await start(candidate);
    expect(await erase(candidate.userId)).toMatchObject({
      status: 409,
      body: { code: 'STILL_RUNNING' },
    });
    expect((await app.call('me', { as: candidate.cookie })).status).toBe(200);
    expect((await erase(UNKNOWN)).status).toBe(404);
    expect(await erase(candidate.userId, ' ')).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'reason', message: 'Give a reason' }] },
    });
  });

  it('is exported with the evidence, until its retention ends', async () => {
    const candidate = await inviteCandidate(app, app.admin, quizId, 'seen@example.org');
    const id = await start(candidate);
    const body = { participantId: id, violationType: 'window_blur', notes: null };
    const reported = await app.call('reportViolation', { as: candidate.cookie, body });
    const violationId = reported.body.id;
    const levels = { offsetMs: -300, everyMs: 300, values: [4, 61] };
    for (const offsetMs of [-1_000, 0]) {
      const reply = await app.call('uploadEvidence', {
        as: candidate.cookie,
        params: { id },
        body: { id: newId(), violationId, stills: [{ offsetMs, jpeg: STILL }], levels },
      });
      expect(reply.status).toBe(201);
    }
    await submit(candidate, id);
    const exportedEvidence = async () => {
      const reply = await app.call('exportPerson', {
        as: app.admin,
        params: { id: candidate.userId },
      });
      return JSON.parse(reply.text).attempts[0].evidence;
    };
    expect(await exportedEvidence()).toMatchObject([
      { participantId: id, stills: [{ offsetMs: -1_000, jpeg: STILL }], levels },
      { participantId: id, stills: [{ offsetMs: 0, jpeg: STILL }], levels },
    ]);
    const afterRetention = new Date(app.clock.now().getTime() + 91 * 24 * 3_600_000);
    await deleteExpired(app.context, afterRetention);
    expect(await exportedEvidence()).toEqual([]);
  });
});

import {
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { findMessage } from '../../db/queries/outbox.ts';
import { openMessage } from '../invitations/outbox.ts';

describe('an attempt that has ended', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { title: 'Safety', duration: 10, closingMail: true });
  });

  async function sitting() {
    const begun = await beginAttempt(app, app.admin, quiz);
    const { candidate, id } = begun;
    return {
      ...begun,
      report: async (violationType: string, more?: object) =>
        (await begun.report(violationType, more)).body.id,
      read: () => app.call('getEndedAttempt', { as: candidate.cookie, params: { id } }),
      signIn: () =>
        app.call('login', { body: { email: candidate.email, password: candidate.code } }),
    };
  }
  let sat: Awaited<ReturnType<typeof sitting>>;
  beforeEach(async () => {
    n += 1;
    app.admin = await signInAdmin(app, `ended-admin${n}@example.org`);
    sat = await sitting();
  });

  /** Sends a note without being signed in. */
  const note = (violation: string, given: object) =>
    app.call('noteAfterEnd', {
      params: { id: violation },
      body: { participantId: sat.id, note: 'My pen fell', ...given },
    });

  it.each([
    [
      'alone, with a sentence',
      { message: ' The room has to be cleared. ' },
      'The room has to be cleared.',
    ],
    ['alone, without one', {}, undefined],
    ['with others', null, 'For all of you'],
  ])('by an administrator says so and takes a note: %s', async (_, body, message) => {
    const given = { reason: 'Phone seen on the desk' };
    const ended = await (body === null
      ? app.call('applyToMany', {
          as: app.admin,
          body: {
            ...{ id: newId(), ids: [sat.id], ...given },
            action: { kind: 'end', message: 'For all of you' },
          },
        })
      : app.call('endParticipant', {
          as: app.admin,
          params: { id: sat.id },
          body: { ...given, ...body },
        }));
    expect(ended.status).toBe(200);
    await passTime(app, { seconds: 12 });
    const read = (await sat.read()).body;
    expect(read.summary.submissionType).toBe('database');
    expect(read.message).toBe(message);
    // The reason is the administrator's own.
    expect(JSON.stringify(read)).not.toContain('Phone');
    expect(read.detected).toMatchObject([{ type: 'ended_by_person', counted: false, note: null }]);
    const [{ id }] = read.detected;
    expect((await note(id, { token: read.notes.token, note: 'It was a calculator' })).status).toBe(
      200,
    );
    const record = await sat.record();
    expect(record.body.participant).toMatchObject({ toReview: false, reviewFlags: 0 });
    expect(record.body.violations).toMatchObject([
      { type: 'ended_by_person', level: 'info', candidateNote: 'It was a calculator' },
    ]);
  });

  it('by the candidate while an administrator ends it is submitted by the candidate', async () => {
    const body = { reason: 'r', message: 'Time to go' };
    await app.call('endParticipant', { as: app.admin, params: { id: sat.id }, body });
    await sat.submit();
    const read = (await sat.read()).body;
    expect(read).toMatchObject({ summary: { submissionType: 'manual' }, detected: [] });
    expect(read).not.toHaveProperty('message');
  });

  it('is described to its candidate, and again at each later sign-in, without a score', async () => {
    expect(await sat.read()).toMatchObject({ status: 409, body: { code: 'STILL_RUNNING' } });
    const seen = await sat.report('face_not_detected');
    await sat.report('window_blur');
    const { body } = await sat.submit();
    const ended = (await sat.read()).body;
    expect(ended).toMatchObject({
      participantId: sat.id,
      title: 'Safety',
      submittedAt: app.clock.now().toISOString(),
      timeZone: app.context.config.timeZone,
      summary: { status: 'completed', submissionType: 'manual', violationCount: 1 },
      receipt: body.receipt,
      ending: null,
      detected: [{ id: seen, type: 'face_not_detected', counted: true, note: null }],
    });
    expect(JSON.stringify(ended)).not.toMatch(/score|points|marks/i);
    expect(await sat.signIn()).toMatchObject({
      status: 403,
      body: {
        code: 'ALREADY_COMPLETED',
        message: 'You have already completed this test',
        details: { ended },
      },
    });
  });

  it('names the violation and the limit that ended it, to the candidate, by mail and in the record', async () => {
    await sat.report('camera_covered', { durationMs: 5_000 });
    const last = await sat.report('tab_hidden', { durationMs: 3_000 });
    // It counts as well, but reaches no limit.
    await sat.report('voice_detected');
    await passTime(app, { seconds: 2 });
    const { ended, status } = (await sat.signIn()).body.details;
    expect(status).toBe('dismissed');
    expect(ended.ending).toEqual({ type: 'tab_hidden', durationMs: 3_000, limit: 1 });
    expect((await sat.record()).body.endingViolationId).toBe(last);
    expect(ended.detected.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['voice_detected', 'tab_hidden', 'camera_covered']),
    );
    const { rows } = await app.pool.query('select id from outbox where participant_id = $1', [
      sat.id,
    ]);
    const row = await findMessage(app.context.db, rows[0].id);
    const mail = row && (await openMessage(app.context, row));
    const why =
      "Your assessment was ended under its rules. You left this page for 3 seconds. Under this assessment's rules, that ends it.";
    expect(mail?.text).toContain(why);
    expect(mail?.html).toContain(why.replace("'", '&#39;'));
  });

  it('takes notes with its token for ten minutes, and with no other', async () => {
    const seen = await sat.report('face_not_detected');
    await sat.submit();
    const { notes } = (await sat.read()).body;
    const other = await sitting();
    const foreign = await other.report('face_not_detected');
    await other.submit();
    const otherNotes = (await other.read()).body.notes;
    await app.call('logout', { as: sat.candidate.cookie });

    expect(await note(seen, { token: notes.token })).toMatchObject({
      status: 200,
      body: { id: seen, note: 'My pen fell' },
    });
    expect((await sat.signIn()).body.details.ended.detected[0].note).toBe('My pen fell');
    for (const [violation, given] of [
      [seen, { token: otherNotes.token }],
      [seen, { token: '' }],
      [foreign, { token: notes.token }],
      [foreign, { token: notes.token, participantId: other.id }],
    ] as const) {
      expect((await note(violation, given)).status).toBe(404);
    }
    app.clock.advance({ minutes: 10, ms: 1 });
    expect(await note(seen, { token: notes.token })).toMatchObject({
      body: { code: 'NOTE_CLOSED' },
    });
    expect((await sat.signIn()).body.details.ended.notes).toBeNull();
  });
});

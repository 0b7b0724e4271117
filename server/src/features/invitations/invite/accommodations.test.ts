import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const MINUTE = 60_000;

describe('extra time and sensor switches for one person', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let id: string;
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 20 });
    candidate = await inviteCandidate(app, app.admin, quiz.id);
    id = (await list())[0].id;
  });

  const list = async () =>
    (await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } })).body;
  const change = (body: object = {}) =>
    app.call('updateInvitation', {
      as: app.admin,
      params: { id },
      body: {
        extraTimeFactor: 1.25,
        cameraEnabled: false,
        microphoneEnabled: true,
        reason: 'A doctor’s note',
        ...body,
      },
    });
  const start = () => app.call('startParticipant', { as: candidate.cookie, body: {} });

  it.each([
    ['less than the full time', { extraTimeFactor: 0.5 }, 'extraTimeFactor'],
    ['more than ten times', { extraTimeFactor: 10.01 }, 'extraTimeFactor'],
    ['a string', { extraTimeFactor: '2' }, 'extraTimeFactor'],
    ['nothing', { extraTimeFactor: null }, 'extraTimeFactor'],
    ['a switch as a string', { cameraEnabled: 'off' }, 'cameraEnabled'],
    ['no reason', { reason: ' ' }, 'reason'],
    ['a long reason', { reason: 'x'.repeat(501) }, 'reason'],
  ])('are refused for %s', async (_, body, path) => {
    expect(await change(body)).toMatchObject({ status: 400, body: { issues: [{ path }] } });
    expect((await list())[0]).toMatchObject({ extraTimeFactor: 1, cameraEnabled: true });
  });

  it('stay as they are where nothing is said of them', async () => {
    await change({ faceCovered: true });
    const rest = { extraTimeFactor: undefined, microphoneEnabled: undefined };
    expect((await change({ ...rest, cameraEnabled: true })).body).toMatchObject({
      ...{ extraTimeFactor: 1.25, cameraEnabled: true, microphoneEnabled: true, faceCovered: true },
    });
  });

  it('are refused once the attempt has started, and after its end', async () => {
    const { body } = await start();
    expect(await change()).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_STARTED' },
    });
    await app.call('submitParticipant', {
      as: candidate.cookie,
      params: { id: body.id },
      body: {},
    });
    expect((await change()).status).toBe(409);
  });

  it('give the person more time from the start, exact to the second', async () => {
    expect(await change()).toMatchObject({
      status: 200,
      body: { id, extraTimeFactor: 1.25, cameraEnabled: false, microphoneEnabled: true },
    });
    // Before the start the instructions can show it.
    const { body: account } = await app.call('me', { as: candidate.cookie });
    expect(account).toMatchObject({ quiz: { duration: 20 }, extraTimeFactor: 1.25 });
    const { email, code } = candidate;
    const again = await app.call('login', { body: { email, password: code } });
    expect(again.body.extraTimeFactor).toBe(1.25);
    candidate = { ...candidate, cookie: again.cookie ?? '' };
    expect((await start()).body.remainingMs).toBe(25 * MINUTE);
    expect((await list())[0]).toMatchObject({ extraTimeFactor: 1.25, cameraEnabled: false });
  });

  it('switch a sensor off for this person only, before the start and after it', async () => {
    const colleague = await inviteCandidate(app, app.admin, quiz.id, 'colleague@example.org');
    await change();
    const policies = async (as: string) => [
      (await app.call('me', { as })).body.quiz.policy,
      (await app.call('startParticipant', { as, body: {} })).body.policy,
      (await app.call('me', { as })).body.attempt.policy,
    ];
    for (const policy of await policies(candidate.cookie)) {
      expect(policy).toMatchObject({ preset: 'strict', camera: false, microphone: true });
    }
    for (const policy of await policies(colleague.cookie)) {
      expect(policy).toMatchObject({ preset: 'strict', camera: true, microphone: true });
    }
  });

  it('allow a partly covered face, so that a missing face never counts', async () => {
    const colleague = await inviteCandidate(app, app.admin, quiz.id, 'colleague@example.org');
    expect((await list())[0]).not.toHaveProperty('faceCovered');
    const changed = await change({ cameraEnabled: true, faceCovered: true });
    expect(changed.body).toMatchObject({ cameraEnabled: true, faceCovered: true });
    const report = async (as: string) => {
      const { body: account } = await app.call('me', { as });
      const { body: attempt } = await app.call('startParticipant', { as, body: {} });
      const body = { participantId: attempt.id, violationType: 'face_not_detected' };
      const { body: answer } = await app.call('reportViolation', { as, body });
      const record = await app.call('getParticipantRecord', {
        as: app.admin,
        params: { id: attempt.id },
      });
      return {
        covered: [account.quiz, attempt, record.body].map(({ policy }) => policy.faceCovered),
        counted: answer.counted,
        recorded: record.body.violations.map((v: { type: string }) => v.type),
      };
    };
    const recorded = ['face_not_detected'];
    expect(await report(candidate.cookie)).toEqual({
      covered: [true, true, true],
      counted: false,
      recorded,
    });
    expect(await report(colleague.cookie)).toEqual({
      covered: [undefined, undefined, undefined],
      counted: true,
      recorded,
    });
  });

  it('never switch on a sensor that the assessment does not use', async () => {
    quiz = await makeQuiz(app, app.admin, { policy: OFF_POLICY });
    candidate = await inviteCandidate(app, app.admin, quiz.id);
    id = (await list())[0].id;
    await change({ cameraEnabled: true, microphoneEnabled: true });
    expect((await start()).body.policy).toMatchObject({ camera: false, microphone: false });
  });

  it('can be reset before the start, and apply to this assessment only', async () => {
    const other = await makeQuiz(app, app.admin, { duration: 20 });
    const there = await inviteCandidate(app, app.admin, other.id);
    await change({ extraTimeFactor: 3 });
    const started = await app.call('startParticipant', { as: there.cookie, body: {} });
    expect(started.body.remainingMs).toBe(20 * MINUTE);
    await change({ extraTimeFactor: 1, cameraEnabled: true });
    expect((await start()).body.remainingMs).toBe(20 * MINUTE);
  });

  it('remain when the invitation is resent, and appear in its message', async () => {
    await change({ extraTimeFactor: 1.5 });
    const params = { id: quiz.id };
    await app.call('resendInvitations', { as: app.admin, params, body: { ids: [id] } });
    const { rows } = await app.pool.query(
      "select variables ->> 'durationMinutes' as minutes from outbox where state = 'queued' and invitation_id = $1",
      [id],
    );
    expect(rows).toEqual([{ minutes: '30' }]);
    expect((await list())[0].extraTimeFactor).toBe(1.5);
  });

  it('racing a start result in the old time or the new, as the reply says', async () => {
    const [changed, started] = await Promise.all([change({ extraTimeFactor: 2 }), start()]);
    expect(started.status).toBe(201);
    expect([changed.status, started.body.remainingMs]).toEqual(
      changed.status === 200 ? [200, 40 * MINUTE] : [409, 20 * MINUTE],
    );
  });
});

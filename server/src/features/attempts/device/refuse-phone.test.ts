import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type Candidate,
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

const PHONE = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile' };

describe('an assessment that requires a camera', () => {
  const app = setUpAppWithAdmin();
  let quizId: string;
  let candidate: Candidate;
  const quizWith = async (change: object) => {
    quizId = (await makeQuiz(app, app.admin, { policy: { ...STRICT_POLICY, ...change } })).id;
    candidate = await inviteCandidate(app, app.admin, quizId);
  };
  beforeEach(() => quizWith({ preset: 'custom', cameraRequired: true }));

  const start = (body: object = {}, headers: Record<string, string> = {}, as = candidate.cookie) =>
    app.call('startParticipant', { as, body, headers });
  const rows = async (table: 'participants' | 'violations') => {
    const join = table === 'violations' ? 'join participants p on p.id = v.participant_id' : '';
    const text = `select v.* from ${table} v ${join} where quiz_id = $1`;
    return (await app.pool.query(text, [quizId])).rows;
  };

  it.each<[string, object, Record<string, string>]>([
    ['reports it itself', { mobile: true }, {}],
    ['is detected from its requests', { mobile: false }, PHONE],
    ['reports it against its client hint', { mobile: true }, { 'sec-ch-ua-mobile': '?0' }],
  ])(
    'refuses a phone that %s, starting nothing and keeping the code valid',
    async (_, body, headers) => {
      expect(await start(body, headers)).toMatchObject({
        status: 403,
        body: { code: 'CAMERA_REQUIRED', message: expect.stringContaining('on a computer') },
      });
      expect(await rows('participants')).toEqual([]);
      const computer = await signInCandidate(app, candidate.email, candidate.code);
      expect((await start({ mobile: false }, {}, computer.cookie)).status).toBe(201);
    },
  );

  it('accepts a phone when the camera is switched off for the person', async () => {
    const params = { id: quizId };
    const [invitation] = (await app.call('listInvitations', { as: app.admin, params })).body;
    await app.call('updateInvitation', {
      as: app.admin,
      params: { id: invitation.id },
      body: { extraTimeFactor: 1, cameraEnabled: false, microphoneEnabled: true, reason: 'Agreed' },
    });
    expect((await start({ mobile: true }, PHONE)).status).toBe(201);
  });

  it.each([
    ['does not require one', { cameraRequired: false }],
    ['uses none at all', { camera: false, cameraRequired: true }],
  ])('accepts a phone where the policy %s', async (_, change) => {
    await quizWith({ preset: 'custom', ...change });
    expect((await start({ mobile: true }, PHONE)).status).toBe(201);
  });

  it('accepts a phone under a policy stored before the setting existed', async () => {
    await app.pool.query(
      "update quiz_policies set settings = settings - 'cameraRequired' where quiz_id = $1",
      [quizId],
    );
    expect((await start({ mobile: true }, PHONE)).body).toMatchObject({
      status: 'in_progress',
      policy: { camera: true, cameraRequired: false },
    });
  });

  it('applies the policy under which a reinstated attempt began', async () => {
    const { body } = await start();
    const params = { id: body.id };
    await app.call('submitParticipant', { as: candidate.cookie, params, body: {} });
    const again = { how: 'reinstate', reason: 'It was a mistake' };
    await app.call('replaceParticipant', { as: app.admin, params, body: again });
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    const quiz = quizzes.find((one: { id: string }) => one.id === quizId);
    const change = { ...quiz, policy: STRICT_POLICY };
    await app.call('updateQuiz', { as: app.admin, params: { id: quizId }, body: change });
    const back = await signInCandidate(app, candidate.email, candidate.code);
    expect((await start({}, PHONE, back.cookie)).body.code).toBe('CAMERA_REQUIRED');
  });

  it('lets a running attempt continue on a phone, with one flag for the reviewer', async () => {
    const { body } = await start();
    for (const _ of [1, 2]) {
      expect(await start({ mobile: true }, PHONE)).toMatchObject({
        status: 200,
        body: { id: body.id, violationCount: 0 },
      });
    }
    expect(await rows('violations')).toMatchObject([
      { type: 'camera_lost', counted: false, notes: expect.stringContaining('phone') },
    ]);
  });
});

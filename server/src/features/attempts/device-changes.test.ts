import {
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '@invigil/core/domain/violations/violation-policy';
import {
  type Candidate,
  inviteCandidate,
  makeQuiz,
  setUpAppWithAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../jobs/close-due-participants.ts';

const app = setUpAppWithAdmin();

const COMPUTER = {
  'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36',
  'sec-ch-ua-mobile': '?0',
};
const PHONE = {
  'user-agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36',
  'sec-ch-ua-mobile': '?1',
};
const MAC = {
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15',
};
const HERE = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

let candidate: Candidate;

describe('an attempt that changes its device', () => {
  let id: string;
  let n = 0;
  const enter = async (policy: object = STRICT_POLICY) => {
    n += 1;
    const quiz = await makeQuiz(app, app.admin, { policy });
    candidate = await inviteCandidate(app, app.admin, quiz.id, `moves${n}@example.org`);
  };
  beforeEach(() => enter());

  type Headers = Record<string, string>;
  const start = async (headers: Headers, address = HERE, body: object = {}) => {
    const reply = await app.call('startParticipant', {
      as: candidate.cookie,
      body: { mobile: headers === PHONE, ...body },
      headers,
      address,
    });
    id = reply.body.id;
    return reply;
  };
  const sendHeartbeat = (headers: Headers, address = HERE) =>
    app.call('heartbeat', {
      as: candidate.cookie,
      params: { id },
      body: { seq: 1, monitor: {} },
      headers,
      address,
    });
  const report = (headers: Headers, violationType: string) =>
    app.call('reportViolation', {
      as: candidate.cookie,
      body: { participantId: id, violationType, durationMs: 60_000 },
      headers,
      address: HERE,
    });
  const hide = (headers: Headers) => report(headers, 'tab_hidden');
  const record = async () =>
    (await app.call('getParticipantRecord', { as: app.admin, params: { id } })).body;
  const changes = async () =>
    (await record()).events
      .filter(({ kind }: { kind: string }) => kind === 'device_changed')
      .map(({ details }: { details: unknown }) => details);
  const flags = async () => (await record()).violations.map((v: { type: string }) => v.type);
  const pass = async (ms: number) => {
    app.clock.advance({ ms });
    await closeDueParticipants(app.context);
  };

  describe('follows the tab rule of computers when a computer was used', () => {
    it('before a resume with phone headers: the first tab switch ends it', async () => {
      await start(COMPUTER);
      expect((await start(PHONE)).body).toMatchObject({ computerUsed: true });
      expect((await hide(PHONE)).body).toMatchObject({ counted: true, remaining: 0 });
      await pass(1_001);
      expect((await record()).participant.status).toBe('dismissed');
    });

    it('between two phone sessions', async () => {
      expect((await start(PHONE)).body).not.toHaveProperty('computerUsed');
      await start(COMPUTER);
      await start(PHONE);
      expect((await hide(PHONE)).body.remaining).toBe(0);
    });

    it('for requests in a session that began as a phone', async () => {
      await start(PHONE);
      expect((await hide(COMPUTER)).body.remaining).toBe(0);
      expect(await record()).toMatchObject({ isPhone: false, computerUsed: true });
    });

    it('for a single heartbeat', async () => {
      await start(PHONE);
      await sendHeartbeat(COMPUTER);
      await sendHeartbeat(PHONE);
      expect((await hide(PHONE)).body.remaining).toBe(0);
    });

    it('before a reinstatement', async () => {
      await start(COMPUTER);
      await hide(COMPUTER);
      await pass(1_001);
      const again = { how: 'reinstate', reason: 'A mistake' };
      await app.call('replaceParticipant', { as: app.admin, params: { id }, body: again });
      candidate.cookie = (await signInCandidate(app, candidate.email, candidate.code)).cookie;
      await start(PHONE);
      expect((await hide(PHONE)).body.remaining).toBe(0);
    });
  });

  it('keeps the warnings of the phone on the computer', async () => {
    await start(PHONE);
    for (const left of [4, 3, 2, 1]) expect((await hide(PHONE)).body.remaining).toBe(left);
    await start(COMPUTER);
    expect((await report(COMPUTER, 'fullscreen_exit')).body.remaining).toBe(0);
  });

  it('follows the tab rule of phones when only phones were used, an iPad among them', async () => {
    await start(PHONE);
    await sendHeartbeat(PHONE);
    expect((await hide(PHONE)).body.remaining).toBe(4);
    await enter();
    await start(MAC, HERE, { mobile: true });
    await sendHeartbeat(MAC);
    expect((await hide(MAC)).body.remaining).toBe(4);
    expect(await changes()).toEqual([]);
    expect(await record()).toMatchObject({ isPhone: true, computerUsed: false });
  });

  it('is recorded with device, browser and network, each once', async () => {
    await start(COMPUTER);
    await sendHeartbeat(COMPUTER);
    await start(PHONE, ELSEWHERE);
    await sendHeartbeat(PHONE, ELSEWHERE);
    await sendHeartbeat(
      { ...PHONE, 'user-agent': PHONE['user-agent'].replace('Chrome', 'Firefox') },
      ELSEWHERE,
    );
    expect(await changes()).toEqual([
      {
        from: { kind: 'computer', ipv4: '203.0.0.0/16' },
        to: { kind: 'phone', ipv4: '198.51.0.0/16' },
      },
      { from: { browser: 'Chrome' }, to: { browser: 'Firefox' } },
    ]);
    expect((await record()).participant).toMatchObject({
      status: 'in_progress',
      violationCount: 0,
    });
  });

  it('is recorded for at most 50 changes, and flagged as moved to a phone even beyond them', {
    tags: 'long',
  }, async () => {
    await enter(REVIEW_POLICY);
    await start(COMPUTER);
    for (let i = 0; i < 30; i += 1) {
      await sendHeartbeat(COMPUTER, ELSEWHERE);
      await sendHeartbeat(COMPUTER);
    }
    expect(await flags()).toEqual([]);
    expect(await changes()).toHaveLength(50);
    await sendHeartbeat(PHONE);
    expect(await changes()).toHaveLength(50);
    expect(await flags()).toEqual(['camera_lost']);
  });

  it('is recorded gradually when many change at once, delaying no one', async () => {
    const quiz = await makeQuiz(app, app.admin, { policy: OFF_POLICY });
    const attempts = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const who = await inviteCandidate(app, app.admin, quiz.id, `many${i}@example.org`);
        const { body } = await app.call('startParticipant', {
          as: who.cookie,
          body: { mobile: false },
          headers: COMPUTER,
          address: HERE,
        });
        return { as: who.cookie, params: { id: body.id } };
      }),
    );
    const noted = async () => {
      const { rows } = await app.pool.query(
        `select count(*)::int as n from participant_events
         where kind = 'device_changed' and participant_id = any($1)`,
        [attempts.map(({ params }) => params.id)],
      );
      return rows[0].n;
    };
    const heartbeatAll = () =>
      Promise.all(
        attempts.map((one) =>
          app.call('heartbeat', {
            ...one,
            body: { seq: 1, monitor: {} },
            headers: COMPUTER,
            address: ELSEWHERE,
          }),
        ),
      );
    const replies = await heartbeatAll();
    expect(replies.map(({ status }) => status)).toEqual(attempts.map(() => 200));
    expect(await noted()).toBeLessThan(attempts.length);
    for (let i = 0; i < attempts.length; i += 1) await heartbeatAll();
    expect(await noted()).toBe(attempts.length);
  });

  it('is flagged once when a computer claims to be a phone, and never counts', async () => {
    const device = { platform: 'Win32', touchPoints: 1, coarsePointer: true };
    for (const _ of [1, 2])
      expect((await start(PHONE, HERE, { device })).body.violationCount).toBe(0);
    expect((await record()).violations).toMatchObject([
      {
        ...{ type: 'device_contradiction', level: 'low', counted: false },
        notes: 'It claims to be a phone or tablet, but runs on Win32.',
      },
    ]);
    await enter();
    await start(PHONE, HERE, { device: { ...device, platform: 'Linux armv81', touchPoints: 5 } });
    expect(await flags()).toEqual([]);
    await start(PHONE, HERE, { device });
    expect(await flags()).toEqual(['device_contradiction']);
  });

  describe('and began with a camera', () => {
    it.each([
      ['resumed on a phone', () => start(PHONE)],
      ['in the middle of a session', () => sendHeartbeat(PHONE)],
    ])('is flagged when it continues without a camera: %s', async (_, move) => {
      await start(COMPUTER);
      await move();
      expect(await flags()).toEqual(['camera_lost']);
      await move();
      expect(await flags()).toEqual(['camera_lost']);
      await start(COMPUTER);
      await move();
      expect(await flags()).toEqual(['camera_lost', 'camera_lost']);
    });

    it('is not flagged where no camera is required, nor where it began on a phone', async () => {
      await start(PHONE);
      await sendHeartbeat(PHONE);
      expect(await flags()).toEqual([]);
      await enter(OFF_POLICY);
      await start(COMPUTER);
      await start(PHONE);
      expect(await flags()).toEqual([]);
    });
  });
});

describe('an assessment that requires a camera', () => {
  let quizId: string;
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
      { type: 'camera_lost', counted: false, notes: 'moved_to_phone' },
    ]);
  });
});

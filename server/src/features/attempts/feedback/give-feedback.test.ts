import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

describe('feedback', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let participantId: string;
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 10 });
  });
  beforeEach(async () => {
    n += 1;
    app.admin = await signInAdmin(app, `admin${n}@example.org`);
    candidate = await inviteCandidate(app, app.admin, quiz.id, `f${n}@example.org`);
    const start = await app.call('startParticipant', { as: candidate.cookie, body: {} });
    participantId = start.body.id;
  });

  const give = (change: object = {}, as = candidate.cookie) =>
    app.call('giveFeedback', { as, body: { participantId, emoji: 'smile', ...change } });
  const submit = () =>
    app.call('submitParticipant', {
      as: candidate.cookie,
      params: { id: participantId },
      body: {},
    });
  const stored = async () =>
    (await app.pool.query('select * from feedback where participant_id = $1', [participantId]))
      .rows;

  it('is refused while the attempt is in progress', async () => {
    expect(await give()).toMatchObject({ status: 403, body: { code: 'FEEDBACK_CLOSED' } });
    expect(await stored()).toEqual([]);
  });

  it('is refused without one of the three emoji, and for another attempt', async () => {
    await submit();
    expect(await give({ emoji: 'angry' })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'emoji', message: 'Select smile, neutral or sad' }] },
    });
    expect((await give({ emoji: undefined })).status).toBe(400);
    expect((await give({ participantId: UNKNOWN })).status).toBe(404);
    const other = await inviteCandidate(app, app.admin, quiz.id, `other${n}@example.org`);
    expect((await give({}, other.cookie)).status).toBe(404);
    expect((await give({}, app.admin)).status).toBe(403);
    expect((await give({}, '')).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it('is accepted until ten minutes after the end', async () => {
    await submit();
    app.clock.advance({ minutes: 10, ms: 1 });
    expect((await give()).body.code).toBe('FEEDBACK_CLOSED');
    app.clock.advance({ ms: -1 });
    expect((await give()).status).toBe(201);
  });

  it('is accepted after an end by the clock', async () => {
    app.clock.advance(afterGrace({ minutes: 10 }));
    await closeDueParticipants(app.context);
    expect((await give({ emoji: 'sad' })).status).toBe(201);
  });

  it('is stored once, as first given', async () => {
    await submit();
    const before = await app.pool.query('select * from participants where id = $1', [
      participantId,
    ]);
    const first = await give({ emoji: 'neutral', text: ' <b>Too</b> long ' });
    expect(first).toMatchObject({ status: 201 });
    expect(first.body).toEqual({
      participantId,
      emoji: 'neutral',
      text: '<b>Too</b> long',
      skipped: false,
    });
    expect(await give({ emoji: 'smile' })).toMatchObject({
      status: 409,
      body: { code: 'FEEDBACK_GIVEN', message: 'Feedback has already been given' },
    });
    expect(await stored()).toMatchObject([
      { emoji: 'neutral', text: '<b>Too</b> long', skipped: false, created_at: app.clock.now() },
    ]);
    const after = await app.pool.query('select * from participants where id = $1', [participantId]);
    expect(after.rows).toEqual(before.rows);
  });

  it('is accepted from one of several concurrent requests', async () => {
    await submit();
    const replies = await Promise.all(Array.from({ length: 6 }, () => give()));
    expect(replies.map((r) => r.status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await stored()).toHaveLength(1);
  });

  it('distinguishes a skipped rating from a selected one', async () => {
    await submit();
    const reply = await give({ skipped: true, text: null });
    expect(reply.body).toEqual({ participantId, emoji: 'smile', text: null, skipped: true });
    expect(await stored()).toMatchObject([{ emoji: 'smile', text: null, skipped: true }]);
  });

  it('has no text when none was given, or a blank one', async () => {
    await submit();
    expect((await give({ text: '  ' })).body.text).toBeNull();
  });
});

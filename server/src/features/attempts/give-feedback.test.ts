import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('feedback', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let attempt: BegunAttempt;
  let participantId: string;
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 10 });
  });
  beforeEach(async () => {
    n += 1;
    app.admin = await signInAdmin(app, `admin${n}@example.org`);
    attempt = await beginAttempt(app, app.admin, quiz);
    participantId = attempt.id;
  });

  const give = (change: object = {}) =>
    app.call('giveFeedback', {
      as: attempt.candidate.cookie,
      body: { participantId, emoji: 'smile', ...change },
    });
  const submit = () => attempt.submit();
  const stored = async () =>
    (await app.pool.query('select * from feedback where participant_id = $1', [participantId]))
      .rows;

  it('is accepted until ten minutes after the end', async () => {
    await submit();
    app.clock.advance({ minutes: 10, ms: 1 });
    expect((await give()).body.code).toBe('FEEDBACK_CLOSED');
    app.clock.advance({ ms: -1 });
    expect((await give()).status).toBe(201);
  });

  it('is accepted after an end by the clock', async () => {
    await passTime(app, afterGrace({ minutes: 10 }));
    expect((await give({ emoji: 'sad' })).status).toBe(201);
  });

  it('is stored once, as first given', async () => {
    await submit();
    const before = await attempt.row();
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
    expect(await attempt.row()).toEqual(before);
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

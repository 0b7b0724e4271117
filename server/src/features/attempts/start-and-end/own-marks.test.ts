import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginAttempt } from '../../../testing/begun-attempt.ts';
import { inviteCandidate, makeQuiz, signInAdmin } from '../../../testing/factories.ts';
import { setNegativeMarks } from '../../../testing/scored-quiz.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

describe('what wrong answers cost', () => {
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  it('is in no reply to a candidate where it is nothing', async () => {
    const attempt = await beginAttempt(app, admin);
    const as = attempt.candidate.cookie;
    const replies = [
      await attempt.start(),
      await app.call('me', { as }),
      await app.call('listParticipants', { as }),
      await app.call('getParticipant', { as, params: { id: attempt.id } }),
    ];
    for (const { status, text } of replies) {
      expect(status).toBe(200);
      expect(text).not.toContain('negativeMarks');
    }
  });

  it('is known before the start, and then stays as the attempt began', async () => {
    const marks = { percent: 25, floor: 'total' } as const;
    const quiz = await makeQuiz(app, admin);
    await setNegativeMarks(app, admin, quiz.id, marks);
    const idle = await inviteCandidate(app, admin, quiz.id, 'idle@example.org');
    const before = (await app.call('me', { as: idle.cookie })).body;
    expect(before).toMatchObject({ quiz: { negativeMarks: marks }, attempt: null });
    const attempt = await beginAttempt(app, admin, quiz);
    const as = attempt.candidate.cookie;
    const later = { percent: 50, floor: 'question' } as const;
    await setNegativeMarks(app, admin, quiz.id, later);
    expect((await attempt.start()).body.negativeMarks).toEqual(marks);
    const query = { userId: attempt.candidate.userId, quizId: quiz.id };
    const [own] = (await app.call('listParticipants', { as, query })).body;
    expect(own.negativeMarks).toEqual(marks);
    const account = (await app.call('me', { as })).body;
    expect(account).toMatchObject({
      quiz: { negativeMarks: later },
      attempt: { negativeMarks: marks },
    });
  });
});

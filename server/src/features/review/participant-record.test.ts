import { type BegunAttempt, beginAttempt, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { beforeEach, describe, expect, it } from 'vitest';

describe('the record of an attempt', () => {
  const app = setUpApp();
  let admin: string;
  let attempt: BegunAttempt;
  let n = 0;
  beforeEach(async () => {
    n += 1;
    admin = await signInAdmin(app, `admin${n}@example.org`);
    attempt = await beginAttempt(app, admin);
  });

  const record = async () => (await attempt.record()).body;
  const note = (text: unknown, id = attempt.id) =>
    app.call('noteParticipant', { as: admin, params: { id }, body: { note: text } });

  describe('the note of one administrator', () => {
    const noteFrom = (from: string, text: string) => {
      const params = { id: attempt.id };
      const body = { note: text, from };
      return app.call('noteParticipant', { as: admin, params, body });
    };

    it('is not overwritten by an edit of an older version', async () => {
      expect(await noteFrom('', 'Phoned us')).toMatchObject({ status: 200 });
      expect(await noteFrom('', 'Looked fine')).toMatchObject({
        status: 409,
        body: { code: 'STALE', details: { note: 'Phoned us' } },
      });
      expect((await record()).note).toBe('Phoned us');
      expect((await noteFrom('Phoned us', 'Phoned us. Looked fine')).status).toBe(200);
      expect((await record()).note).toBe('Phoned us. Looked fine');
    });

    it('is the first of several concurrent ones; the others are refused', async () => {
      const replies = await Promise.all(['A', 'B', 'C'].map((text) => noteFrom('', text)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    });

    it('can be sent again, and without the earlier version', async () => {
      await noteFrom('', 'Phoned us');
      expect((await noteFrom('', 'Phoned us')).status).toBe(200);
      expect((await note('Anything')).status).toBe(200);
      expect((await record()).note).toBe('Anything');
    });
  });

  it('compares each answer with the key, in the order of the paper', async () => {
    const { questions } = attempt.quiz;
    await attempt.save(0, 1, 1);
    await attempt.save(1, 0, 1, true);
    app.clock.advance({ seconds: 30 });
    await attempt.save(2, -1, 1, true);
    const { questions: shown } = await record();
    expect(shown.map((q: { position: number }) => q.position)).toEqual([1, 2, 3, 4, 5]);
    const paper = await app.call('listQuestions', {
      as: attempt.candidate.cookie,
      params: { id: attempt.quiz.id },
      query: { forAssessment: 'true' },
    });
    expect(
      shown.map((q: { questionId: string; options: string[] }) => [q.questionId, q.options]),
    ).toEqual(paper.body.map((q: { id: string; options: string[] }) => [q.id, q.options]));
    const of = (i: number) =>
      shown.find((q: { questionId: string }) => q.questionId === questions[i]?.id);
    expect(of(0)).toMatchObject({
      question: 'Q1',
      correctAnswer: 'Q1 b',
      selectedOption: 'Q1 b',
      isCorrect: true,
      isFlagged: false,
      savedAt: attempt.startedAt.toISOString(),
    });
    expect(of(1)).toMatchObject({
      correctAnswer: 'Q2 b',
      selectedOption: 'Q2 a',
      isCorrect: false,
      isFlagged: true,
    });
    expect(of(2)).toMatchObject({
      selectedOption: '',
      isCorrect: false,
      isFlagged: true,
      savedAt: app.clock.now().toISOString(),
    });
    expect(of(3)).toMatchObject({ selectedOption: '', isFlagged: false, savedAt: null });
  });

  it('has the score of its answers, and the list has the same values', async () => {
    for (const [i, option] of [1, 1, 0, 1].entries()) await attempt.save(i, option, 1);
    await attempt.submit();
    const { participant, questions } = await record();
    const correct = questions.filter((q: { isCorrect: boolean }) => q.isCorrect).length;
    expect(participant).toMatchObject({ score: correct, totalMarks: 5, answeredCount: 4 });
    const query = { quizId: attempt.quiz.id };
    const list = await app.call('listParticipants', { as: admin, query });
    expect(list.body).toEqual([participant]);
  });

  it('shows the consent with its address, and the device', async () => {
    const body = await record();
    expect(body.consent).toEqual({
      textVersion: '1',
      at: attempt.startedAt.toISOString(),
      address: '127.0.0.1',
    });
    expect(body.deviceCheck).toEqual({ browser: 'Test', camera: true });
    expect(body).toMatchObject({ feedback: null, note: '', earlierAttempts: [], actions: [] });
  });

  it('shows the last contact with the candidate', async () => {
    app.clock.advance({ minutes: 3 });
    await attempt.heartbeat();
    const lastContact = app.clock.now().toISOString();
    app.clock.advance({ minutes: 3 });
    expect((await record()).lastSeenAt).toBe(lastContact);
  });

  it('shows the events in order', async () => {
    app.clock.advance({ seconds: 1 });
    await attempt.signIn();
    app.clock.advance({ seconds: 1 });
    await attempt.start();
    app.clock.advance({ seconds: 1 });
    await attempt.submit();
    const { events } = await record();
    expect(events.map((e: { kind: string }) => e.kind)).toEqual([
      'started',
      'signed_in',
      'resumed',
      'ended',
    ]);
    expect(events.at(-1)).toEqual({
      kind: 'ended',
      at: app.clock.now().toISOString(),
      details: { submissionType: 'manual' },
    });
  });

  describe('stores a note', () => {
    it.each([
      ['a missing one', undefined],
      ['a number', 7],
      ['a long one', 'x'.repeat(4_001)],
    ])('but not %s', async (_, text) => {
      expect(await note(text)).toMatchObject({ status: 400, body: { issues: [{ path: 'note' }] } });
      expect((await record()).note).toBe('');
    });

    it('which can be removed, and is logged without its text', async () => {
      await note('She was ill');
      expect((await note('')).status).toBe(200);
      const body = await record();
      expect(body.note).toBe('');
      expect(body.actions.map((d: { action: string }) => d.action)).toEqual([
        'participant.noted',
        'participant.noted',
      ]);
      const { rows } = await app.pool.query('select details::text from audit_entries');
      expect(JSON.stringify(rows)).not.toContain('ill');
    });
  });
});

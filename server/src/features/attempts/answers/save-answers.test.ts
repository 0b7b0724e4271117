import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  type QuestionInput,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDueParticipants } from '../../../jobs/close-due-participants.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';

/** Options as hostile as people and spreadsheets make them (I19). */
const QUESTIONS: QuestionInput[] = [
  ['a, b', 'a', 'b', ','],
  ['"quoted"', 'quoted', "'quoted'", "it's"],
  ['[1, 2]', '["x"]', '1', '2'],
  ['A', 'B', 'a', 'b'],
  ['=1+1', "'=1+1", '日本語', '👩‍💻 שלום'],
].map((options, i) => ({
  question: `Q${i + 1}`,
  options,
  correctAnswer: options[i % 4] ?? '',
}));

describe('saving answers', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let attempt: { id: string; deadlineAt: string };
  let n = 0;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { questions: QUESTIONS, duration: 10 });
  });
  beforeEach(async () => {
    n += 1;
    app.admin = await signInAdmin(app, `admin${n}@example.org`);
    candidate = await inviteCandidate(app, app.admin, quiz.id, `a${n}@example.org`);
    attempt = (await app.call('startParticipant', { as: candidate.cookie, body: {} })).body;
  });

  const change = (i: number, option: number | null, revision: number, isFlagged = false) => ({
    questionId: quiz.questions[i]?.id,
    selectedOption: option === null ? '' : QUESTIONS[i]?.options[option],
    isFlagged,
    revision,
  });
  const put = (answers: unknown, as = candidate.cookie, id = attempt.id) =>
    app.call('saveAnswers', { as, params: { id }, body: { answers } });
  const save = (...answers: object[]) => put(answers);
  const stored = async () => {
    const { rows } = await app.pool.query(
      `select question_id, option_id, is_flagged, revision from answers
       where participant_id = $1 order by question_id`,
      [attempt.id],
    );
    return rows.map((r) => [
      quiz.questions.findIndex((q) => q.id === r.question_id),
      r.option_id,
      r.is_flagged,
      r.revision,
    ]);
  };
  const read = (as = candidate.cookie) =>
    app.call('listAnswers', { as, params: { id: attempt.id } });

  describe('with a report from the monitor', () => {
    const saveMonitored = () =>
      app.call('saveAnswers', {
        as: candidate.cookie,
        params: { id: attempt.id },
        body: { answers: [change(0, 2, 1)], monitor: { face: 'yes' } },
      });

    it.each([
      ['fails', () => Promise.reject(new Error('no connection'))],
      ['never comes back', () => new Promise<never>(() => undefined)],
    ])('is acknowledged even when recording that report %s', async (_, record) => {
      const original = app.context.heartbeats.record;
      app.context.heartbeats.record = record;
      try {
        expect(await saveMonitored()).toMatchObject({
          status: 200,
          body: { saved: [{ revision: 1 }], status: 'in_progress' },
        });
      } finally {
        app.context.heartbeats.record = original;
      }
      expect(await stored()).toEqual([[0, 3, false, 1]]);
    });

    it('records it', async () => {
      app.clock.advance({ seconds: 20 });
      await saveMonitored();
      await app.context.heartbeats.idle();
      const text = 'select monitor_at, last_seen_at from participants where id = $1';
      expect((await app.pool.query(text, [attempt.id])).rows).toEqual([
        { monitor_at: app.clock.now(), last_seen_at: app.clock.now() },
      ]);
    });
  });

  describe('is refused as a whole', () => {
    it.each([
      ['an unknown option', { selectedOption: 'neither' }],
      ['an option of another question', { selectedOption: 'quoted' }],
      ['part of an option', { selectedOption: 'a,' }],
      ['an option with an extra space', { selectedOption: 'a ' }],
      ['an option in another case', { selectedOption: 'B' }],
      ['the number of an option', { selectedOption: '1' }],
      ['a revision of 0', { revision: 0 }],
    ])('for %s, and the row is named', async (_, wrong) => {
      const reply = await save(change(1, 0, 1), { ...change(0, 0, 1), ...wrong }, change(2, 0, 1));
      expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
      expect(reply.body.issues).toHaveLength(1);
      expect(reply.body.issues[0].path).toMatch(/^answers\.1(\.\w+)?$/);
      expect(await stored()).toEqual([]);
    });

    // Also for an id of no UUID version: no question has it.
    it.each([
      UNKNOWN,
      '11111111-1111-1111-1111-111111111111',
      '00000000-0000-0000-0000-000000000001',
    ])('for a question that is not on the paper, naming every such row: %s', async (questionId) => {
      const foreign = { ...change(0, 0, 1), questionId };
      expect(await save(change(1, 0, 1), foreign, change(2, 0, 1), foreign)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', issues: [{ path: 'answers.1' }, { path: 'answers.3' }] },
      });
      expect(await stored()).toEqual([]);
    });

    it('for a repeated question', async () => {
      const twice = { ...change(0, 1, 2), questionId: change(0, 1, 2).questionId?.toUpperCase() };
      expect(await save(change(0, 0, 1), change(1, 0, 1), twice)).toMatchObject({
        status: 400,
        body: { issues: [{ path: 'answers.2', message: 'This question appears twice' }] },
      });
      expect(await stored()).toEqual([]);
    });

    it('for a revision stored with other content, naming every such row', async () => {
      await save(change(0, 0, 5), change(1, 1, 5), change(2, 2, 5, true));
      const before = await stored();
      const reply = await save(
        change(3, 0, 1),
        change(0, 1, 5),
        change(1, 1, 5),
        change(2, 2, 5, false),
      );
      expect(reply).toMatchObject({ status: 409, body: { code: 'REVISION_CONFLICT' } });
      expect(reply.body.issues).toEqual([
        { path: 'answers.1', message: 'Changed somewhere else at this revision' },
        { path: 'answers.3', message: 'Changed somewhere else at this revision' },
      ]);
      expect(await stored()).toEqual(before);
      // The browser takes over the server's value, reports it, and sends the rest at once.
      expect((await save(change(3, 0, 1))).status).toBe(200);
    });

    it('with a retryable error while the database disk is full, and succeeds later', async () => {
      await app.pool.query(`
        create function no_space() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
        create trigger no_space before insert on answers for each row execute function no_space()`);
      const reply = await save(change(0, 0, 1), change(1, 1, 1));
      await app.pool.query('drop trigger no_space on answers; drop function no_space()');
      expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(reply.headers['retry-after']).toBeDefined();
      expect(await stored()).toEqual([]);
      expect((await save(change(0, 0, 1), change(1, 1, 1))).status).toBe(200);
    });

    it('from a replaced session, even one in the session cache', async () => {
      await save(change(0, 0, 1));
      const newer = await signInCandidate(app, candidate.email, candidate.code);
      expect(await save(change(0, 1, 2))).toMatchObject({
        status: 401,
        body: { code: 'SESSION_REPLACED' },
      });
      await app.rebuild();
      expect((await save(change(0, 1, 2))).body.code).toBe('SESSION_REPLACED');
      expect(await stored()).toEqual([[0, 1, false, 1]]);
      expect((await put([change(0, 1, 2)], newer.cookie)).status).toBe(200);
    });
  });

  it('acknowledges each row, with the time left', async () => {
    app.clock.advance({ minutes: 4 });
    const reply = await save(change(2, 0, 7), change(0, 3, 1, true), change(1, null, 2));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      saved: [
        { questionId: quiz.questions[2]?.id, revision: 7 },
        { questionId: quiz.questions[0]?.id, revision: 1 },
        { questionId: quiz.questions[1]?.id, revision: 2 },
      ],
      status: 'in_progress',
      remainingMs: 360_000,
      violationCount: 0,
    });
    expect((await stored()).sort()).toEqual([
      [0, 4, true, 1],
      [1, null, false, 2],
      [2, 1, false, 7],
    ]);
  });

  it('matches and scores options with hostile texts exactly', async () => {
    for (let option = 0; option < 4; option += 1) {
      const revision = option + 1;
      expect((await save(...QUESTIONS.map((_, i) => change(i, option, revision)))).status).toBe(
        200,
      );
      expect((await stored()).map(([, id]) => id)).toEqual(QUESTIONS.map(() => option + 1));
      const mine = (await read()).body;
      for (const answer of mine) {
        const i = quiz.questions.findIndex((q) => q.id === answer.questionId);
        expect(answer.selectedOption).toBe(QUESTIONS[i]?.options[option]);
        expect(answer).not.toHaveProperty('isCorrect');
      }
    }
    await save(...QUESTIONS.map((_, i) => change(i, i % 4, 9)));
    await app.call('submitParticipant', {
      as: candidate.cookie,
      params: { id: attempt.id },
      body: {},
    });
    const one = await app.call('getParticipant', { as: app.admin, params: { id: attempt.id } });
    expect(one.body).toMatchObject({ score: 5, totalMarks: 5 });
    expect((await read(app.admin)).body.every((a: { isCorrect: boolean }) => a.isCorrect)).toBe(
      true,
    );
  });

  it('returns what is stored where the revision is lower, and writes the other rows', async () => {
    await save(change(0, 2, 5, true), change(1, null, 3));
    const reply = await save(change(0, 0, 4), change(1, 1, 2), change(2, 0, 1));
    expect(reply).toMatchObject({ status: 200, body: { saved: [{}, {}, {}] } });
    expect(
      reply.body.stale.sort(
        (a: { revision: number }, b: { revision: number }) => b.revision - a.revision,
      ),
    ).toEqual([
      {
        questionId: quiz.questions[0]?.id,
        revision: 5,
        selectedOption: 'b',
        isFlagged: true,
      },
      { questionId: quiz.questions[1]?.id, revision: 3, selectedOption: '', isFlagged: false },
    ]);
    expect((await stored()).sort()).toEqual([
      [0, 3, true, 5],
      [1, null, false, 3],
      [2, 1, false, 1],
    ]);
  });

  describe('reading them back', () => {
    it('is refused to the candidate after the end', async () => {
      app.clock.advance(afterGrace({ minutes: 10 }));
      expect((await read()).body.code).toBe('ATTEMPT_CLOSED');
      await closeDueParticipants(app.context);
      expect((await read()).body.code).toBe('ATTEMPT_CLOSED');
    });

    it('returns them in the order of the paper', async () => {
      await save(...QUESTIONS.map((_, i) => change(i, 0, i + 1, i === 2)));
      const paper = await app.call('listQuestions', {
        as: candidate.cookie,
        params: { id: quiz.id },
        query: { forAssessment: 'true' },
      });
      const answers = (await read()).body;
      expect(answers.map((a: { questionId: string }) => a.questionId)).toEqual(
        paper.body.map((q: { id: string }) => q.id),
      );
      const third = answers.find(
        (a: { questionId: string }) => a.questionId === quiz.questions[2]?.id,
      );
      expect(third).toEqual({
        id: expect.any(String),
        participantId: attempt.id,
        questionId: quiz.questions[2]?.id,
        selectedOption: '[1, 2]',
        isFlagged: true,
        revision: 3,
        createdAt: app.clock.now().toISOString(),
      });
    });
  });

  it('stores only the newest late answer of each question', async () => {
    app.clock.advance(afterGrace({ minutes: 10 }));
    await closeDueParticipants(app.context);
    const order = [3, 1, 9, 2, 7];
    await Promise.all(order.map((revision) => save(change(0, revision % 4, revision))));
    await save(change(1, 0, 4));
    const { body } = await app.call('listLateAnswers', {
      as: app.admin,
      params: { id: attempt.id },
    });
    expect(body.map(({ revision }: { revision: number }) => revision).sort()).toEqual([4, 9]);
  });

  it('stores late answers separately', async () => {
    await save(change(0, 0, 1));
    app.clock.advance(afterGrace({ minutes: 10 }));
    await closeDueParticipants(app.context);
    await save(change(0, 0, 1), change(1, 1, 1), change(2, null, 2, true));
    const late = (as: string) => app.call('listLateAnswers', { as, params: { id: attempt.id } });
    const rows = (await late(app.admin)).body;
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        {
          questionId: quiz.questions[1]?.id,
          selectedOption: 'quoted',
          isFlagged: false,
          revision: 1,
          receivedAt: app.clock.now().toISOString(),
        },
        expect.objectContaining({ selectedOption: '', isFlagged: true, revision: 2 }),
      ]),
    );
  });
});

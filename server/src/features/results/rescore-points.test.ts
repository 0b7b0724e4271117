import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { POINT_PARTS } from '@invigil/core/domain/questions/scoring';
import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { describe, expect, it } from 'vitest';
import { setScores } from '../../db/queries/attempts/ends.ts';
import { inTransaction } from '../../db/transaction.ts';
import { changeSealed, RESULTS } from '../../trust/sealed-kinds.ts';

const primes: QuestionDefinition = {
  type: 'multiple_response',
  format: 'plain',
  question: 'Which are prime?',
  options: ['2', '3', '9', '15'].map((text) => ({ text, isCorrect: text !== '15' })),
  points: 2,
  rule: 'per_option',
};
const corrected: QuestionDefinition = {
  ...primes,
  options: primes.options.map((o) => ({ ...o, isCorrect: o.text === '2' || o.text === '3' })),
  points: 4,
};
const typed: QuestionDefinition = {
  type: 'numeric',
  format: 'plain',
  question: 'g?',
  options: [],
  points: 1,
  rule: 'all_or_nothing',
  numeric: { accepted: [{ value: '9.8' }] },
};

interface Score {
  maxPoints?: number;
}

describe('rescoring questions with points', () => {
  const app = setUpAppWithAdmin();
  const add = async (definition: QuestionDefinition) =>
    (await app.call('addToBank', { as: app.admin, body: { definition } })).body.id as string;
  /** Gives an assessment these questions, in this order. */
  const arrange = async (quiz: MadeQuiz, ids: string[]) => {
    const items = ids.map((questionId) => ({ questionId }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const set = {
      as: app.admin,
      params: { id: quiz.id },
      body: { structure, negativeMarks: null },
    };
    expect((await app.call('setStructure', set)).status).toBe(200);
  };
  const save = ({ candidate, id }: BegunAttempt, selected: [questionId: string, text: string][]) =>
    app.call('saveAnswers', {
      as: candidate.cookie,
      params: { id },
      body: {
        answers: selected.map(([questionId, selectedOption]) => ({
          ...{ questionId, selectedOption, isFlagged: false, revision: 1 },
        })),
      },
    });
  const edit = (id: string, definition: QuestionDefinition) =>
    app.call('changeBankQuestion', { as: app.admin, params: { id }, body: { definition } });
  const rescore = (quizId: string, questionId: string, dryRun: boolean) =>
    app.call('rescoreQuestion', {
      as: app.admin,
      params: { id: quizId, questionId },
      body: { dryRun, reason: 'wrong key' },
    });

  it('applies a corrected key and new points to papers that were drawn before', async () => {
    const [several, number] = [await add(primes), await add(typed)];
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const others = [];
    for (let i = 0; i < 3; i += 1) others.push(await add({ ...typed, question: `other ${i}` }));
    await arrange(quiz, [several, number, ...others]);
    const attempt = await beginAttempt(app, app.admin, quiz);
    await save(attempt, [
      [several, '["2","3"]'],
      [number, '9,81'],
    ]);
    await attempt.submit();
    const points = async () => {
      const { participant, questions } = (await attempt.record()).body;
      return {
        points: participant.points,
        maxPoints: participant.maxPoints,
        score: participant.score,
        first: questions[0].points,
        isBroken: (await attempt.record()).body.hasBrokenSeal ?? false,
      };
    };
    expect(await points()).toEqual({
      points: 1.5,
      maxPoints: 6,
      score: 0,
      first: 1.5,
      isBroken: false,
    });

    await edit(several, corrected);
    const change = { before: 0, after: 1, pointsBefore: 1.5, pointsAfter: 4, maxPoints: 8 };
    const dryRun = await rescore(quiz.id, several, true);
    expect(dryRun.body).toMatchObject({
      participants: 1,
      unchanged: 0,
      applied: false,
      changes: [change],
    });
    expect((await points()).points).toBe(1.5);
    expect((await rescore(quiz.id, several, false)).body.changes).toMatchObject([change]);
    expect(await points()).toEqual({
      points: 4,
      maxPoints: 8,
      score: 1,
      first: 4,
      isBroken: false,
    });

    await edit(number, {
      ...typed,
      numeric: { accepted: [{ value: '9.8', tolerancePercent: '1' }] },
    });
    await rescore(quiz.id, number, false);
    expect(await points()).toMatchObject({ points: 5, score: 2, isBroken: false });
  });

  it('keeps a running paper as it began when a plain question gets points, and says so', async () => {
    const quiz = await makeQuiz(app, app.admin);
    await arrange(
      quiz,
      quiz.questions.map((one) => one.id),
    );
    const [running, ended] = [
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
    ];
    for (const attempt of [running, ended]) await attempt.save(0, 1, 1);
    await ended.submit();
    const [plain] = quiz.questions;
    const { id = '', question = '', options = [] } = plain ?? {};
    const paper = () =>
      app.call('listQuestions', {
        as: running.candidate.cookie,
        params: { id: quiz.id },
        query: { forAssessment: 'true' },
      });
    const before = await paper();
    expect(before.text).not.toContain('points');

    const key = { ...primes, type: 'multiple_choice', rule: 'all_or_nothing', points: 5 } as const;
    const isCorrect = (text: string) => text === options[2];
    await edit(id, {
      ...key,
      question,
      options: options.map((text) => ({ text, isCorrect: isCorrect(text) })),
    });
    const dryRun = (await rescore(quiz.id, id, true)).body;
    expect(dryRun).toMatchObject({ participants: 2, withoutPoints: 2, unchanged: 0 });
    expect(dryRun.changes).toEqual([
      {
        participantId: ended.id,
        userEmail: ended.candidate.email,
        before: 1,
        after: 0,
        totalMarks: 5,
      },
    ]);
    expect((await rescore(quiz.id, id, false)).body).toEqual({ ...dryRun, applied: true });

    await app.rebuild();
    expect((await paper()).body).toEqual(before.body);
    await running.submit();
    for (const attempt of [running, ended]) {
      const { participant } = (await attempt.record()).body;
      expect(participant).toMatchObject({ score: 0, totalMarks: 5 });
      expect(participant).not.toHaveProperty('points');
      const { rows } = await app.pool.query('select sections from participants where id = $1', [
        attempt.id,
      ]);
      expect(rows[0].sections).toMatchObject([{ title: 'All', points: 0, maxPoints: 50_000 }]);
    }

    // Left out and taken back: the question that is worth five points now counts one all the same.
    const [, other] = quiz.questions;
    const decide = (kind: 'left_out' | 'key') =>
      app.call('rescoreQuestion', {
        as: app.admin,
        params: { id: quiz.id, questionId: other?.id ?? '' },
        body: { dryRun: false, reason: 'unclear', correction: { kind } },
      });
    const read = async (attempt: BegunAttempt) => {
      const { participant, questions, hasBrokenSeal = false } = (await attempt.record()).body;
      const { points, maxPoints } = participant;
      return [points, maxPoints, ...questions.map((q: Score) => q.maxPoints), hasBrokenSeal];
    };
    expect((await decide('left_out')).status).toBe(200);
    for (const one of [running, ended])
      expect(await read(one)).toEqual([0, 4, 1, 0, 1, 1, 1, false]);
    expect((await decide('key')).status).toBe(200);
    const none = Array.from({ length: 7 });
    for (const one of [running, ended]) expect(await read(one)).toEqual([...none, false]);
  });

  it('repairs, after its dry run, what an earlier way to compare typed texts scored', async () => {
    const text: QuestionDefinition = {
      ...typed,
      type: 'short_text',
      question: 'Contraction of “it is”?',
      numeric: undefined,
      shortText: { accepted: [{ text: "it's" }] },
    };
    const added = await add(text);
    const quiz = await makeQuiz(app, app.admin);
    await arrange(quiz, [...quiz.questions.slice(0, 4).map(({ id }) => id), added]);
    const attempt = await beginAttempt(app, app.admin, quiz);
    await save(attempt, [[added, 'It\u2019s']]);
    await attempt.submit();
    // A server that told kinds of apostrophes apart stored this score.
    const { db, keys } = app.context;
    const maxPoints = 5 * POINT_PARTS;
    await inTransaction(db, (tx) =>
      changeSealed(tx, keys.integrity, RESULTS, [attempt.id], () =>
        setScores(tx, [
          { id: attempt.id, score: 0, points: 0, maxPoints, countsRight: null, sections: null },
        ]),
      ),
    );

    const change = { before: 0, after: 1, pointsBefore: 0, pointsAfter: 1, maxPoints: 5 };
    const dryRun = await rescore(quiz.id, added, true);
    expect(dryRun.body).toMatchObject({ participants: 1, applied: false, changes: [change] });
    expect((await attempt.row()).score).toBe(0);
    const applied = await rescore(quiz.id, added, false);
    expect(applied.body).toMatchObject({ applied: true, changes: [change] });
    const record = (await attempt.record()).body;
    expect(record.participant.score).toBe(1);
    expect(record.hasBrokenSeal ?? false).toBe(false);
    const shown = record.questions.find(
      (q: PaperQuestion & { questionId: string }) => q.questionId === added,
    );
    expect(shown).toMatchObject({ selectedOption: 'It\u2019s', isCorrect: true });
    expect((await rescore(quiz.id, added, true)).body.changes).toEqual([]);
  });
});

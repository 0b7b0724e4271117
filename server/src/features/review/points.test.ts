import type { Answer } from '@invigil/core/contract/attempts/answers';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Participant } from '@invigil/core/contract/review/participants';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import {
  type BegunAttempt,
  beginAttempt,
  inviteCandidate,
  makeQuiz,
  makeScoredQuiz,
  setNegativeMarks,
  setUpAppWithAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { storeAttempts } from '@invigil/testkit/stored';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it, vi } from 'vitest';

/*
 * Points wherever they are shown. How they are computed is tested in core
 * (scoring.test.ts).
 */

const OPTIONS = ['a', 'b', 'c'];

/** A question with three right options; one of them selected earns a third. */
const third = (points: number): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: `For ${points} points`,
  options: OPTIONS.map((text) => ({ text, isCorrect: true })),
  points,
  rule: 'right_minus_wrong',
});

const weighted = (...weights: number[]): QuestionDefinition => ({
  type: 'multiple_response',
  format: 'plain',
  question: `Weights ${weights}`,
  options: weights.map((weight, i) => ({ text: `option ${i}`, isCorrect: weight > 0, weight })),
  points: 3,
  rule: 'weights',
});

const choice = (question: string, points: number): QuestionDefinition => ({
  type: 'multiple_choice',
  format: 'plain',
  question,
  options: ['right', 'wrong'].map((text) => ({ text, isCorrect: text === 'right' })),
  points,
  rule: 'all_or_nothing',
});

describe('points', () => {
  const app = setUpAppWithAdmin();
  const pointsInRecord = async (attempt: BegunAttempt, questionIds: readonly string[]) => {
    const { questions } = (await attempt.record()).body as ParticipantRecord;
    return questionIds.map((id) => questions.find((q) => q.questionId === id)?.points);
  };

  it('of every type and rule are those of the saved and submitted answers', async () => {
    const several = (rule: QuestionDefinition['rule']): QuestionDefinition => ({
      ...third(2),
      question: rule,
      options: OPTIONS.map((text) => ({ text, isCorrect: text !== 'c' })),
      rule,
    });
    const typed: QuestionDefinition = { ...third(2), options: [], rule: 'all_or_nothing' };
    const quiz = await makeScoredQuiz(app, app.admin, [
      choice('A', 2),
      { ...choice('B', 2), type: 'true_false' },
      several('all_or_nothing'),
      several('right_minus_wrong'),
      several('per_option'),
      { ...weighted(50, 30, -50), points: 2 },
      {
        ...{ ...typed, type: 'numeric', question: 'How far?' },
        numeric: { accepted: [{ value: '42' }], units: [{ unit: 'km', factor: '1000' }] },
      },
      {
        ...{ ...typed, type: 'short_text', question: 'Who?' },
        shortText: { accepted: [{ text: 'Ada Lovelace' }] },
      },
    ]);
    for (const [selected, points] of [
      [
        [
          'right',
          'right',
          '["b","a"]',
          '["a"]',
          '["a","c"]',
          '["option 0"]',
          '0,042 km',
          'ada  lovelace',
        ],
        [2, 2, 2, 1, 0.6667, 1, 2, 2],
      ],
      [
        ['wrong', '', '["a"]', '["a","c"]', '["c"]', '["option 1","option 2"]', '43', 'Ada'],
        [0, 0, 0, 0, 0, 0, 0, 0],
      ],
    ] as const) {
      const attempt = await sitScoredQuiz(app, app.admin, quiz, selected);
      await attempt.submit();
      expect(await pointsInRecord(attempt, quiz.questionIds)).toEqual(points);
      // Right are those that earned all of their two points, in record and answers.
      const right = quiz.questionIds.filter((_, i) => points[i] === 2).sort();
      const params = { id: attempt.id };
      const answers = (await app.call('listAnswers', { as: app.admin, params })).body as Answer[];
      for (const list of [
        ((await attempt.record()).body as ParticipantRecord).questions,
        answers,
      ]) {
        const marked = list.filter(({ isCorrect }) => isCorrect);
        expect(marked.map(({ questionId }) => questionId).sort()).toEqual(right);
      }
    }
  });

  it('of a section are the exact sum, rounded once, and never below 0', async () => {
    const questionIds: string[] = [];
    for (const definition of [
      ...['x', 'y', 'z'].map((question) => ({ ...third(1), question })),
      choice('A', 1),
      choice('B', 1),
    ]) {
      questionIds.push(
        (await app.call('addToBank', { as: app.admin, body: { definition } })).body.id,
      );
    }
    const { id } = await makeQuiz(app, app.admin, { questions: [] });
    const items = questionIds.map((questionId) => ({ questionId }));
    const sections = [
      { title: 'Thirds', isShuffled: false, items: items.slice(0, 3) },
      { title: 'Choices', isShuffled: false, items: items.slice(3) },
    ];
    const negativeMarks = { percent: 50, floor: 'total' };
    const body = { structure: { sections }, negativeMarks };
    await app.call('setStructure', { as: app.admin, params: { id }, body });
    const selected = ['["a"]', '["a"]', '["a"]', 'wrong', 'wrong'];
    const attempt = await sitScoredQuiz(app, app.admin, { id, questionIds }, selected);
    await attempt.submit();
    expect((await attempt.row()).sections).toMatchObject([
      { title: 'Thirds', points: 10_000, maxPoints: 30_000 },
      { title: 'Choices', points: 0, maxPoints: 20_000 },
    ]);
  });

  it('have at most four decimals, and no rounding errors, wherever they are shown', async () => {
    const points = [1, 0.25, 0.29, 7.77, 0.7];
    const quiz = await makeScoredQuiz(app, app.admin, points.map(third), {
      percent: 33.33,
      floor: 'total',
    });
    const attempt = await sitScoredQuiz(
      app,
      app.admin,
      quiz,
      points.map(() => '["a"]'),
    );
    await attempt.submit();
    const { participant, questions } = (await attempt.record()).body as ParticipantRecord;
    const pointsOf = new Map(questions.map((question) => [question.questionId, question.points]));
    expect(quiz.questionIds.map((id) => pointsOf.get(id))).toEqual([
      0.3333, 0.0833, 0.0967, 2.59, 0.2333,
    ]);
    expect(participant).toMatchObject({ points: 3.3367, maxPoints: 10.01, score: 0 });

    const params = { id: attempt.id };
    const report = { quizId: quiz.id, questions: 'true' };
    const replies = {
      record: await attempt.record(),
      list: await app.call('listParticipants', { as: app.admin, query: { quizId: quiz.id } }),
      row: await app.call('getParticipant', { as: app.admin, params }),
      answers: await app.call('listAnswers', { as: app.admin, params }),
      report: await app.call('exportParticipants', { as: app.admin, query: report }),
      dashboard: await app.call('getStats', { as: app.admin }),
      charts: await app.call('getStatsCharts', { as: app.admin, query: { quizId: quiz.id } }),
      person: await app.call('exportPerson', {
        as: app.admin,
        params: { id: attempt.candidate.userId },
      }),
    };
    for (const [where, { status, text }] of Object.entries(replies)) {
      expect(status, where).toBe(200);
      expect(text, where).not.toMatch(/\d\.\d{5,}/);
    }
    for (const where of ['record', 'list', 'row', 'report', 'dashboard', 'person'] as const) {
      expect(replies[where].text, where).toContain('3.3367');
    }
    // 33.33 percent: in the fourth bin.
    expect(replies.charts.body.histogram).toEqual([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  });

  describe('that a wrong answer costs', () => {
    it('are in no reply to a candidate where there are none', async () => {
      const attempt = await beginAttempt(app, app.admin);
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

    it('are known before the start, and then stay as the attempt began', async () => {
      const marks = { percent: 25, floor: 'total' } as const;
      const quiz = await makeQuiz(app, app.admin);
      await setNegativeMarks(app, app.admin, quiz.id, marks);
      const idle = await inviteCandidate(app, app.admin, quiz.id, 'idle@example.org');
      const before = (await app.call('me', { as: idle.cookie })).body;
      expect(before).toMatchObject({ quiz: { negativeMarks: marks }, attempt: null });
      const attempt = await beginAttempt(app, app.admin, quiz);
      const as = attempt.candidate.cookie;
      const later = { percent: 50, floor: 'question' } as const;
      await setNegativeMarks(app, app.admin, quiz.id, later);
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

  describe('in the report with a column per question', () => {
    const read = async (quizId: string) => {
      const query = { quizId, questions: 'true' };
      const reply = await app.call('exportParticipants', { as: app.admin, query });
      const [head = [], ...lines]: string[][] = parse(reply.text, {
        bom: true,
        record_delimiter: '\r\n',
      });
      const from = head.indexOf('Submitted At (Europe/Berlin)') + 1;
      return {
        heads: head.slice(from),
        of: ({ id }: BegunAttempt) => lines.find((line) => line[1] === id)?.slice(from),
      };
    };
    it('are those of the record, by the negative marks that each attempt began with', async () => {
      const marks = { percent: 25, floor: 'total' } as const;
      const quiz = await makeScoredQuiz(app, app.admin, [choice('A', 6), choice('B', 4)], marks);
      const before = await sitScoredQuiz(app, app.admin, quiz, ['wrong', 'right']);
      await before.submit();
      await setNegativeMarks(app, app.admin, quiz.id, null);
      const after = await sitScoredQuiz(app, app.admin, quiz, ['wrong', 'right']);
      await after.submit();
      expect(await pointsInRecord(before, quiz.questionIds)).toEqual([-1.5, 4]);
      expect(await pointsInRecord(after, quiz.questionIds)).toEqual([0, 4]);
      const { heads, of } = await read(quiz.id);
      expect(heads).toEqual([
        ...['Score', 'Total Marks', 'Q1: A', 'Q1: points', 'Q2: B', 'Q2: points'],
      ]);
      expect(of(before)).toEqual(['1', '2', 'wrong', '-1.5', 'right', '4']);
      expect(of(after)).toEqual(['1', '2', 'wrong', '0', 'right', '4']);
    });

    it('of plain questions are there where wrong answers cost something, blank where not', async () => {
      const quiz = await makeQuiz(app, app.admin);
      const before = await beginAttempt(app, app.admin, quiz);
      await before.save(0, 0, 1);
      await before.submit();
      // No attempt has points yet: the report is as it always was.
      const plain = await read(quiz.id);
      expect(plain.heads).toEqual(['Q1: Q1', 'Q2: Q2', 'Q3: Q3', 'Q4: Q4', 'Q5: Q5']);
      expect(plain.of(before)).toEqual(['Q1 a', '', '', '', '']);
      await setNegativeMarks(app, app.admin, quiz.id, { percent: 50, floor: 'total' });
      const after = await beginAttempt(app, app.admin, quiz);
      await after.save(0, 0, 1);
      await after.save(1, 1, 1);
      await after.submit();
      const { heads, of } = await read(quiz.id);
      expect(heads.slice(0, 6)).toEqual([
        'Score',
        'Total Marks',
        'Q1: Q1',
        'Q1: points',
        'Q2: Q2',
        'Q2: points',
      ]);
      expect(of(before)).toEqual(['0', '5', 'Q1 a', '', '', '', '', '', '', '', '', '']);
      expect(of(after)).toEqual(['1', '5', 'Q1 a', '-0.5', 'Q2 b', '1', '', '0', '', '0', '', '0']);
    });

    it('and answers stay there when the sections that drew the questions are removed', async () => {
      const questionIds: string[] = [];
      for (const text of ['A', 'B', 'C', 'D', 'E']) {
        const body = { definition: choice(text, 2) };
        questionIds.push((await app.call('addToBank', { as: app.admin, body })).body.id);
      }
      const { id } = await makeQuiz(app, app.admin, { questions: [] });
      const items = questionIds.map((questionId) => ({ questionId }));
      const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
      const set = { as: app.admin, params: { id }, body: { structure, negativeMarks: null } };
      expect((await app.call('setStructure', set)).status).toBe(200);
      const attempt = await sitScoredQuiz(app, app.admin, { id, questionIds }, ['right', 'wrong']);
      await attempt.submit();
      const drawn = await read(id);
      expect(drawn.heads).toHaveLength(2 + 2 * questionIds.length);
      expect(drawn.of(attempt)?.slice(0, 6)).toEqual(['1', '5', 'right', '2', 'wrong', '0']);
      await setNegativeMarks(app, app.admin, id, null);
      const without = await read(id);
      expect(without.heads).toEqual(drawn.heads);
      expect(without.of(attempt)).toEqual(drawn.of(attempt));
    });
  });

  describe('order the participants', () => {
    let quizId: string;
    beforeAll(async () => {
      ({ id: quizId } = await makeQuiz(app, app.admin, { questions: [] }));
    });

    const list = async (query: Record<string, string | number>): Promise<Participant[]> =>
      (await app.call('listParticipants', { as: app.admin, query: { sort: 'score', ...query } }))
        .body;
    const shown = (rows: Participant[]) => rows.map(({ score, points }) => points ?? score);

    it('as the column shows them: points, or right answers', async () => {
      const search = '@by-score.example';
      const other = await makeQuiz(app, app.admin, { questions: [] });
      const startedAt = app.clock.now();
      const ended = { startedAt, endedAfter: 60 };
      const rich = { ...ended, maxPoints: 2_000_000 };
      await storeAttempts(app, quizId, [
        // Few points for many small questions, many for one large one.
        { email: `a${search}`, ...rich, score: 2, points: 20_000 },
        { email: `b${search}`, ...rich, score: 1, points: 1_000_000 },
        { email: `c${search}`, ...rich, score: 0, points: 15_000 },
        { email: `d${search}`, ...rich, score: 0, points: 0 },
        { email: `e${search}`, startedAt, maxPoints: 2_000_000 },
      ]);
      await storeAttempts(app, other.id, [
        { email: `f${search}`, ...ended, score: 7 },
        { email: `g${search}`, ...ended, score: 0 },
        { email: `h${search}`, startedAt },
      ]);
      expect(shown(await list({ quizId, order: 'desc' }))).toEqual([100, 2, 1.5, 0, null]);
      expect(shown(await list({ quizId, order: 'asc' }))).toEqual([null, 0, 1.5, 2, 100]);
      // The order is the same for all assessments together; page by page, from either end.
      const all = [100, 7, 2, 1.5, 0, 0, null, null];
      expect(shown(await list({ order: 'desc', search }))).toEqual(all);
      const pages = await Promise.all(
        [0, 3, 6].map((offset) => list({ order: 'desc', limit: 3, offset, search })),
      );
      expect(shown(pages.flat())).toEqual(all);
      expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(8);
    });

    it.each(['asc', 'desc'])(
      'by an index, without sorting all: %s',
      { tags: 'long' },
      async (order) => {
        const startedAt = app.clock.now();
        await storeAttempts(
          app,
          quizId,
          Array.from({ length: 2_000 }, (_, i) => ({
            email: `${order}${i}@example.org`,
            startedAt,
            endedAfter: 60,
            score: i % 11,
            ...(i % 3 === 0 ? { points: (i % 97) * 1_000, maxPoints: 100_000 } : {}),
          })),
        );
        await app.pool.query('vacuum analyze participants');
        const query = vi.spyOn(app.context.db.$client, 'query');
        await list({ order, limit: 10 });
        const calls = query.mock.calls.map(([call, values]) => ({ call: call as unknown, values }));
        query.mockRestore();
        const statements = calls.flatMap(({ call, values }) => {
          const text = typeof call === 'string' ? call : (call as { text: string }).text;
          return text.includes('coalesce("participants"."points"') ? { text, values } : [];
        });
        expect(statements).toHaveLength(1);
        const [{ text, values } = { text: '', values: undefined }] = statements;
        const { rows } = await app.pool.query(`explain ${text}`, values as unknown as unknown[]);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/Index Only Scan( Backward)? using participants_shown_scores/);
      },
    );
  });
});

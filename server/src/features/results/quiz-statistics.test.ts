import { setTimeout as delay } from 'node:timers/promises';
import type { EndpointName } from '@invigil/core/contract/endpoints';
import type { QuizStatistics } from '@invigil/core/contract/review/statistics';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { statisticsOf } from '@invigil/core/domain/results/statistics';
import {
  makeScoredQuiz,
  passTime,
  setUpAppWithAdmin,
  signInAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { leave, portOf, requestOf } from '@invigil/testkit/left-requests';
import { workbookRows } from '@invigil/testkit/workbook-rows';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

const QUESTIONS: QuestionDefinition[] = [
  plainDefinition('One', ['a', 'b', 'c'], 'a'),
  plainDefinition('Two', ['a', 'b', 'c'], 'b'),
  {
    ...{ type: 'multiple_response', format: 'plain', question: 'Primes', points: 2 },
    ...{ rule: 'per_option' },
    options: ['2', '3', '4', '9'].map((text) => ({ text, isCorrect: text < '4' })),
  },
  {
    ...{ type: 'numeric', format: 'plain', question: 'g', options: [], points: 1 },
    ...{ rule: 'all_or_nothing', numeric: { accepted: [{ value: '9.8' }] } },
  },
  plainDefinition('Last', ['a', 'b'], 'a'),
];

const FAR = '2100-01-01T00:00:00.000Z';

/** The answers of each of ten people. */
const SAT: string[][] = [
  ['a', 'b', '["2","3"]', '9.8', 'a'],
  ['a', 'b', '["2"]', '9.8', 'a'],
  ['a', 'c', '["2","3"]', '9.9', 'b'],
  ['a', 'b', '["2","3","4"]', '', 'a'],
  ['b', 'b', '["2","3"]', '9.8', 'b'],
  ['b', 'c', '["4"]', '1', ''],
  ['c', 'c', '', '', ''],
  ['a', 'a', '["3","9"]', '9.8', 'b'],
  ['a', 'b', '["2","3"]', '7', 'a'],
  ['b', '', '["9"]', '', 'a'],
];
/** Points of each, by hand, and options as bits. */
const POINTS = [
  [1, 1, 2, 1, 1],
  [1, 1, 1.5, 1, 1],
  [1, 0, 2, 0, 0],
  [1, 1, 1.5, 0, 1],
  [0, 1, 2, 1, 0],
  [0, 0, 0.5, 0, 0],
  [0, 0, 0, 0, 0],
  [1, 0, 1, 1, 0],
  [1, 1, 2, 0, 1],
  [0, 0, 0.5, 0, 1],
];
const bits = (selected: string): number => {
  if (selected === '') return 0;
  const options = selected.startsWith('[') ? (JSON.parse(selected) as string[]) : [selected];
  return options.reduce((sum, one) => sum | (1 << '2349'.indexOf(one)), 0);
};
const letter = (selected: string): number => (selected === '' ? 0 : 1 << 'abc'.indexOf(selected));
const EXPECTED = statisticsOf(
  SAT.map(([one = '', two = '', primes = '', g = '', last = ''], person) => ({
    questions: [0, 1, 2, 3, 4],
    points: POINTS[person] ?? [],
    maxPoints: [1, 1, 2, 1, 1],
    selected: [letter(one), letter(two), bits(primes), g === '' ? 0 : 1, letter(last)],
  })),
  [
    { options: 3, key: 1, isSingle: true },
    { options: 3, key: 2, isSingle: true },
    { options: 4, key: 3, isSingle: false },
    { options: 0, key: 0, isSingle: false },
    { options: 2, key: 1, isSingle: true },
  ],
);

/** Figures with nine decimals. */
const close = (figures: unknown): object =>
  JSON.parse(
    JSON.stringify(figures, (_, one) => (typeof one === 'number' ? Number(one.toFixed(9)) : one)),
  );

describe('the statistics of an assessment', () => {
  const app = setUpAppWithAdmin();
  let quizId: string;
  let questionIds: string[];
  let people: { id: string; userId: string }[];
  beforeAll(async () => {
    const quiz = await makeScoredQuiz(app, app.admin, QUESTIONS);
    quizId = quiz.id;
    questionIds = quiz.questionIds;
    people = [];
    for (const selected of SAT) {
      const attempt = await sitScoredQuiz(app, app.admin, quiz, selected);
      app.clock.advance({ seconds: 60 });
      await attempt.submit();
      people.push({ id: attempt.id, userId: attempt.candidate.userId });
    }
  });

  const read = async (query: Record<string, string> = {}, as = app.admin) =>
    app.call('getQuizStatistics', { as, params: { id: quizId }, query });
  const statistics = async (query?: Record<string, string>): Promise<QuizStatistics> =>
    (await read(query)).body;
  const setGroups = async (i: number, groups: string[]) =>
    app.call('updatePerson', {
      as: app.admin,
      params: { id: people[i]?.userId ?? '' },
      body: { groups },
    });

  it('are those of the stored papers and answers', async () => {
    const { test, questions, medianTime } = await statistics();
    const { reliability, ...moments } = EXPECTED.test;
    expect(test).toMatchObject(moments);
    if ('none' in reliability || 'none' in test.reliability) throw new Error('no reliability');
    expect(test.reliability).toMatchObject({
      ...{ kind: 'alpha' },
      alpha: expect.closeTo(reliability.alpha, 9),
    });
    expect(medianTime).toBeCloseTo(60, 0);
    for (const [i, expected] of EXPECTED.questions.entries()) {
      const { options, omitted, notReached, ...figures } = expected;
      // Which blank ones come last depends on the order of each paper.
      const found = questions[i];
      expect((found?.omitted ?? 0) + (found?.notReached ?? 0)).toBe(omitted + notReached);
      expect(close(questions[i])).toMatchObject(close(figures));
      expect(close(questions[i]?.options)).toMatchObject(close(options));
    }
    expect(questions.map(({ question, number }) => `${number} ${question}`)).toEqual([
      ...['1 One', '2 Two', '3 Primes', '4 g', '5 Last'],
    ]);
    expect(questions[2]?.options.map(({ text, isKey }) => [text, isKey])).toEqual([
      ...[
        ['2', true],
        ['3', true],
        ['4', false],
        ['9', false],
      ],
    ]);
  });

  it('follow the filter: status, end and group', async () => {
    await setGroups(0, ['2A']);
    await setGroups(1, ['2A', 'Chess']);
    expect((await statistics({ group: '2A' })).test.n).toBe(2);
    expect((await statistics({ group: 'Chess' })).test).toMatchObject({ n: 1, sd: null });
    expect((await statistics({ group: 'none' })).test).toMatchObject({
      ...{ n: 0, mean: null, reliability: { none: 'few' } },
    });
    expect((await statistics({ status: 'dismissed' })).test.n).toBe(0);
    const { rows } = await app.pool.query(
      'select submitted_at from participants where quiz_id = $1 order by 1 limit 3',
      [quizId],
    );
    const at = (i: number) => (rows[i].submitted_at as Date).toISOString();
    expect((await statistics({ from: at(1) })).test.n).toBe(9);
    expect((await statistics({ from: at(1), until: at(2) })).test.n).toBe(1);
    const compared = await statistics({ first: '2A', second: 'Chess' });
    expect(compared.questions.map(({ comparison }) => comparison)).toEqual(Array(5).fill(null));
    expect((await statistics()).questions[0]).not.toHaveProperty('comparison');
  });

  it('change with a corrected key, and leave out what is left out', async () => {
    const rescore = (correction: object) =>
      app.call('rescoreBankQuestion', {
        as: app.admin,
        params: { id: questionIds[1] ?? '' },
        body: { dryRun: false, correction },
      });
    await rescore({ kind: 'also_right', options: ['c'] });
    const [, corrected] = (await statistics()).questions;
    expect(corrected).toMatchObject({ facility: 0.8, correction: 'also_right' });
    expect(corrected?.options.map(({ isKey }) => isKey)).toEqual([false, true, true]);
    await rescore({ kind: 'left_out' });
    const { questions, test } = await statistics();
    expect(questions[1]).toMatchObject({ n: 0, facility: null, correction: 'left_out' });
    expect(test.mean).not.toBeCloseTo(EXPECTED.test.mean ?? 0, 3);
    await rescore({ kind: 'key' });
    expect((await statistics()).test.mean).toBeCloseTo(EXPECTED.test.mean ?? 0, 9);
  });

  it('add up exact points, as results do', async () => {
    // Thirds and fifths of a point: how many of the right options each person selects.
    const rightOf = [3, 3, 3, 5, 5, 5];
    const selectedOf = [
      ...[
        [1, 1, 1, 1, 1, 1],
        [2, 1, 0, 4, 3, 1],
        [3, 2, 3, 5, 2, 4],
      ],
      ...[
        [0, 1, 2, 3, 4, 5],
        [1, 2, 1, 2, 0, 1],
        [3, 3, 2, 5, 4, 4],
      ],
    ];
    const right = (n: number) => Array.from({ length: n }, (_, i) => `right ${i}`);
    const quiz = await makeScoredQuiz(
      ...[app, app.admin],
      rightOf.map(
        (n, i): QuestionDefinition => ({
          ...{ type: 'multiple_response', format: 'plain', question: `Parts ${i}`, points: 1 },
          rule: 'right_minus_wrong',
          options: [...right(n), 'wrong'].map((text) => ({ text, isCorrect: text !== 'wrong' })),
        }),
      ),
    );
    for (const selected of selectedOf) {
      const answers = selected.map((n) => (n === 0 ? '' : JSON.stringify(right(n))));
      const attempt = await sitScoredQuiz(app, app.admin, quiz, answers);
      await attempt.submit();
    }
    const found = await app.call('getQuizStatistics', { as: app.admin, params: { id: quiz.id } });
    // The same in fifteenths, which are whole numbers.
    const expected = statisticsOf(
      selectedOf.map((selected) => ({
        questions: [0, 1, 2, 3, 4, 5],
        points: selected.map((n, i) => (n * 15) / (rightOf[i] ?? 1)),
        maxPoints: selected.map(() => 15),
        selected: selected.map((n) => 2 ** n - 1),
      })),
      rightOf.map((n) => ({ options: n + 1, key: 2 ** n - 1, isSingle: false })),
    );
    const { reliability, ...moments } = expected.test;
    const { test, questions } = found.body as QuizStatistics;
    expect(close(test)).toMatchObject(close(moments));
    if ('none' in reliability) throw new Error('no reliability');
    const { without, ...whole } = reliability;
    expect(close(test.reliability)).toEqual(close(whole));
    for (const [i, { sd, itemRest, facility, effectiveWeight }] of expected.questions.entries()) {
      const figures = { sd: (sd ?? 0) / 15, itemRest, facility, effectiveWeight };
      expect(close(questions[i])).toMatchObject(close({ ...figures, alphaWithout: without[i] }));
    }
  });

  it('are files with a row per question and option, and the whole', async () => {
    const file = (format: string) =>
      app.call('exportQuizStatistics', {
        as: app.admin,
        params: { id: quizId },
        query: { format },
      });
    const { text, headers } = await file('csv');
    expect(headers['content-disposition']).toMatch(/statistics_\d{8}-\d{6}\.csv/);
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.filter(({ Question, Number: n }) => Question && n)).toHaveLength(5);
    expect(rows.filter(({ Option }) => Option)).toHaveLength(3 + 3 + 4 + 2);
    expect(rows[0]).toMatchObject({ Number: '1', Question: 'One', People: '10', Facility: '0.6' });
    expect(rows.find(({ Question }) => Question === 'People')?.People).toBe('10');
    const whole = (name: string) => rows.find(({ Question }) => Question === name)?.People;
    const distributed = Array.from({ length: 20 }, (_, i) =>
      Number(
        whole(`Attempts from ${5 * i} ${i < 19 ? `to under ${5 * (i + 1)}` : 'to 100'} percent`),
      ),
    );
    // Points of six: 6, 5.5, 3, 4.5, 4, 0.5, 0, 3, 5 and 1.5.
    const expected = Array.from({ length: 20 }, () => 0);
    for (const [i, n] of [
      [0, 1],
      [1, 1],
      [5, 1],
      [10, 2],
      [13, 1],
      [15, 1],
      [16, 1],
      [18, 1],
      [19, 1],
    ]) {
      expected[i ?? 0] = n ?? 0;
    }
    expect(distributed).toEqual(expected);
    expect(rows.some(({ Question }) => Question?.startsWith('Section'))).toBe(false);
    expect(rows.some(({ Question }) => Question?.startsWith('Compared'))).toBe(false);
    const sheet = await workbookRows((await file('xlsx')).bytes);
    expect(sheet).toHaveLength(rows.length + 1);
  });

  it('are files with sections and compared groups where there are some', async () => {
    const setSections = (sections: string | null) =>
      app.pool.query('update participants set sections = $1 where quiz_id = $2', [
        sections,
        quizId,
      ]);
    await setSections('[{"title":"Law","first":1,"points":15000,"maxPoints":20000}]');
    const query = { first: '2A', second: 'Chess' };
    const asked = { as: app.admin, params: { id: quizId }, query };
    const { text } = await app.call('exportQuizStatistics', asked);
    await setSections(null);
    const rows = parse(text, { bom: true, columns: true }) as Record<string, string>[];
    const whole = rows.flatMap(({ Question, People, Number: n }) =>
      n ? [] : [[Question, People]],
    );
    expect(whole).toEqual(
      expect.arrayContaining([
        ['Section “Law”: attempts', '10'],
        ['Section “Law”: mean, percent', '75'],
        ['Compared groups; odds over 1: easier for the first', '2A; Chess'],
      ]),
    );
    expect(rows[0]).toMatchObject({ 'Comparison Odds': '', 'Comparison Chi-Square': '' });
  });

  it('name no group to those who may not see people, and are refused for unknown assessments', async () => {
    const as = await signInAdmin(app, 'analyst@example.org');
    const { id } = (await app.call('me', { as })).body.user;
    const grants = [{ role: 'analyst' }];
    await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    expect((await read({}, as)).status).toBe(200);
    expect((await read({ group: '2A' }, as)).status).toBe(403);
    expect((await read({ first: '2A', second: 'Chess' }, as)).status).toBe(403);
    const unknown = { as: app.admin, params: { id: people[0]?.id ?? '' } };
    expect((await app.call('getQuizStatistics', unknown)).status).toBe(404);
  });

  /** How often papers were read since. */
  const countReads = () => {
    const query = vi.spyOn(app.pool, 'query');
    onTestFinished(() => void query.mockRestore());
    return () =>
      query.mock.calls.filter(([text]) => JSON.stringify(text).includes('paper_questions pq'))
        .length;
  };

  it('are computed once for those who ask for the same, and not again for other questions', async () => {
    const reads = countReads();
    const all = await Promise.all(Array.from({ length: 12 }, () => statistics({ until: FAR })));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(reads()).toBe(1);
    const other = await makeScoredQuiz(app, app.admin, QUESTIONS);
    const edited = { id: other.questionIds[0] ?? '' };
    const definition = plainDefinition('Changed', ['a', 'b'], 'a');
    const change = { as: app.admin, params: edited, body: { definition } };
    expect((await app.call('changeBankQuestion', change)).status).toBe(200);
    await statistics({ until: FAR });
    expect(reads()).toBe(1);
  });

  it('of two groups are computed again when one joins the other, and only then', async () => {
    const reads = countReads();
    const groups = { first: '2A', second: 'Chess' };
    await statistics(groups);
    const before = reads();
    await statistics(groups);
    expect(reads()).toBe(before);
    await setGroups(0, ['Chess']);
    await statistics(groups);
    expect(reads()).toBe(before + 1);
  });

  it('are never kept past a change of what they are made of', async () => {
    const quiz = await makeScoredQuiz(app, app.admin, QUESTIONS);
    const [first = '', second = '', third = '', ...others] = quiz.questionIds;
    const must = async (name: EndpointName, call: object) => {
      const { status, body } = await app.call(name, { as: app.admin, ...call });
      expect(status, `${name} ${JSON.stringify(body)}`).toBeLessThan(300);
      return body;
    };
    const group = (id: string, groups: string[]) =>
      must('updatePerson', { params: { id }, body: { groups } });
    const begin = async (selected: string[] = []) => {
      const attempt = await sitScoredQuiz(app, app.admin, quiz, selected);
      await group(attempt.candidate.userId, ['3C']);
      app.clock.advance({ seconds: 60 });
      return attempt;
    };
    const sit = async (selected: string[] = []) => {
      const attempt = await begin(selected);
      await attempt.submit();
      return { id: attempt.id, userId: attempt.candidate.userId };
    };
    const [one, two] = [await sit(SAT[0]), await sit(SAT[1])];
    const [three, four] = [await sit(SAT[5]), await sit(SAT[7])];
    const statisticsOf3C = () =>
      must('getQuizStatistics', { params: { id: quiz.id }, query: { group: '3C' } });
    const rescore = (correction: object) =>
      must('rescoreBankQuestion', {
        ...{ params: { id: second }, body: { dryRun: false, correction } },
      });
    const replace = (id: string, how: string) =>
      must('replaceParticipant', { params: { id }, body: { how, reason: 'r' } });
    const dismiss = async () => {
      const { id } = await begin(SAT[3]);
      await app.pool.query(
        "update participants set close_reason = 'dismissed', close_at = started_at where id = $1",
        [id],
      );
      await passTime(app, { seconds: 1 });
    };
    const changes: Record<string, () => Promise<unknown>> = {
      'an attempt is submitted': () => sit(SAT[2]),
      'an attempt is dismissed': dismiss,
      'an attempt is replaced': () => replace(three.id, 'another'),
      'an attempt is reinstated': () => replace(two.id, 'reinstate'),
      'one leaves the group': () => group(four.userId, []),
      'a key is corrected without a change of points': () =>
        rescore({ kind: 'also_right', options: ['a'] }),
      'a question is left out': () => rescore({ kind: 'left_out' }),
      'questions are ordered': () =>
        must('reorderQuestions', {
          ...{ params: { id: quiz.id }, body: { ids: [second, first, third, ...others] } },
        }),
      'a question is archived': () =>
        must('changeBankQuestions', { body: { ids: [first], isArchived: true } }),
      'one is erased': () =>
        must('erasePerson', { params: { id: one.userId }, body: { reason: 'r' } }),
    };
    let kept = await statisticsOf3C();
    for (const [what, change] of Object.entries(changes)) {
      await change();
      const found = await statisticsOf3C();
      expect(found, what).not.toEqual(kept);
      kept = found;
    }
    app.context.keptStatistics.clear();
    expect(await statisticsOf3C()).toEqual(kept);
  });

  it('are computed for no one who has left', async () => {
    const port = await portOf(app);
    const reads = countReads();
    const held = await app.pool.connect();
    await held.query('begin');
    await held.query('lock table paper_questions in access exclusive mode');
    const from = (i: number) => new Date(i * 1_000).toISOString();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const query = { from: from(i) };
        const wanted = { as: app.admin, params: { id: quizId }, query };
        const name = i % 2 ? 'getQuizStatistics' : 'exportQuizStatistics';
        // Some before their turn, some at work.
        return leave(port, requestOf(name, wanted), i % 4 < 2 ? undefined : () => delay(300));
      }),
    );
    const mine = statistics({ from: from(1_000) });
    await held.query('rollback');
    held.release();
    expect((await mine).test.n).toBe(10);
    await expect.poll(() => app.context.budgets.callerOf(app.admin)?.inFlight).toBe(0);
    // Mine, and what had begun when its sender left.
    expect(reads()).toBeLessThanOrEqual(4);
  });

  it('have the numbers of the list, also with a question that no paper has', async () => {
    const bank = { definition: plainDefinition('New', ['a', 'b'], 'a'), quizId };
    const added = (await app.call('addToBank', { as: app.admin, body: bank })).body.id;
    const [first = '', ...others] = questionIds;
    await app.call('reorderQuestions', {
      as: app.admin,
      params: { id: quizId },
      body: { ids: [added, first, ...others] },
    });
    const change = { ids: [first], isArchived: true };
    await app.call('changeBankQuestions', { as: app.admin, body: change });
    const { questions } = await statistics();
    expect(questions.map(({ question, number }) => `${number} ${question}`)).toEqual([
      ...['2 Two', '3 Primes', '4 g', '5 Last', '6 One'],
    ]);
  });
});

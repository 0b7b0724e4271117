import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { EndpointName } from '@invigil/core/contract/endpoints';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { CandidateResult } from '@invigil/core/contract/review/releases';
import type { QuizStatistics } from '@invigil/core/contract/review/statistics';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import type { CallInput } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  makeScoredQuiz,
  setUpAppWithAdmin,
  sitScoredQuiz,
} from '@invigil/testkit/factories';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';

const PAIRS = [
  { item: 'France', answer: 'Paris' },
  { item: 'Spain', answer: 'Madrid' },
  { item: 'Italy', answer: 'Rome' },
];
const matching: QuestionDefinition = {
  type: 'matching',
  format: 'plain',
  question: 'Capitals?',
  options: optionsOfPairs(PAIRS, ['Lisbon']),
  points: 3,
  rule: 'per_option',
};
const STEPS = ['Boil', 'Pour', 'Wait', 'Drink'];
const ordering: QuestionDefinition = {
  ...matching,
  type: 'ordering',
  question: 'Tea?',
  options: STEPS.map((text) => ({ text, isCorrect: false })),
  points: 2,
};
const DEFINITIONS = [
  matching,
  ordering,
  ...['A', 'B', 'C'].map((text) => plainDefinition(text, ['a', 'b'], 'a')),
];

const json = JSON.stringify;
const PLAIN = ['a', 'a', 'b'];
/** Answers of two people. */
const ANN = [json(['Paris', 'Lisbon', '']), json(['Pour', 'Boil', 'Wait', 'Drink']), ...PLAIN];
const BOB = [json(['Paris', 'Madrid', 'Rome']), json(STEPS), ...PLAIN];

describe('questions to match and to put in order', () => {
  const app = setUpAppWithAdmin();
  let quiz: Awaited<ReturnType<typeof makeScoredQuiz>>;
  let ann: BegunAttempt;
  let bob: BegunAttempt;
  /** The body of a call that succeeds. */
  const must = async (name: EndpointName, input: CallInput) => {
    const { status, body, text } = await app.call(name, { as: app.admin, ...input });
    if (status >= 300) throw new Error(`${name}: ${status} ${text}`);
    return body;
  };

  beforeAll(async () => {
    quiz = await makeScoredQuiz(app, app.admin, DEFINITIONS);
    ann = await sitScoredQuiz(app, app.admin, quiz, ANN);
    bob = await sitScoredQuiz(app, app.admin, quiz, BOB);
    await sitScoredQuiz(app, app.admin, quiz, ['', '', ...PLAIN]).then((one) => one.submit());
  });

  const save = (attempt: BegunAttempt, question: number, selectedOption: string, revision = 9) =>
    app.call('saveAnswers', {
      as: attempt.candidate.cookie,
      params: { id: attempt.id },
      body: {
        answers: [
          { questionId: quiz.questionIds[question], selectedOption, isFlagged: false, revision },
        ],
      },
    });

  it('come without their order, items of a matching beside its answers', async () => {
    for (let i = 0; i < 6; i += 1) {
      const attempt = await beginAttempt(app, app.admin, { id: quiz.id, questions: [] });
      const query = { forAssessment: 'true' };
      const reply = await app.call('listQuestions', {
        as: attempt.candidate.cookie,
        params: { id: quiz.id },
        query,
      });
      const paper: PaperQuestion[] = reply.body;
      const [pairs, order] = ['matching', 'ordering'].map((type) =>
        paper.find((question) => question.type === type),
      );
      expect(pairs?.items).toEqual(['France', 'Spain', 'Italy']);
      expect(pairs?.options.toSorted()).toEqual(['Lisbon', 'Madrid', 'Paris', 'Rome']);
      expect(pairs?.options).not.toEqual(['Paris', 'Madrid', 'Rome', 'Lisbon']);
      expect(order?.items).toBeUndefined();
      expect(order?.options.toSorted()).toEqual(STEPS.toSorted());
      expect(order?.options).not.toEqual(STEPS);
      expect(reply.text).not.toMatch(/"(match|place|definition|correctAnswer)"/);
    }
  });

  it('come without their order from sections, too', async () => {
    const items = quiz.questionIds.map((questionId) => ({ questionId }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const other = await makeScoredQuiz(app, app.admin, []);
    const body = { structure, negativeMarks: null };
    await must('setStructure', { params: { id: other.id }, body });
    for (let i = 0; i < 12; i += 1) {
      const [pairs, order] = await must('previewQuiz', { params: { id: other.id } });
      expect(pairs.items).toEqual(['France', 'Spain', 'Italy']);
      expect(pairs.options).not.toEqual(['Paris', 'Madrid', 'Rome', 'Lisbon']);
      expect(order.options).not.toEqual(STEPS);
    }
  });

  it.each<[number, string, string]>([
    [0, 'Paris', 'Send a JSON array of 3 texts, one for each item'],
    [0, json(['Paris', 'Madrid']), 'Send a JSON array of 3 texts, one for each item'],
    [0, json(['Paris', 'Spain', '']), 'This is not an option of the question'],
    [0, json(['Paris', 'Berlin', '']), 'This is not an option of the question'],
    [0, json(['Paris', 7, '']), 'Send a JSON array of 3 texts, one for each item'],
    [1, json(STEPS.slice(1)), 'in the order of the answer'],
    [1, json(['Boil', 'Boil', 'Wait', 'Drink']), 'in the order of the answer'],
    [1, json(['Boil', 'Pour', 'Wait', 'Sleep']), 'in the order of the answer'],
  ])('are not answered with what is not on the paper: %d %s', async (question, answer, problem) => {
    const { status, body } = await save(ann, question, answer);
    expect(status).toBe(400);
    expect(body.issues).toEqual([
      {
        path: 'answers.0',
        message: expect.stringContaining(problem),
      },
    ]);
  });

  it('are answered again as they were on another device, and cleared', async () => {
    const read = async () => {
      const reply = await app.call('listAnswers', {
        as: ann.candidate.cookie,
        params: { id: ann.id },
      });
      return quiz.questionIds
        .slice(0, 2)
        .map(
          (id) =>
            reply.body.find((answer: { questionId: string }) => answer.questionId === id)
              ?.selectedOption,
        );
    };
    expect(await read()).toEqual(ANN.slice(0, 2));
    expect((await save(ann, 0, json(['', '', '']), 10)).status).toBe(200);
    expect((await save(ann, 1, '', 10)).status).toBe(200);
    expect(await read()).toEqual(['', '']);
    await save(ann, 0, ANN[0] ?? '', 11);
    await save(ann, 1, ANN[1] ?? '', 11);
    expect(await read()).toEqual(ANN.slice(0, 2));
  });

  const pointsOf = async ({ id }: BegunAttempt) => {
    const record: ParticipantRecord = await must('getParticipantRecord', { params: { id } });
    return quiz.questionIds
      .slice(0, 2)
      .map((questionId) => record.questions.find((one) => one.questionId === questionId));
  };

  it('earn a share for each right row, and are shown row by row', async () => {
    for (const attempt of [ann, bob]) await attempt.submit();
    const [pairs, order] = await pointsOf(ann);
    expect(pairs).toMatchObject({
      points: 1,
      isCorrect: false,
      rows: [
        { item: 'France', given: 'Paris', right: 'Paris' },
        { item: 'Spain', given: 'Lisbon', right: 'Madrid' },
        { item: 'Italy', given: '', right: 'Rome' },
      ],
    });
    expect(order).toMatchObject({
      points: 1,
      rows: [
        { item: 'Pour', given: '1', right: '2' },
        { item: 'Boil', given: '2', right: '1' },
        { item: 'Wait', given: '3', right: '3' },
        { item: 'Drink', given: '4', right: '4' },
      ],
    });
    expect((await pointsOf(bob)).map((one) => [one?.points, one?.isCorrect])).toEqual([
      [3, true],
      [2, true],
    ]);
  });

  it('are in the report with what was given', async () => {
    const query = { quizId: quiz.id, questions: 'true' };
    const { text } = await app.call('exportParticipants', { as: app.admin, query });
    const cells = parse(text, { bom: true }).flat() as string[];
    expect(cells).toContain('France → Paris; Spain → Lisbon');
    expect(cells).toContain('Pour; Boil; Wait; Drink');
  });

  it('have statistics of each item, with everything that it was given', async () => {
    const statistics: QuizStatistics = await must('getQuizStatistics', {
      params: { id: quiz.id },
    });
    const [pairs, order] = statistics.questions;
    expect(pairs).toMatchObject({ type: 'matching', n: 3 });
    expect(pairs?.facility).toBeCloseTo((1 + 3) / 9, 9);
    expect((pairs?.omitted ?? 0) + (pairs?.notReached ?? 0)).toBe(1);
    expect(
      pairs?.options.map(({ text, isKey, chosen, given }) => [text, isKey, chosen, given]),
    ).toEqual([
      ['France', true, 2, [{ text: 'Paris', isKey: true, chosen: 2 }]],
      [
        'Spain',
        true,
        1,
        [
          { text: 'Madrid', isKey: true, chosen: 1 },
          { text: 'Lisbon', isKey: false, chosen: 1 },
        ],
      ],
      ['Italy', true, 1, [{ text: 'Rome', isKey: true, chosen: 1 }]],
    ]);
    expect(order?.options.map(({ text, chosen, given }) => [text, chosen, given])).toEqual([
      [
        'Boil',
        1,
        [
          { text: '1', isKey: true, chosen: 1 },
          { text: '2', isKey: false, chosen: 1 },
        ],
      ],
      ['Drink', 2, [{ text: '4', isKey: true, chosen: 2 }]],
      [
        'Pour',
        1,
        [
          { text: '1', isKey: false, chosen: 1 },
          { text: '2', isKey: true, chosen: 1 },
        ],
      ],
      ['Wait', 2, [{ text: '3', isKey: true, chosen: 2 }]],
    ]);
    const { text } = await app.call('exportQuizStatistics', {
      as: app.admin,
      params: { id: quiz.id },
    });
    const rows = parse(text, { bom: true }) as string[][];
    expect(rows).toContainEqual(
      expect.arrayContaining(['1', 'Spain → Lisbon', '1', String(1 / 3)]),
    );
  });

  const result = async ({ candidate, id }: BegunAttempt): Promise<CandidateResult> =>
    (await app.call('getResult', { as: candidate.cookie, params: { id } })).body;

  it.each([true, false])('are released row by row, with the key: %s', async (withKey) => {
    const parts = ['answers', 'score', ...(withKey ? ['key'] : [])];
    const rules = { parts, when: { kind: 'by_hand' }, openDays: 30 };
    await must('setReleaseRules', { params: { id: quiz.id }, body: { rules } });
    await must('releaseResults', { params: { id: quiz.id }, body: {} });
    const { questions = [] } = await result(ann);
    const pairs = questions.find(({ question }) => question === 'Capitals?');
    const order = questions.find(({ question }) => question === 'Tea?');
    const right = (text: string) => (withKey ? { right: text } : {});
    expect(pairs).toMatchObject({ options: [] });
    expect(pairs?.rows).toEqual([
      { item: 'France', given: 'Paris', ...right('Paris') },
      { item: 'Spain', given: 'Lisbon', ...right('Madrid') },
      { item: 'Italy', given: '', ...right('Rome') },
    ]);
    expect(order?.isOrder).toBe(true);
    expect(order?.rows?.[0]).toEqual({ item: 'Pour', given: '1', ...right('2') });
    expect(pairs).not.toHaveProperty('typed');
  });

  it('are scored again by a corrected key, on papers that were drawn before', async () => {
    const [pairsId = '', orderId = ''] = quiz.questionIds;
    const change = (id: string, definition: QuestionDefinition) =>
      must('changeBankQuestion', { params: { id }, body: { definition } });
    const rescore = (questionId: string) =>
      must('rescoreQuestion', {
        params: { id: quiz.id, questionId },
        body: { dryRun: false, reason: 'wrong key' },
      });
    await change(pairsId, {
      ...matching,
      options: optionsOfPairs(
        PAIRS.map((pair) => (pair.item === 'Spain' ? { ...pair, answer: 'Lisbon' } : pair)),
        ['Madrid'],
      ),
    });
    await rescore(pairsId);
    await change(orderId, {
      ...ordering,
      options: ['Pour', 'Boil', 'Wait', 'Drink'].map((text) => ({ text, isCorrect: false })),
    });
    await rescore(orderId);
    const points = async (attempt: BegunAttempt) =>
      (await pointsOf(attempt)).map((one) => one?.points);
    expect([await points(ann), await points(bob)]).toEqual([
      [2, 2],
      [2, 1],
    ]);
    const [, order] = await pointsOf(bob);
    expect(order?.rows?.map(({ item, right }) => `${item} ${right}`)).toEqual([
      ...['Boil 2', 'Pour 1', 'Wait 3', 'Drink 4'],
    ]);
  });

  it('are covered by the seal of a result: answer and key', async () => {
    const isBroken = async () =>
      (await must('getParticipantRecord', { params: { id: bob.id } })).hasBrokenSeal ?? false;
    expect(await isBroken()).toBe(false);
    const [, orderId] = quiz.questionIds;
    const turn = () =>
      app.pool.query(
        `update answers set response = regexp_replace(response, '^(\\d+),(\\d+)', '\\2,\\1')
         where participant_id = $1 and question_id = $2`,
        [bob.id, orderId],
      );
    await turn();
    expect(await isBroken()).toBe(true);
    await turn();
    expect(await isBroken()).toBe(false);
    const [pairsId] = quiz.questionIds;
    const matched = (by: number) =>
      app.pool.query(
        `update question_versions set details = jsonb_set(details, '{options,0,match}',
           to_jsonb((details -> 'options' -> 0 -> 'match')::int + $2)) where question_id = $1`,
        [pairsId, by],
      );
    await matched(1);
    expect(await isBroken()).toBe(true);
    await matched(-1);
    expect(await isBroken()).toBe(false);
  });

  it('are found by the words of items and answers, and as duplicates whatever their order', async () => {
    const found = await must('listBank', { query: { search: 'Lisbon' } });
    expect(found.map(({ id }: { id: string }) => id)).toEqual([quiz.questionIds[0]]);
    const add = async (definition: QuestionDefinition) =>
      (await must('addToBank', { body: { definition } })).id;
    const pairs = (order: typeof PAIRS) => ({
      ...matching,
      question: 'Same?',
      options: optionsOfPairs(order, ['Lisbon']),
    });
    const swapped = PAIRS.map(({ item }, i) => ({ item, answer: PAIRS.at(i - 1)?.answer ?? '' }));
    const same = [await add(pairs(PAIRS)), await add(pairs(PAIRS.toReversed()))];
    const another = await add(pairs(swapped));
    const groups = await must('listDuplicates', {});
    const ids: string[][] = groups.map((group: { id: string }[]) => group.map(({ id }) => id));
    expect(ids.find((group) => group.includes(same[0]))?.toSorted()).toEqual(same.toSorted());
    expect(ids.flat()).not.toContain(another);
  });

  it('are drafts while an item has no answer, and then on no paper', async () => {
    const options = optionsOfPairs([{ item: 'Malta', answer: null }, ...PAIRS]);
    const other = await makeScoredQuiz(app, app.admin, [
      ...DEFINITIONS,
      { ...matching, question: 'Draft?', options },
    ]);
    const [shown] = (await must('listQuizzes', {})).filter(
      ({ id }: { id: string }) => id === other.id,
    );
    expect(shown).toMatchObject({ questionCount: 5 });
    const { candidate } = await beginAttempt(app, app.admin, { id: other.id, questions: [] });
    const { text } = await app.call('listQuestions', {
      as: candidate.cookie,
      params: { id: other.id },
      query: { forAssessment: 'true' },
    });
    expect(text).not.toContain('Draft?');
  });
});

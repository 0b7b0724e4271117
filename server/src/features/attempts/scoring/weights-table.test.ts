import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import type {
  NumericKey,
  QuestionDefinition,
  QuestionType,
  ScoringRule,
  ShortTextKey,
} from '@invigil/core/domain/questions/question-definition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inviteForCodes,
  makeQuiz,
  signInAdmin,
  signInCandidate,
} from '../../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

const PEOPLE = 30;
const THIRD = 33.33333;

/** A question, and the answers that people give to it with what each is worth, worked out by hand. */
interface Asked {
  type: QuestionType;
  rule: ScoringRule;
  points: number;
  /** Options, or texts to type, with their percent. Without weights: above 0 is right. */
  answers: Record<string, number>;
  numeric?: NumericKey;
  shortText?: ShortTextKey;
}

const ASKED: Asked[] = [
  {
    type: 'multiple_choice',
    rule: 'weights',
    points: 0.25,
    answers: { all: 100, third: THIRD, nothing: 0, negative: -50 },
  },
  {
    type: 'multiple_choice',
    rule: 'weights',
    points: 7.77,
    answers: { most: 66.66667, some: 0.00001, nothing: 0 },
  },
  { type: 'multiple_choice', rule: 'all_or_nothing', points: 3, answers: { yes: 100, no: 0 } },
  { type: 'true_false', rule: 'all_or_nothing', points: 0.75, answers: { True: 0, False: 100 } },
  {
    type: 'numeric',
    rule: 'weights',
    points: 3,
    numeric: {
      accepted: [
        { value: '42', weight: 100 },
        { min: '40', max: '44', weight: THIRD },
      ],
      units: [{ unit: 'km', factor: '1000' }],
    },
    answers: { '42': 100, '42.0': 100, '0,042 km': 100, '43.5': THIRD, '44.01': 0, many: 0 },
  },
  {
    type: 'numeric',
    rule: 'all_or_nothing',
    points: 0.25,
    numeric: { accepted: [{ value: '200', tolerancePercent: '1' }] },
    answers: { '202': 100, '1,98e2': 100, '202.1': 0 },
  },
  {
    type: 'short_text',
    rule: 'weights',
    points: 100,
    shortText: {
      accepted: [
        { text: 'Ada Lovelace', weight: 100 },
        { text: 'Lovelace', weight: 66.66667 },
        { text: 'Ada', weight: THIRD },
        { text: 'Byron', weight: -50 },
      ],
    },
    answers: { 'ada  LOVELACE ': 100, lovelace: 66.66667, ADA: THIRD, Byron: -50, nobody: 0 },
  },
  {
    type: 'short_text',
    rule: 'all_or_nothing',
    points: 1,
    shortText: { accepted: [{ text: 'pH' }], isCaseSensitive: true },
    answers: { pH: 100, ph: 0 },
  },
  // A Moodle export of three right options: together 99.99999 percent, which are the full points.
  {
    type: 'multiple_response',
    rule: 'weights',
    points: 3,
    answers: { a: THIRD, b: THIRD, c: THIRD, d: -THIRD },
  },
  {
    type: 'multiple_response',
    rule: 'right_minus_wrong',
    points: 0.25,
    answers: { a: 100, b: 100, c: 100, d: 0 },
  },
  {
    type: 'multiple_response',
    rule: 'per_option',
    points: 1.25,
    answers: { a: 100, b: 0, c: 0 },
  },
  {
    type: 'multiple_response',
    rule: 'all_or_nothing',
    points: 2.5,
    answers: { a: 100, b: 100, c: 0 },
  },
];

const MARKS = [
  null,
  { percent: 33.33, floor: 'question' },
  { percent: 33.33, floor: 'total' },
] as const;

function definitionOf(asked: Asked, i: number): QuestionDefinition {
  const { type, rule, points, answers, numeric, shortText } = asked;
  const isTyped = type === 'numeric' || type === 'short_text';
  const options = Object.entries(answers).map(([text, weight]) => ({
    text,
    isCorrect: weight > 0,
    ...(rule === 'weights' ? { weight } : {}),
  }));
  const key = { ...(numeric ? { numeric } : {}), ...(shortText ? { shortText } : {}) };
  const question = `Question ${i}`;
  return { type, format: 'plain', question, points, rule, options: isTyped ? [] : options, ...key };
}

/** What everyone answers: one answer, several of a multiple response, or none at all. */
function makeGiven(): { person: number; question: number; answer: string }[] {
  const random = seededRandom('thirty people');
  return Array.from({ length: PEOPLE }, (_, person) =>
    ASKED.flatMap(({ type, answers }, question) => {
      const texts = Object.keys(answers);
      const one = texts[Math.floor(random() * texts.length)];
      const isBlank = random() < 0.1;
      // The first person has everything right in the multiple responses, so that full points occur.
      const given = texts.filter((text) =>
        type === 'multiple_response'
          ? person === 0
            ? (answers[text] ?? 0) > 0
            : random() < 0.5
          : text === one,
      );
      return isBlank ? [] : given.map((answer) => ({ person, question, answer }));
    }),
  ).flat();
}

/*
 * The rules, written in SQL from their definitions and not from the code. 12 is a multiple of the numbers
 * of options, so that shares stay exact and are rounded once. $1: percent, $2: whether no question can
 * fall below zero.
 */
const TABLE_SQL = `
with answer as (
  select person, question, type, rule, points,
    count(*) as options,
    count(*) filter (where weight > 0) as correct,
    count(*) filter (where is_selected and weight > 0) as right_selected,
    count(*) filter (where is_selected and weight <= 0) as wrong_selected,
    count(*) filter (where is_selected = (weight > 0)) as as_the_key,
    bool_or(is_selected) as is_answered,
    coalesce(sum(weight) filter (where is_selected), 0) as percent
  from (
    select p.person, a.*, g.answer is not null as is_selected
    from asked a cross join generate_series(0, ${PEOPLE - 1}) as p(person)
    left join given g on (g.person, g.question, g.answer) = (p.person, a.question, a.answer)
  ) s group by person, question, type, rule, points
), evaluated as (
  select *,
    case when rule = 'weights' then least(100, greatest(0, percent)) * 12 / 100
      when rule = 'right_minus_wrong'
        then greatest(0, right_selected - wrong_selected) * 12.0 / correct
      when rule = 'per_option' then as_the_key * 12.0 / options
      when type = 'multiple_response' then case when as_the_key = options then 12 else 0 end
      else right_selected * 12 end as twelfths
  from answer
), counted as (
  select *, case when rule = 'all_or_nothing' then (twelfths = 0)::int else wrong_selected end as wrong
  from evaluated
), earned as (
  select person, question, points, case when not is_answered then 0
    else points * (twelfths - wrong * 12 * $1::numeric / 100) end as earned
  from counted
), cell as (
  select person, question, points,
    case when $2 then greatest(0, earned) else earned end as earned
  from earned
)
select person || '/' || question as key, round(earned / 12, 4)::float8 as points,
  round(earned / 12, 4) = points as is_right from cell
union all
select person || '/total', round(greatest(0, sum(earned)) / 12, 4)::float8, null from cell group by person
union all
select person || '/score', count(*) filter (where round(earned / 12, 4) = points), null
from cell group by person`;

describe('points by weights and negative marks, against a table made by SQL', () => {
  const given = makeGiven();
  let app: TestApp;
  let admin: string;
  const questionIds: string[] = [];

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    const asked = ASKED.flatMap(({ type, rule, points, answers }, question) =>
      Object.entries(answers).map(([answer, weight]) => ({
        ...{ question, type, rule, points },
        ...{ answer, weight },
      })),
    );
    for (const [table, columns, rows] of [
      [
        'asked',
        'question int, type text, rule text, points numeric, answer text, weight numeric',
        asked,
      ],
      ['given', 'person int, question int, answer text', given],
    ] as const) {
      await app.pool.query(`create table ${table} (${columns})`);
      await app.pool.query(
        `insert into ${table} select * from jsonb_to_recordset($1) as r(${columns})`,
        [JSON.stringify(rows)],
      );
    }
    for (const definition of ASKED.map(definitionOf)) {
      const reply = await app.call('addToBank', { as: admin, body: { definition } });
      expect(reply.status, reply.text).toBe(201);
      questionIds.push(reply.body.id);
    }
  });
  afterAll(() => app.stop());

  it.each(MARKS)('are equal in every cell with negative marks %j', async (negativeMarks) => {
    const { id: quizId } = await makeQuiz(app, admin, { questions: [] });
    const items = questionIds.map((questionId) => ({ questionId }));
    const structure = { sections: [{ title: 'All', isShuffled: true, items }] };
    const body = { structure, negativeMarks };
    const set = await app.call('setStructure', { as: admin, params: { id: quizId }, body });
    expect(set.status).toBe(200);
    const emails = Array.from({ length: PEOPLE }, (_, i) => `${quizId.slice(-8)}${i}@example.org`);
    const codes = await inviteForCodes(app, admin, quizId, emails);
    const actual = new Map<string, [points: number, isRight: boolean | null]>();

    async function take(person: number): Promise<void> {
      const { cookie: as } = await signInCandidate(app, emails[person] ?? '', codes[person] ?? '');
      const { id } = (await app.call('startParticipant', { as, body: {} })).body;
      const answers = ASKED.map(({ type }, question) => {
        const own = given.filter((g) => g.person === person && g.question === question);
        const texts = own.map(({ answer }) => answer);
        const many = texts.length === 0 ? '' : JSON.stringify(texts);
        const selectedOption = type === 'multiple_response' ? many : (texts[0] ?? '');
        return {
          questionId: questionIds[question] ?? '',
          ...{ selectedOption, isFlagged: false, revision: 1 },
        };
      });
      const ended = await app.call('submitParticipant', { as, params: { id }, body: { answers } });
      expect(ended.status, ended.text).toBe(200);
      const reply = await app.call('getParticipantRecord', { as: admin, params: { id } });
      const { questions, participant } = reply.body as ParticipantRecord;
      actual.set(`${person}/total`, [participant.points ?? Number.NaN, null]);
      actual.set(`${person}/score`, [participant.score ?? Number.NaN, null]);
      for (const { questionId, points, isCorrect } of questions) {
        const question = questionIds.indexOf(questionId);
        actual.set(`${person}/${question}`, [points ?? Number.NaN, isCorrect]);
      }
    }
    await Promise.all(Array.from({ length: PEOPLE }, (_, person) => take(person)));

    const { rows } = await app.pool.query<{
      key: string;
      points: number;
      is_right: boolean | null;
    }>(TABLE_SQL, [negativeMarks?.percent ?? 0, negativeMarks?.floor === 'question']);
    expect(rows).toHaveLength(PEOPLE * (ASKED.length + 2));
    const table = rows.map(
      ({ key, points, is_right }) => [key, [Number(points), is_right]] as const,
    );
    expect(new Map([...actual].sort())).toEqual(new Map([...table].sort()));
    // The data set says something: many values, and below zero where a question can be.
    expect(new Set(rows.map(({ points }) => points)).size).toBeGreaterThan(30);
    expect(rows.some(({ points }) => points < 0)).toBe(negativeMarks?.floor === 'total');
    expect(rows.find(({ key }) => key === '0/8')).toMatchObject({ points: 3, is_right: true });
  });
});

import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import {
  SCORING_RULES,
  type ScoringRule,
} from '@invigil/core/domain/questions/question-definition';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inviteForCodes,
  makeQuiz,
  signInAdmin,
  signInCandidate,
} from '../../../testing/factories.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

const PEOPLE = 200;
const QUESTIONS = 40;
const AT_ONCE = 20;

/** One option of one question as one person answered it. */
interface Cell {
  person: number;
  question: number;
  option: number;
  is_correct: boolean;
  is_selected: boolean;
  weight: number;
  points: number;
}

/** A made-up data set: 2 to 8 options, some right; every tenth question is left blank by a person. */
function makeCells(): Cell[] {
  const random = seededRandom('two hundred people');
  const questions = Array.from({ length: QUESTIONS }, () => {
    const options = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, i) => ({
      is_correct: i === 0 || random() < 0.4,
    }));
    const correct = options.filter((o) => o.is_correct).length;
    // As other systems export them: thirds with five decimals, wrong options negative.
    const weightOf = (isCorrect: boolean) =>
      isCorrect ? Math.floor(1e7 / correct) / 1e5 : -Math.floor(random() * 1e7) / 1e5;
    const points = (25 + Math.floor(random() * 400)) / 100;
    return options.map((o) => ({ ...o, weight: weightOf(o.is_correct), points }));
  });
  return Array.from({ length: PEOPLE }, (_, person) =>
    questions.map((options, question) => {
      const isBlank = random() < 0.1;
      const skill = random();
      return options.map((o, option) => {
        const is_selected =
          !isBlank && random() < (o.is_correct ? 0.3 + 0.7 * skill : 0.4 * (1 - skill));
        return { person, question, option, is_selected, ...o };
      });
    }),
  ).flat(2);
}

/*
 * The rules, written in SQL from their definitions and not from the code. 840 is a multiple of 1 to 8, the
 * numbers of options, so that sums of shares stay whole numbers and a total is rounded once.
 */
const TABLE_SQL = `
with answer as (
  select person, question, points,
    count(*) as options,
    count(*) filter (where is_correct) as correct,
    count(*) filter (where is_selected and is_correct) as right_selected,
    count(*) filter (where is_selected and not is_correct) as wrong_selected,
    count(*) filter (where is_selected = is_correct) as as_the_key,
    bool_or(is_selected) as is_answered,
    coalesce(sum(weight) filter (where is_selected), 0) as weight
  from cells group by person, question, points
), share as (
  select person, question, points,
    case when not is_answered then 0
      when as_the_key = options then 840 else 0 end as all_or_nothing,
    case when not is_answered then 0
      else greatest(0, right_selected - wrong_selected) * 840.0 / correct end as right_minus_wrong,
    case when not is_answered then 0 else as_the_key * 840.0 / options end as per_option,
    case when not is_answered then 0 else greatest(0, weight) / 100 * 840 end as weights
  from answer
)
select person, question, points, all_or_nothing, right_minus_wrong, per_option, weights from share`;

describe('points of 200 people in 40 multiple responses, against a table made by SQL', () => {
  const cells = makeCells();
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
    await app.pool.query(`create table cells (person int, question int, option int,
      is_correct boolean, is_selected boolean, weight numeric, points numeric)`);
    await app.pool.query(
      'insert into cells select * from jsonb_to_recordset($1) as c(person int, question int, option int, is_correct boolean, is_selected boolean, weight numeric, points numeric)',
      [JSON.stringify(cells)],
    );
  });
  afterAll(() => app.stop());

  async function expected(rule: ScoringRule): Promise<Map<string, number>> {
    const { rows } = await app.pool.query<{ key: string; points: number }>(`
      with cell as (${TABLE_SQL})
      select person || '/' || question as key, round(points * ${rule} / 840, 4)::float8 as points from cell
      union all
      select person || '/total', round(sum(points * ${rule}) / 840, 4)::float8 from cell group by person`);
    return new Map(rows.map((row) => [row.key, row.points]));
  }

  it.each(SCORING_RULES)('are equal in every cell: %s', async (rule) => {
    const ofQuestion = Map.groupBy(
      cells.filter((cell) => cell.person === 0),
      (cell) => cell.question,
    );
    const quiz = await makeQuiz(app, admin, {
      questions: [],
      totalQuestions: QUESTIONS,
      duration: 180,
    });
    const numberOf = new Map<string, number>();
    for (const [question, options] of ofQuestion) {
      const definition = {
        type: 'multiple_response',
        format: 'plain',
        question: `Question ${question}`,
        options: options.map(({ option, is_correct, weight }) => ({
          text: `option, "${option}"`,
          isCorrect: is_correct,
          ...(rule === 'weights' ? { weight } : {}),
        })),
        points: options[0]?.points,
        rule,
      };
      const reply = await app.call('addToBank', {
        as: admin,
        body: { definition, quizId: quiz.id },
      });
      numberOf.set((reply.body as BankQuestion).id, question);
    }

    const emails = Array.from({ length: PEOPLE }, (_, i) => `${rule}${i}@example.org`);
    const codes = await inviteForCodes(app, admin, quiz.id, emails);
    const actual = new Map<string, number>();
    const orders = new Set<string>();

    async function take(person: number): Promise<void> {
      const { cookie: as } = await signInCandidate(app, emails[person] ?? '', codes[person] ?? '');
      const { id } = (await app.call('startParticipant', { as, body: {} })).body;
      const query = { forAssessment: 'true' };
      const paper = await app.call('listQuestions', { as, params: { id: quiz.id }, query });
      const selected = new Set(
        cells
          .filter((cell) => cell.person === person && cell.is_selected)
          .map((cell) => `${cell.question}/option, "${cell.option}"`),
      );
      const answers = (paper.body as PaperQuestion[]).map((question) => {
        const number = numberOf.get(question.id);
        const texts = question.options.filter((text) => selected.has(`${number}/${text}`));
        if (number === 0) orders.add(question.options.join());
        const selectedOption = texts.length === 0 ? '' : JSON.stringify(texts);
        return { questionId: question.id, selectedOption, isFlagged: false, revision: 1 };
      });
      const half = answers.splice(0, QUESTIONS / 2);
      const saved = await app.call('saveAnswers', {
        as,
        params: { id },
        body: { answers: half },
      });
      expect(saved.status).toBe(200);
      const ended = await app.call('submitParticipant', {
        as,
        params: { id },
        body: { answers },
      });
      expect(ended.status).toBe(200);
      const reply = await app.call('getParticipantRecord', { as: admin, params: { id } });
      const { questions, participant } = reply.body as ParticipantRecord;
      actual.set(`${person}/total`, participant.points ?? Number.NaN);
      for (const { questionId, points } of questions) {
        actual.set(`${person}/${numberOf.get(questionId)}`, points ?? Number.NaN);
      }
    }
    for (let first = 0; first < PEOPLE; first += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => take(first + i)));
    }

    const table = await expected(rule);
    expect(table.size).toBe(PEOPLE * (QUESTIONS + 1));
    expect(new Map([...actual].sort())).toEqual(new Map([...table].sort()));
    // The data set says something: other points for other people, and shuffled options.
    expect(new Set(table.values()).size).toBeGreaterThan(100);
    expect(orders.size).toBeGreaterThan(1);
  });
});

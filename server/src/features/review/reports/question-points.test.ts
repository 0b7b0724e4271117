import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BegunAttempt, beginAttempt } from '../../../testing/begun-attempt.ts';
import { makeQuiz, signInAdmin } from '../../../testing/factories.ts';
import { makeScoredQuiz, setNegativeMarks, takeScoredQuiz } from '../../../testing/scored-quiz.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

const choice = (question: string, points: number): QuestionDefinition => ({
  type: 'multiple_choice',
  format: 'plain',
  question,
  options: ['right', 'wrong'].map((text) => ({ text, isCorrect: text === 'right' })),
  points,
  rule: 'all_or_nothing',
});

describe('points in the report with a column per question', () => {
  let app: TestApp;
  let admin: string;

  beforeAll(async () => {
    app = await startTestApp();
    admin = await signInAdmin(app);
  });
  afterAll(() => app.stop());

  const read = async (quizId: string) => {
    const query = { quizId, questions: 'true' };
    const reply = await app.call('exportParticipants', { as: admin, query });
    const [head = [], ...lines]: string[][] = parse(reply.text, {
      bom: true,
      record_delimiter: '\r\n',
    });
    const from = head.indexOf('Submission Type') + 1;
    return {
      heads: head.slice(from),
      of: ({ id }: BegunAttempt) => lines.find((line) => line[1] === id)?.slice(from),
    };
  };
  const pointsInRecord = async (attempt: BegunAttempt, questionIds: readonly string[]) => {
    const { questions } = (await attempt.record()).body as ParticipantRecord;
    return questionIds.map((id) => questions.find((q) => q.questionId === id)?.points);
  };

  it('are those of the record, by the negative marks that each attempt began with', async () => {
    const marks = { percent: 25, floor: 'total' } as const;
    const quiz = await makeScoredQuiz(app, admin, [choice('A', 6), choice('B', 4)], marks);
    const before = await takeScoredQuiz(app, admin, quiz, ['wrong', 'right']);
    await before.submit();
    await setNegativeMarks(app, admin, quiz.id, null);
    const after = await takeScoredQuiz(app, admin, quiz, ['wrong', 'right']);
    await after.submit();
    expect(await pointsInRecord(before, quiz.questionIds)).toEqual([-1.5, 4]);
    expect(await pointsInRecord(after, quiz.questionIds)).toEqual([0, 4]);
    const { heads, of } = await read(quiz.id);
    expect(heads).toEqual(['Points', 'Max Points', 'Q1: A', 'Q1: points', 'Q2: B', 'Q2: points']);
    expect(of(before)).toEqual(['2.5', '10', 'wrong', '-1.5', 'right', '4']);
    expect(of(after)).toEqual(['4', '10', 'wrong', '0', 'right', '4']);
  });

  it('of plain questions are there where wrong answers cost something, blank where not', async () => {
    const quiz = await makeQuiz(app, admin);
    const before = await beginAttempt(app, admin, quiz);
    await before.save(0, 0, 1);
    await before.submit();
    // No attempt has points yet: the report is as it always was.
    const plain = await read(quiz.id);
    expect(plain.heads).toEqual(['Q1: Q1', 'Q2: Q2', 'Q3: Q3', 'Q4: Q4', 'Q5: Q5']);
    expect(plain.of(before)).toEqual(['Q1 a', '', '', '', '']);
    await setNegativeMarks(app, admin, quiz.id, { percent: 50, floor: 'total' });
    const after = await beginAttempt(app, admin, quiz);
    await after.save(0, 0, 1);
    await after.save(1, 1, 1);
    await after.submit();
    const { heads, of } = await read(quiz.id);
    expect(heads.slice(0, 6)).toEqual([
      'Points',
      'Max Points',
      'Q1: Q1',
      'Q1: points',
      'Q2: Q2',
      'Q2: points',
    ]);
    expect(of(before)).toEqual(['', '', 'Q1 a', '', '', '', '', '', '', '', '', '']);
    expect(of(after)).toEqual(['0.5', '5', 'Q1 a', '-0.5', 'Q2 b', '1', '', '0', '', '0', '', '0']);
  });

  it('and answers stay there when the sections that drew the questions are removed', async () => {
    const questionIds: string[] = [];
    for (const text of ['A', 'B', 'C', 'D', 'E']) {
      const body = { definition: choice(text, 2) };
      questionIds.push((await app.call('addToBank', { as: admin, body })).body.id);
    }
    const { id } = await makeQuiz(app, admin, { questions: [] });
    const items = questionIds.map((questionId) => ({ questionId }));
    const structure = { sections: [{ title: 'All', isShuffled: false, items }] };
    const set = { as: admin, params: { id }, body: { structure, negativeMarks: null } };
    expect((await app.call('setStructure', set)).status).toBe(200);
    const attempt = await takeScoredQuiz(app, admin, { id, questionIds }, ['right', 'wrong']);
    await attempt.submit();
    const drawn = await read(id);
    expect(drawn.heads).toHaveLength(2 + 2 * questionIds.length);
    expect(drawn.of(attempt)?.slice(0, 6)).toEqual(['2', '10', 'right', '2', 'wrong', '0']);
    await setNegativeMarks(app, admin, id, null);
    const without = await read(id);
    expect(without.heads).toEqual(drawn.heads);
    expect(without.of(attempt)).toEqual(drawn.of(attempt));
  });
});

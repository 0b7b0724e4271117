import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  plainQuestions,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';

/** The number of standard columns. */
const PLAIN = 11;

describe('the report with a column per question', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  beforeEach(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: 25 });
  });

  const report = (query: Record<string, string>) =>
    app.call('exportParticipants', { as: app.admin, query });
  const read = async (id = quiz.id) => {
    const reply = await report({ quizId: id, questions: 'true' });
    expect(reply.status).toBe(200);
    const [head = [], ...lines]: string[][] = parse(reply.text, {
      bom: true,
      record_delimiter: '\r\n',
    });
    return {
      heads: head.slice(PLAIN),
      of: (attempt: BegunAttempt) => lines.find((line) => line[1] === attempt.id)?.slice(PLAIN),
      lines,
    };
  };

  it.each([{}, { quizId: '' }, { quizId: 'all' }] as Record<string, string>[])(
    'is refused for all assessments: %j',
    async (query) => {
      expect(await report({ ...query, questions: 'true' })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', issues: [{ path: 'questions' }] },
      });
      expect((await report({ ...query, questions: 'false' })).status).toBe(200);
    },
  );

  it('shows what each person selected, blank where they selected nothing', async () => {
    const [one, two] = [
      await beginAttempt(app, app.admin, quiz),
      await beginAttempt(app, app.admin, quiz),
    ];
    await one.save(0, 1, 1);
    await one.save(4, 3, 1, true);
    await two.save(0, 0, 1);
    await two.save(1, 2, 1);
    await two.save(1, -1, 2);
    await two.submit();
    const { heads, of } = await read();
    expect(heads).toEqual(['Q1: Q1', 'Q2: Q2', 'Q3: Q3', 'Q4: Q4', 'Q5: Q5']);
    expect(of(one)).toEqual(['Q1 b', '', '', '', 'Q5 d']);
    expect(of(two)).toEqual(['Q1 a', '', '', '', '']);
    // Without the parameter, only the standard columns.
    const plain = await report({ quizId: quiz.id });
    expect(plain.text.split('\r\n')[0]?.split(',')).toHaveLength(PLAIN);
  });

  it('has the order of the assessment, and marks what is not on a paper', async () => {
    quiz = await makeQuiz(app, app.admin, { questions: plainQuestions(10), totalQuestions: 5 });
    const attempt = await beginAttempt(app, app.admin, quiz);
    for (const [i] of quiz.questions.entries()) await attempt.save(i, 1, 1);
    const ids = quiz.questions.map((q) => q.id).toReversed();
    await app.call('reorderQuestions', { as: app.admin, params: { id: quiz.id }, body: { ids } });
    const { heads, of } = await read();
    expect(heads).toEqual(quiz.questions.map((_, i) => `Q${i + 1}: Q${10 - i}`));
    const { questions } = (await attempt.record()).body;
    const selected = new Map(
      questions.map((q: { questionId: string; selectedOption: string }) => [
        q.questionId,
        q.selectedOption,
      ]),
    );
    expect(of(attempt)).toEqual(ids.map((id) => selected.get(id) ?? '(not drawn)'));
    expect(of(attempt)?.filter((cell) => cell !== '(not drawn)')).toHaveLength(5);
  });

  it('has only its header for an assessment without questions or without attempts', async () => {
    expect((await read()).lines).toEqual([]);
    const empty = await makeQuiz(app, app.admin, { questions: [] });
    expect(await read(empty.id)).toMatchObject({ heads: [], lines: [] });
  });
});

import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

/** Texts that a person may type; each is returned unchanged. */
const TEXTS = [
  '<script>alert("x")</script>',
  '<img src=x onerror=alert(1)>',
  '=HYPERLINK("http://evil.example","x")',
  '+1-2',
  '@SUM(A1)',
  "'; drop table quizzes; --",
  'null',
  '0',
  'a, "b" [c] {d} \\ \\n %s {{e}}',
  'Zeile eins\nZeile zwei\tTab',
  'עברית – العربية \u202egnihtyna',
  '🦊🏳️‍🌈 𝒳 e\u0301',
  '\ufeffA mark in front',
];

describe('any text that a person typed', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let attempt: BegunAttempt;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    attempt = await beginAttempt(app, app.admin, quiz);
  });
  it.each(TEXTS)('is returned as text, trimmed at most: %j', async (text) => {
    const shown = text.trim();
    const category = await app.call('createCategory', {
      as: app.admin,
      body: { name: text, description: text },
    });
    expect(category.body).toMatchObject({ name: shown, description: shown });
    const made = await app.call('createQuiz', {
      as: app.admin,
      body: {
        title: text,
        description: text,
        categoryId: category.body.id,
        duration: 5,
        totalQuestions: 5,
      },
    });
    expect(made.body).toMatchObject({ title: shown, description: shown, category: shown });
    const listed = (await app.call('listQuizzes', { as: app.admin })).body;
    expect(listed.find((q: { id: string }) => q.id === made.body.id)).toEqual(made.body);

    const params = { id: made.body.id };
    const question = { question: text, options: [text, 'other'], correctAnswer: text };
    await app.call('createQuestion', { as: app.admin, params, body: question });
    const questions = await app.call('listQuestions', { as: app.admin, params });
    expect(questions.body).toMatchObject([
      { question: shown, options: [shown, 'other'], correctAnswer: shown },
    ]);
    const copy = (await app.call('duplicateQuiz', { as: app.admin, params })).body;
    expect(copy.title).toBe(`${shown} (copy)`);
  });

  it.each(TEXTS)('is stored in notes and reasons: %j', async (text) => {
    const shown = text.trim();
    const params = { id: attempt.id };
    await app.call('noteParticipant', { as: app.admin, params, body: { note: text } });
    const extended = await app.call('extendParticipant', {
      as: app.admin,
      params,
      body: { minutes: 1, reason: text },
    });
    expect(extended.status).toBe(200);
    const record = (await attempt.record()).body;
    expect(record.note).toBe(shown);
    expect(record.actions.at(-1)).toMatchObject({ action: 'participant.extended', reason: shown });
  });

  it('is sent as JSON with its content type, so that no browser takes it for a page', async () => {
    const reply = await app.call('listCategories', { as: app.admin });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });
});

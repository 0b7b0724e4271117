import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { digests } from '@invigil/testkit/digests';
import {
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
  useUpBudget,
} from '@invigil/testkit/factories';
import { changeQuizBy, plainQuestions } from '@invigil/testkit/made-quiz';
import { beforeAll, describe, expect, it } from 'vitest';

const SETTING = { isPractice: true, practiceQuizId: null, dryRun: false };
const NO_TOKEN = 'x'.repeat(22);

const app = setUpAppWithAdmin();

const setPractice = (id: string, change: object = {}, as = app.admin) =>
  app.call('setPractice', { as, params: { id }, body: { ...SETTING, ...change } });
const getPractice = (token: string) => app.call('getPractice', { params: { token } });

async function tokenOf(id: string): Promise<string> {
  const { status, body } = await setPractice(id);
  expect(status).toBe(200);
  return body.quiz.asPractice.token;
}

describe('marking an assessment as practice', () => {
  let quiz: MadeQuiz;
  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
  });
  const stored = async (id = quiz.id) =>
    (await app.call('getQuiz', { as: app.admin, params: { id } })).body;

  it('is refused where people were invited, and for what was not read', async () => {
    const invited = await makeQuiz(app, app.admin);
    await inviteCandidate(app, app.admin, invited.id, 'real@example.org');
    const { status, body } = await setPractice(invited.id);
    expect([status, body.code]).toEqual([409, 'HAS_CANDIDATES']);
    const before = { isPractice: true, practiceQuizId: null };
    expect((await setPractice(quiz.id, { before })).body.code).toBe('STALE');
  });

  it('says in a dry run how many other assessments can ask its questions, and stores nothing', async () => {
    const questions = plainQuestions(9).slice(5);
    const other = await makeQuiz(app, app.admin, { questions });
    const items = [...quiz.questions, ...other.questions].map(({ id }) => ({ questionId: id }));
    const set = await app.call('setStructure', {
      ...{ as: app.admin, params: { id: other.id } },
      body: {
        structure: { sections: [{ title: 'All', isShuffled: true, items }] },
        negativeMarks: null,
      },
    });
    expect(set.status, set.text).toBe(200);
    const before = await digests(app.pool);
    const { status, body } = await setPractice(quiz.id, { dryRun: true });
    expect([status, body.askedBy]).toEqual([200, 1]);
    expect(await digests(app.pool)).toEqual(before);
  });

  it('gives it an address, a new one each time, and none any more', async () => {
    const { version } = await stored();
    const first = await tokenOf(quiz.id);
    // The form of the settings, open beside it, can still be saved.
    expect((await stored()).version).toBe(version);
    expect(first).toMatch(/^[\w-]{22}$/);
    expect((await getPractice(first)).status).toBe(200);
    const second = await tokenOf(quiz.id);
    expect((await getPractice(first)).status).toBe(404);
    expect((await getPractice(second)).status).toBe(200);
    await setPractice(quiz.id, { isPractice: false });
    expect((await getPractice(second)).status).toBe(404);
    expect((await stored()).asPractice).toBeUndefined();
  });

  it('invites no one, and leaves it out of the figures', async () => {
    const figures = async () => (await app.call('getStats', { as: app.admin })).body;
    const before = await figures();
    await tokenOf(quiz.id);
    const { totalQuizzes, activeQuizzes } = await figures();
    expect([totalQuizzes, activeQuizzes]).toEqual([
      before.totalQuizzes - 1,
      before.activeQuizzes - 1,
    ]);
    const { status, body } = await app.call('inviteToQuiz', {
      ...{ as: app.admin, params: { id: quiz.id } },
      body: { emails: ['someone@example.org'] },
    });
    expect([status, body.code]).toEqual([409, 'IS_PRACTICE']);
  });

  it('is not copied', async () => {
    await tokenOf(quiz.id);
    const copy = await app.call('duplicateQuiz', { as: app.admin, params: { id: quiz.id } });
    expect(copy.status).toBe(201);
    expect(copy.body.asPractice).toBeUndefined();
  });

  it('is not for someone who may not see one of its questions', async () => {
    const definition = {
      type: 'multiple_choice',
      format: 'plain',
      question: 'Of the bank',
      points: 1,
    };
    const options = [
      { text: 'a', isCorrect: true },
      { text: 'b', isCorrect: false },
    ];
    const bank = await app.call('addToBank', {
      ...{ as: app.admin },
      body: { definition: { ...definition, options, rule: 'all_or_nothing' } },
    });
    const shared = await makeQuiz(app, app.admin);
    const ids = [...shared.questions.map(({ id }) => id), bank.body.id];
    await app.call('setStructure', {
      ...{ as: app.admin, params: { id: shared.id } },
      body: {
        structure: {
          sections: [
            {
              ...{ title: 'All', isShuffled: true },
              items: ids.map((questionId) => ({ questionId })),
            },
          ],
        },
        negativeMarks: null,
      },
    });
    const { categoryId } = await stored(shared.id);
    const author = await signInAdmin(app, 'author@example.org');
    const { id } = (await app.call('me', { as: author })).body.user;
    const given = await app.call('setGrants', {
      ...{ as: app.admin, params: { id } },
      body: { grants: [{ role: 'author', categoryId }] },
    });
    expect(given.status, given.text).toBe(200);
    expect((await setPractice(shared.id, {}, author)).status).toBe(404);
    expect((await setPractice(quiz.id, { isPractice: false }, author)).status).toBe(404);
  });
});

describe('naming a practice assessment', () => {
  it('is refused for one that is none, and for a practice assessment', async () => {
    const [real, practice] = [await makeQuiz(app, app.admin), await makeQuiz(app, app.admin)];
    const naming = { isPractice: false, practiceQuizId: practice.id };
    const refused = await setPractice(real.id, naming);
    expect([refused.status, refused.body.issues]).toEqual([
      400,
      [{ path: 'practiceQuizId', message: 'Select a practice assessment' }],
    ]);
    await tokenOf(practice.id);
    expect((await setPractice(real.id, { practiceQuizId: practice.id })).status).toBe(400);
  });

  it('shows it to candidates and in their mail as long as people can use it', async () => {
    const [real, practice] = [await makeQuiz(app, app.admin), await makeQuiz(app, app.admin)];
    const token = await tokenOf(practice.id);
    const must = async (...[name, input]: Parameters<typeof app.call>) =>
      (await app.call(name, { as: app.admin, ...input })).body;
    const change = (settings: object) => changeQuizBy(must, practice.id, settings);
    const set = await setPractice(real.id, { isPractice: false, practiceQuizId: practice.id });
    expect(set.body.quiz.practice).toEqual({ quizId: practice.id, token });
    const candidate = await inviteCandidate(app, app.admin, real.id, 'first@example.org');
    const own = async () => (await app.call('me', { as: candidate.cookie })).body.quiz.practice;
    expect(await own()).toEqual({ quizId: practice.id, token });
    const mailOf = async () =>
      (
        await app.call('previewInvitation', {
          ...{ as: app.admin, params: { id: real.id } },
          body: {},
        })
      ).body.text;
    expect(await mailOf()).toContain(`/practice/${token}`);
    const [message] = (await app.call('listOutbox', { as: app.admin })).body;
    const sent = await app.call('readOutboxMessage', {
      ...{ as: app.admin, params: { id: message.id } },
    });
    expect(sent.body.text).toContain(`/practice/${token}`);
    const named = await app.call('getQuiz', { as: app.admin, params: { id: practice.id } });
    expect(named.body.asPractice).toEqual({ token, namedBy: 1 });

    await change({ isActive: false });
    expect((await getPractice(token)).status).toBe(404);
    expect(await own()).toEqual({ quizId: practice.id });
    expect(await mailOf()).not.toContain('/practice/');
    await change({ isActive: true });
    expect(await own()).toEqual({ quizId: practice.id, token });
    await app.call('deleteQuiz', { as: app.admin, params: { id: practice.id } });
    expect((await getPractice(token)).status).toBe(404);
    expect(await own()).toEqual({ quizId: practice.id });
  });
});

describe('a practice assessment', () => {
  const images = { shown: '', explains: '', other: '' };
  let token: string;
  let foreign: MadeQuiz;

  const upload = async (width: number) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="${width}" height="9"/></svg>`;
    const { body } = await app.call('uploadImage', {
      ...{ as: app.admin, body: Buffer.from(svg) },
      headers: { 'content-type': 'image/svg+xml' },
    });
    return String(body.hash);
  };

  const questions = (): QuestionDefinition[] => {
    const rest = { format: 'markdown', points: 3, rule: 'all_or_nothing' } as const;
    const option = (text: string, isCorrect: boolean) => ({ text, isCorrect });
    return [
      {
        ...{ ...rest, type: 'multiple_choice', question: `One ![Figure](image:${images.shown})` },
        options: [{ ...option('a', false), feedback: 'Not this' }, option('b', true)],
        explanation: `Because ![Solution](image:${images.explains})`,
      },
      {
        ...{ ...rest, type: 'multiple_response', question: 'Several', rule: 'right_minus_wrong' },
        options: [option('a', true), option('b', true), option('c', false)],
      },
      {
        ...{ ...rest, type: 'true_false', question: 'True?' },
        options: [option('True', true), option('False', false)],
      },
      {
        ...{ ...rest, type: 'numeric', question: 'How many?', options: [] },
        numeric: { accepted: [{ value: '42' }] },
      },
      {
        ...{ ...rest, type: 'short_text', question: 'Who?', options: [] },
        shortText: { accepted: [{ text: 'Ada' }] },
      },
      {
        ...{ ...rest, type: 'matching', question: 'Which to which?', rule: 'per_option' },
        options: optionsOfPairs(
          ['1', '2', '3'].map((n) => ({ item: `item ${n}`, answer: `answer ${n}` })),
          [],
        ),
      },
      {
        ...{ ...rest, type: 'ordering', question: 'In which order?' },
        options: ['first', 'second', 'third'].map((text) => option(text, false)),
      },
    ];
  };

  beforeAll(async () => {
    [images.shown, images.explains, images.other] = [
      await upload(21),
      await upload(22),
      await upload(23),
    ];
    const { id } = await makeQuiz(app, app.admin, { questions: [], totalQuestions: 7 });
    for (const definition of questions()) {
      const body = { definition, quizId: id };
      const added = await app.call('addToBank', { as: app.admin, body });
      expect(added.status, added.text).toBe(201);
    }
    foreign = await makeQuiz(app, app.admin);
    await app.pool.query(
      `update question_versions v set question = question || ' image:${images.other}'
       from questions q where q.id = v.question_id and q.quiz_id = $1`,
      [foreign.id],
    );
    token = await tokenOf(id);
  });

  const check = (questionId: string, answer: string) =>
    app.call('checkPracticeAnswer', { params: { token }, body: { questionId, answer } });
  const idOf = async (start: string): Promise<string> =>
    (await getPractice(token)).body.questions.find(({ question }: { question: string }) =>
      question.startsWith(start),
    ).id;

  it('is not found under another token', async () => {
    const params = { token: NO_TOKEN };
    const replies = await Promise.all([
      getPractice(NO_TOKEN),
      app.call('checkPracticeAnswer', {
        params,
        body: { questionId: await idOf('One'), answer: 'a' },
      }),
      app.call('readPracticeImage', { params: { ...params, hash: images.shown } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('shows nothing of another assessment', async () => {
    const answered = await check(foreign.questions[0]?.id ?? '', 'Q1 a');
    expect(answered.status).toBe(404);
    const read = (hash: string) =>
      app.call('readPracticeImage', { params: { token, hash } }).then(({ status }) => status);
    expect(await Promise.all(Object.values(images).map(read))).toEqual([200, 200, 404]);
  });

  it('draws a paper for each reading, without a key', async () => {
    const { status, body, text } = await getPractice(token);
    expect([status, body.duration, body.questions.length]).toEqual([200, 30, 7]);
    expect(text).not.toMatch(/isCorrect|explanation|feedback|accepted|Because|Not this/);
    const orders = new Set<string>();
    for (let i = 0; i < 12; i += 1) {
      const { questions } = (await getPractice(token)).body;
      orders.add(questions.map(({ id }: { id: string }) => id).join());
    }
    expect(orders.size).toBeGreaterThan(1);
  });

  it.each([
    ['One', 'b', { isCorrect: true, points: 3 }],
    ['One', 'a', { isCorrect: false, points: 0 }],
    ['Several', '["a"]', { isCorrect: false, points: 1.5 }],
    ['True', 'True', { isCorrect: true, points: 3 }],
    ['How many', '42', { isCorrect: true, points: 3, typed: '42', accepted: ['42'] }],
    ['Who', 'Bob', { isCorrect: false, points: 0, typed: 'Bob', accepted: ['Ada'] }],
    ['Which to', '["answer 1","answer 3",""]', { isCorrect: false, points: 1 }],
    ['In which', '["first","second","third"]', { isCorrect: true, points: 3, isOrder: true }],
    ['One', '', { isCorrect: false, points: 0 }],
  ])('scores %s answered with %s as an attempt would', async (start, answer, expected) => {
    const { status, body } = await check(await idOf(start), answer);
    expect([status, body]).toEqual([200, expect.objectContaining({ maxPoints: 3, ...expected })]);
  });

  it('shows key, explanation, feedback and the rows of an answer', async () => {
    const one = (await check(await idOf('One'), 'a')).body;
    expect(one.explanation).toContain('Because');
    expect(one.options).toEqual([
      { text: 'a', isSelected: true, isCorrect: false, feedback: 'Not this' },
      { text: 'b', isSelected: false, isCorrect: true },
    ]);
    const rows = (await check(await idOf('Which to'), '["answer 2","",""]')).body;
    expect(rows.rows[0]).toEqual({ item: 'item 1', given: 'answer 2', right: 'answer 1' });
  });

  it('refuses an answer that is none to the question', async () => {
    const { status, body } = await check(await idOf('One'), 'z');
    expect([status, body.issues]).toEqual([
      400,
      [{ path: 'answer', message: 'This is not an option of the question' }],
    ]);
  });

  it('stores nothing, whatever someone does with it', async () => {
    const before = await digests(app.pool);
    const { questions } = (await getPractice(token)).body;
    for (const { id, options } of questions) await check(id, options[0] ?? '1');
    await app.call('readPracticeImage', { params: { token, hash: images.shown } });
    await app.call('getPractice', { params: { token: NO_TOKEN } });
    expect(await digests(app.pool)).toEqual(before);
  });

  it('takes from the budget of the network', async () => {
    useUpBudget(app, { network: '127.0.0.1' });
    expect((await getPractice(token)).status).toBe(429);
  });
});

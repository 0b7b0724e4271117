import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN_SIZES, browserOf, checkWidth } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

test.use({ database: 'long-words' });

/** Usual widths of laptops and phones. */
const NARROWER = { desktop: [1366, 1280, 1024], phone: [360, 320] };

/** 80 letters without a place to break them. */
const word = (begin: string) => begin.padEnd(80, 'mw');
const EMAIL = `${'address'.padEnd(64, 'mw')}@${'domain'.padEnd(60, 'mw')}.example.org`;
const RUNNING = EMAIL.replace('address', 'running');

let quiz: PreparedQuiz;
let record = '';
let person = '';
let question = '';

test.beforeAll(async ({ testServer }) => {
  const admin = await AdminClient.signIn(testServer.url);
  const categoryId = await admin.category(word('Category'), word('Description'));
  quiz = await admin.quiz(word('Title'), { categoryId, description: word('Description') }, [
    {
      question: word('Question'),
      options: [word('Right'), word('Wrong')],
      correctAnswer: word('Right'),
    },
  ]);
  const items: { questionId: string }[] = [];
  for (const begin of ['Second', 'Third', 'Fourth', 'Fifth', 'Sixth']) {
    const definition = {
      ...{ type: 'multiple_choice', format: 'plain', points: 1, rule: 'all_or_nothing' },
      question: word(begin),
      explanation: word('Explanation'),
      options: [word('Right'), word('Wrong')].map((text, i) => ({ text, isCorrect: i === 0 })),
    };
    const labels = { tags: [word('Tag'), word('Label')], note: word('Note'), categoryId };
    const { id } = await admin.must('addToBank', {
      body: { definition, quizId: quiz.id, ...labels },
    });
    items.push({ questionId: id });
  }
  question = items[0]?.questionId ?? '';
  await admin.must('setStructure', {
    params: { id: quiz.id },
    body: {
      structure: { sections: [{ title: word('Section'), isShuffled: false, items }] },
      negativeMarks: null,
    },
  });
  const people = [EMAIL, RUNNING].map((email) => ({
    email,
    givenName: word('Given'),
    familyName: word('Family'),
    externalId: email === EMAIL ? word('Number') : word('Other'),
    groups: [word('Group'), word('Team')],
  }));
  const { isStored } = await admin.must('importPeople', { body: { people, dryRun: false } });
  expect(isStored).toBe(true);
  await writeAttempts(admin, quiz, { [EMAIL]: 0 });
  await beginAttempt(admin, quiz, RUNNING);
  ({ id: record } = (await admin.attempts(quiz)).find(
    (one: { userEmail: string }) => one.userEmail === EMAIL,
  ));
  [{ id: person }] = await admin.must('listPeople', {});
});

for (const size of ADMIN_SIZES) {
  test(`words without a break fit into every screen of an administrator: ${size}`, {
    tag: '@long',
  }, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    const quizPage = `/admin/quizzes/${quiz.id}`;
    for (const [path, text] of [
      ['/admin/dashboard', word('Title')],
      ['/admin/quizzes', word('Title')],
      [quizPage, word('Title')],
      [`${quizPage}/questions`, word('Second')],
      [`${quizPage}/candidates`, word('Given')],
      [`${quizPage}/results`, word('Second')],
      [`${quizPage}/settings`, word('Title')],
      ['/admin/questions', word('Tag')],
      [`/admin/questions/${question}`, word('Title')],
      ['/admin/participants', word('Title')],
      [`/admin/participants/${record}`, word('Second')],
      ['/admin/people', word('Group')],
      [`/admin/people/${person}`, word('Title')],
      ['/admin/live', word('Given')],
      ['/admin/categories', word('Category')],
      ['/admin/settings/outbox', EMAIL],
      ['/admin/settings/audit', word('Title')],
    ] as const) {
      await page.goto(path);
      await shows(page, text);
      await checkWidth(page, size, path, NARROWER[size]);
    }
  });
}

async function shows(page: Page, text: string): Promise<void> {
  const inPage = page.locator('main').getByText(text.slice(0, 40)).filter({ visible: true });
  await expect.soft(inPage.first()).toBeVisible();
}

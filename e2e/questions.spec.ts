import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { download, textFile, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { parseCsv, readKey } from './support/question-file.ts';
import { checkScreen } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { writeAttempts } from './support/written-attempts.ts';

const HEADER = 'Question,Option A,Option B,Option C,Option D,Correct Answer';

let adminClient: AdminClient;
let categoryId: string;

test.beforeAll(async ({ testServer }) => {
  adminClient = await AdminClient.signIn(testServer.url);
  categoryId = await adminClient.category('Category of the questions');
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('reopening the list shows another administrator’s changes', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Opened twice', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const [first] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  await adminClient.must('deleteQuestion', { params: { id: quiz.id, questionId: first.id } });
  await page.getByRole('button', { name: 'Manage questions of Opened twice', exact: true }).click();
  await expect(dialog.getByRole('tab', { name: 'Questions (4)' })).toBeVisible();
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await fillQuestion(dialog, 'After a deletion?');
  await dialog.getByRole('button', { name: 'Add Question', exact: true }).click();
  await expect(toastOn(page)).toContainText('It is number 5.');
  const stored = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  expect(stored.at(-1).question).toBe('After a deletion?');
});

test('several questions are deleted at once, and a wrong import is undone', {
  tag: '@long',
}, async ({ page }) => {
  const quiz = await adminClient.quiz('Thinned', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Select', exact: true }).click();
  await dialog.getByLabel('Select question 2').check();
  await dialog.getByLabel('Select question 4').check();
  await expect(dialog.getByText('2 selected')).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete selected' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await expect(question).toContainText('Delete 2 questions? Existing results do not change');
  await question.getByRole('button', { name: 'Delete 2 questions' }).click();
  await expect(dialog.getByRole('tab', { name: 'Questions (3)' })).toBeVisible();

  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog
    .getByLabel('Select a CSV file')
    .setInputFiles(
      textFile('wrong.csv', `${HEADER}\nWrong one?,Yes,No,,,A\nWrong two?,Yes,No,,,B`),
    );
  await dialog.getByRole('button', { name: 'Import 2 questions' }).click();
  await expect(dialog.getByRole('tab', { name: 'Questions (5)' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Undo import' }).click();
  await question.getByRole('button', { name: 'Delete 2 questions' }).click();
  await expect(dialog.getByRole('tab', { name: 'Questions (3)' })).toBeVisible();
  await expect(dialog.getByText('Wrong one?')).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Undo import' })).toHaveCount(0);
  expect(await adminClient.must('listQuestions', { params: { id: quiz.id } })).toHaveLength(3);
});

test('questions are reordered by keyboard and by dragging, beside another administrator’s change', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 409/);
  const quiz = await adminClient.quiz('Ordered', { categoryId });
  const dialog = await open(page, quiz, 5);
  const order = async () =>
    (await adminClient.must('listQuestions', { params: { id: quiz.id } })).map(
      (row: { question: string }) =>
        quiz.questions.findIndex((q) => q.question === row.question) + 1,
    );
  await dialog.getByRole('button', { name: 'Move question 1', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByText('Question moved to position 2 of 5')).toBeAttached();
  await expect(dialog.getByRole('button', { name: 'Move question 2' })).toBeFocused();
  await expect.poll(order).toEqual([2, 1, 3, 4, 5]);

  await dialog.getByRole('button', { name: 'Move question 3' }).hover();
  await page.mouse.down();
  await items(dialog).first().hover();
  await page.mouse.up();
  await expect.poll(order).toEqual([3, 2, 1, 4, 5]);

  const rows = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  await adminClient.must('deleteQuestion', { params: { id: quiz.id, questionId: rows[4].id } });
  await dialog.getByRole('button', { name: 'Move question 1', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(toastOn(page)).toContainText('The list was reloaded.');
  await expect(items(dialog)).toHaveCount(4);
});

test('the CSV template can be downloaded and imported', { tag: '@long' }, async ({ page }) => {
  const quiz = await adminClient.quiz('From the template', { categoryId }, []);
  const dialog = await openUpload(page, quiz);
  const { text } = await download(dialog.getByRole('button', { name: 'Download a CSV template' }));
  expect(text.slice(1).split('\r\n')[0]?.replaceAll('"', '')).toBe(HEADER);
  await dialog.getByLabel('Select a CSV file').setInputFiles(textFile('template.csv', text));
  await expect(dialog.getByRole('button', { name: 'Import 2 questions' })).toBeEnabled();
});

test('export, then import, gives the same questions', { tag: '@long' }, async ({ page }) => {
  const quiz = await adminClient.quiz('Exported', { categoryId }, readKey());
  const copy = await adminClient.quiz('Imported', { categoryId }, []);
  const dialog = await open(page, quiz, 32);
  const { name, text } = await download(dialog.getByRole('button', { name: 'Export' }));
  expect(name).toBe('exported-questions.csv');
  const [head, ...rows] = parseCsv(text.slice(1));
  expect(head?.join()).toBe(HEADER);
  expect(rows).toHaveLength(32);
  for (const row of rows) expect(row.at(-1)).toMatch(/^[A-D]$/);

  const upload = await openUpload(page, copy);
  await upload.getByLabel('Select a CSV file').setInputFiles(textFile('exported.csv', text));
  await upload.getByRole('button', { name: 'Import 32 questions' }).click();
  await expect(upload.getByRole('tab', { name: 'Questions (32)' })).toBeVisible();
  const plain = async ({ id }: PreparedQuiz) =>
    (await adminClient.must('listQuestions', { params: { id } })).map(
      ({ question, options, correctAnswer }: Record<string, unknown>) => ({
        question,
        options,
        correctAnswer,
      }),
    );
  expect(await plain(copy)).toEqual(await plain(quiz));
});

test('a printed paper has only the questions, and the key only on request', {
  tag: '@long',
}, async ({ page }) => {
  const quiz = await adminClient.quiz('Printed', { categoryId });
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  const dialog = await open(page, quiz, 5);
  const paper = page.locator('[data-paper]');
  const print = async () => {
    await dialog.getByRole('button', { name: 'Print', exact: true }).click();
    await expect(page.locator('html[data-printed]')).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await expect(paper.getByRole('heading', { name: 'Printed' })).toBeVisible();
    await expect(page.getByRole('button', { includeHidden: true }).first()).toBeHidden();
  };
  await print();
  await expect(paper).toContainText('Which address is a private one?');
  await expect(paper.getByText('Name', { exact: true })).toBeVisible();
  await expect(paper.getByText('(correct)')).toHaveCount(0);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => {
    document.documentElement.removeAttribute('data-printed');
    window.dispatchEvent(new Event('afterprint'));
  });
  await expect(paper).toHaveCount(0);
  await dialog.getByLabel('Print with answer key').check();
  await print();
  await expect(paper.getByText('(correct)')).toHaveCount(5);
});

test('a corrected key shows whose score would change by how much, now or later, and is then applied', async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Rescored', { categoryId });
  await writeAttempts(adminClient, quiz, {
    'all@example.org': 5,
    'none@example.org': 0,
  });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  await dialog
    .getByRole('region', { name: 'Edit question 1' })
    .getByRole('radio', { name: 'Option A is the correct answer' })
    .click();
  await dialog.getByRole('button', { name: 'Save question' }).click();
  const trial = page.getByRole('dialog', { name: 'The correct answer changed' });
  await expect(trial.getByText('2 candidates have this question.')).toBeVisible();
  const changes = trial.getByRole('list', { name: 'Score changes' }).getByRole('listitem');
  await expect(changes.filter({ hasText: 'all@example.org' })).toContainText('5 to 4 of 5');
  await trial.getByRole('button', { name: 'Keep scores' }).click();
  const scores = async () => {
    const rows = await adminClient.attempts(quiz);
    return Object.fromEntries(
      rows.map((row: { userEmail: string; score: number }) => [row.userEmail, row.score]),
    );
  };
  expect(await scores()).toMatchObject({ 'all@example.org': 5 });

  await dialog.getByRole('button', { name: 'Rescore question 1' }).click();
  const again = page.getByRole('dialog', { name: 'Rescore' });
  await again.getByLabel('Reason').fill('The key was wrong');
  await again.getByRole('button', { name: 'Rescore 2 candidates' }).click();
  await expect(toastOn(page)).toContainText('2 candidates rescored');
  expect(await scores()).toMatchObject({ 'all@example.org': 4 });
});

test('questions are written in a row, imported, put right and taken back on the page', {
  tag: '@long',
}, async ({ page }) => {
  const quiz = await adminClient.quiz('Filled on its page', { categoryId });
  const tab = `/admin/quizzes/${quiz.id}/questions`;
  const rows = page.getByRole('list', { name: 'Questions', exact: true }).getByRole('listitem');
  await page.goto(tab);
  await expect(rows).toHaveCount(5);
  await checkScreen(page, 'desktop', 'quiz-questions');
  await page.getByRole('link', { name: 'Write a question' }).click();
  const text = page.getByRole('textbox', { name: 'Question', exact: true });
  for (const written of ['Is it dry?', 'Is it wet?']) {
    await expect(text).toBeFocused();
    await expect(text).toHaveText('');
    await page.keyboard.type(written);
    await page.getByRole('textbox', { name: 'Option A' }).fill('Yes');
    await page.getByRole('textbox', { name: 'Option B' }).fill('No');
    await page.getByRole('radio', { name: 'Option A is correct' }).click();
    await page.keyboard.press('Control+Shift+Enter');
    await expect(text).toHaveText('');
  }
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(text).toHaveText('Is it wet?');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(rows).toHaveCount(7);
  await page.getByRole('button', { name: 'Move question 7' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('button', { name: 'Move question 6' })).toBeFocused();
  await expect(rows.nth(5)).toContainText('Is it wet?');

  await page.getByRole('link', { name: 'Import a file' }).click();
  // A reload removes earlier messages, which lie over the button.
  await page.reload();
  await page
    .getByLabel('Select a file')
    .setInputFiles(textFile('rows.csv', 'Question,A,B,Answer\nIs it red?,Yes,No,A\nBlue?,1,2,3rd'));
  await page.getByRole('button', { name: 'Change 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change question' });
  await dialog.getByRole('radio', { name: 'Option B is correct' }).click();
  await dialog.getByRole('button', { name: 'Change question' }).click();
  await page.getByRole('button', { name: 'Import 2 questions' }).click();
  await page.getByRole('link', { name: 'Show questions' }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Blue?' })).toBeVisible();
  await expect(page.getByText('2 questions', { exact: true })).toBeVisible();

  await page.goto(`/admin/questions/import?quizId=${quiz.id}`);
  await page
    .getByLabel('Select a file')
    .setInputFiles(textFile('more.csv', 'Question,A,B,Answer\nIs it green?,Yes,No,A'));
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('button', { name: 'Delete 1 question' }).click();
  await expect(page.getByText('The import was undone.')).toBeVisible();
  await page.goto(tab);
  await expect(rows).toHaveCount(9);
});

/** A question with two options, the first of them the key. */
async function fillQuestion(dialog: Locator, question: string): Promise<void> {
  await dialog.getByLabel('Question', { exact: true }).fill(question);
  await dialog.getByRole('textbox', { name: 'Option A' }).fill('Yes');
  await dialog.getByRole('textbox', { name: 'Option B' }).fill('No');
  await dialog.getByRole('radio', { name: 'Option A is the correct answer' }).click();
}

const items = (dialog: Locator) => dialog.locator('li[data-question]');

async function open(page: Page, quiz: PreparedQuiz, count: number): Promise<Locator> {
  await page.goto('/admin/quizzes');
  await page
    .getByRole('button', { name: `Manage questions of ${quiz.title}`, exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
  await expect(dialog.getByRole('tab', { name: `Questions (${count})` })).toBeVisible();
  return dialog;
}

async function openUpload(page: Page, quiz: PreparedQuiz): Promise<Locator> {
  const dialog = await open(page, quiz, 0);
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  return dialog;
}

import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { download, dropFile, refuse, textFile, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { parseCsv, readKey } from './support/question-file.ts';
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

test('adding a question shows the errors of the form in order, then gives it the next number', async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 500/);
  const quiz = await adminClient.quiz('Typed', { categoryId }, []);
  const dialog = await open(page, quiz, 0);
  await expect(dialog.getByText('No questions yet. Type them in or upload a CSV')).toBeVisible();
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  const add = dialog.getByRole('button', { name: 'Add Question', exact: true });
  const option = (letter: string) => dialog.getByRole('textbox', { name: `Option ${letter}` });
  const key = (letter: string) =>
    dialog.getByRole('radio', { name: `Option ${letter} is the correct answer` });
  const refused = async (sentence: string) => {
    await add.click();
    await expect(dialog.getByText(sentence, { exact: true })).toBeVisible();
  };

  await refused('Please enter a question');
  await dialog.getByLabel('Question', { exact: true }).fill('2 + 2?');
  await option('A').fill('4');
  await refused('Please provide at least two options');
  await option('B').fill(' ');
  await refused('Please select the correct answer');
  await key('C').click();
  await refused('Selected correct answer must be one of the options');
  await key('A').click();
  await refused('Please provide at least two valid options');
  await option('B').fill('5');

  await refuse(page, 'POST', '**/api/quizzes/*/questions');
  await add.click();
  await expect(toastOn(page)).toContainText('Failed to add question');
  await expect(option('B')).toHaveValue('5');
  await page.unrouteAll();
  await add.click();
  await expect(toastOn(page)).toContainText('It is number 1.');
  await expect(dialog.getByRole('tab', { name: 'Questions (1)' })).toBeVisible();
  const [stored] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  expect(stored).toMatchObject({ question: '2 + 2?', options: ['4', '5'], orderNumber: 1 });
});

test('editing in place asks before discarding input, and shows both versions after a conflict', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 409/);
  const quiz = await adminClient.quiz('Edited', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Edit question 1', exact: true }).click();
  const form = dialog.getByRole('region', { name: 'Edit question 1' });
  await form.getByLabel('Question', { exact: true }).fill('Mine?');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();

  const [first] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  const { id: questionId, quizId: id, version, createdAt: _, ...content } = first;
  await adminClient.must('updateQuestion', {
    params: { id, questionId },
    body: { ...content, quizId: id, question: 'Theirs?', version },
  });
  await form.getByRole('button', { name: 'Save question' }).click();
  await expect(form.getByRole('alert')).toContainText('Theirs');
  await expect(form.getByLabel('Question', { exact: true })).toHaveValue('Mine?');
  await form.getByRole('button', { name: 'Save question' }).click();
  await expect(toastOn(page)).toContainText('Question updated');
  await expect(items(dialog).first()).toContainText('Mine?');
  await expect(dialog.getByRole('button', { name: 'Edit question 1', exact: true })).toBeFocused();
});

test('reopening the list shows another administrator’s changes; a moved question stays moved', {
  tag: '@long',
}, async ({ page }) => {
  const quiz = await adminClient.quiz('Opened twice', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Move question 1', exact: true }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('button', { name: 'Move question 2' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Edit question 2' }).click();
  const form = dialog.getByRole('region', { name: 'Edit question 2' });
  await form.getByLabel('Question', { exact: true }).fill('Moved, then edited?');
  await form.getByRole('button', { name: 'Save question' }).click();
  await expect(toastOn(page)).toContainText('Question updated');
  const stored = async () =>
    (await adminClient.must('listQuestions', { params: { id: quiz.id } })).map(
      (row: { question: string }) => row.question,
    );
  // The list shows the new order before the server has it.
  await expect.poll(async () => (await stored())[1]).toBe('Moved, then edited?');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const [first] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  await adminClient.must('deleteQuestion', { params: { id: quiz.id, questionId: first.id } });
  await page.getByRole('button', { name: 'Manage questions of Opened twice', exact: true }).click();
  await expect(dialog.getByRole('tab', { name: 'Questions (4)' })).toBeVisible();
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await fillQuestion(dialog, 'After a deletion?');
  await dialog.getByRole('button', { name: 'Add Question', exact: true }).click();
  await expect(toastOn(page)).toContainText('It is number 5.');
  expect((await stored()).at(-1)).toBe('After a deletion?');
});

test('without a response the list is read again, and what is typed in the meantime stays', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/ERR_FAILED/);
  const quiz = await adminClient.quiz('Lost answers', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await fillQuestion(dialog, 'Stored, and no answer?');
  // The server adds it, and the response is lost.
  await page.route('**/api/quizzes/*/questions', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    await route.abort();
  });
  const add = dialog.getByRole('button', { name: 'Add Question', exact: true });
  await add.click();
  await expect(toastOn(page)).toContainText('The question may have been added');
  await expect(dialog.getByRole('tab', { name: 'Questions (6)' })).toBeVisible();
  await expect(dialog.getByLabel('Question', { exact: true })).toHaveValue(
    'Stored, and no answer?',
  );
  await page.unrouteAll();

  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/quizzes/*/questions', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.fallback();
  });
  await dialog.getByLabel('Question', { exact: true }).fill('Sent?');
  await add.click();
  await dialog.getByLabel('Question', { exact: true }).fill('The next one?');
  letGo();
  await expect(toastOn(page)).toContainText('It is number 7.');
  await expect(dialog.getByLabel('Question', { exact: true })).toHaveValue('The next one?');
  await expect(dialog.getByRole('textbox', { name: 'Option A' })).toHaveValue('');
});

test('an option with line breaks keeps them when the question is edited', { tag: '@long' }, async ({
  page,
}) => {
  const options = ['if (a) {\n  b();\n}', 'nothing'];
  const quiz = await adminClient.quiz('Listings', { categoryId }, [
    { question: 'What runs?', options, correctAnswer: 'nothing' },
  ]);
  const dialog = await open(page, quiz, 1);
  await dialog.getByRole('button', { name: 'Edit question 1' }).click();
  const option = dialog
    .getByRole('region', { name: 'Edit question 1' })
    .getByRole('textbox', { name: 'Option A' });
  await expect(option).toHaveValue(options[0] ?? '');
  // All three lines can be seen.
  expect(await option.evaluate((box) => box.scrollHeight <= box.clientHeight)).toBe(true);
  await option.press('End');
  await option.pressSequentially(' // so');
  await dialog.getByRole('button', { name: 'Save question' }).click();
  await expect(toastOn(page)).toContainText('Question updated');
  const [stored] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  expect(stored.options[0].split('\n')).toHaveLength(3);
});

test('deleting asks first, and is refused once someone has started', { tag: '@long' }, async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 409/);
  const quiz = await adminClient.quiz('Deleted', { categoryId });
  const dialog = await open(page, quiz, 5);
  await dialog.getByRole('button', { name: 'Delete question 2' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await expect(question).toContainText('Delete question 2? Existing results do not change');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOn(page)).toContainText('Question deleted');
  await expect(dialog.getByRole('tab', { name: 'Questions (4)' })).toBeVisible();

  await writeAttempts(adminClient, quiz, { 'started@example.org': 1 });
  await dialog.getByRole('button', { name: 'Delete question 1' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOn(page)).toContainText('Failed to delete question');
  await expect(toastOn(page)).toContainText('A candidate has started.');
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

test('a file with mistakes lists every row with its line, and its valid rows are imported', async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 500/);
  const quiz = await adminClient.quiz('Uploaded', { categoryId }, []);
  const dialog = await openUpload(page, quiz);
  const lines = [
    HEADER,
    '"Which ""layer"", exactly?",Link,Network,b',
    'Too short,Yes',
    'Out of range?,1,2,D',
    'No such answer?,22,23,E',
    'By its text?,Yes,No,NO',
  ];
  await dropFile(dialog.getByText('or drop it here'), 'mistakes.csv', lines.join('\r\n'));
  await expect(dialog.getByText('CSV, 5 questions. Nothing is stored yet.')).toBeVisible();
  const rows = dialog.getByRole('list', { name: 'Questions of the file' });
  for (const sentence of [
    'Line 3: Each question must have at least a question and 2 options',
    'Line 4: Option D is out of range (only 2 options provided)',
    'Line 5: Correct answer "E" must match one of the options. Available options: 22, 23',
  ]) {
    await expect(rows.getByText(sentence, { exact: true })).toBeVisible();
  }
  await expect(rows).toContainText('Which "layer", exactly?');
  const store = dialog.getByRole('button', { name: 'Import 2 questions' });
  await refuse(page, 'POST', '**/api/questions/import');
  await store.click();
  await expect(toastOn(page)).toContainText('Failed to upload CSV');
  await expect(toastOn(page)).toContainText('Please check the CSV format and try again.');
  await expect(rows).toBeVisible();
  await page.unrouteAll();
  await store.click();
  await expect(toastOn(page)).toContainText('2 questions were added.');
  await expect(dialog.getByRole('tab', { name: 'Questions (2)' })).toBeVisible();
  const stored = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  expect(stored.map((row: { correctAnswer: string }) => row.correctAnswer)).toEqual([
    'Network',
    'No',
  ]);
});

test('an invalid file is refused at its field and nothing is stored', { tag: '@long' }, async ({
  page,
}) => {
  const quiz = await adminClient.quiz('Refused file', { categoryId }, []);
  const dialog = await openUpload(page, quiz);
  const many = [HEADER, ...Array.from({ length: 1_001 }, (_, n) => `${n}?,x,y,A`)];
  for (const [name, content, sentence] of [
    ['questions.xlsx', HEADER, 'Only .csv files can be uploaded'],
    ['many.csv', many.join('\n'), 'The file has more than 1000 rows.'],
    ['blank.csv', `${HEADER}\n`, 'No valid questions found in the CSV file'],
  ] as const) {
    await dialog.getByLabel('Select a CSV file').setInputFiles(textFile(name, content));
    await expect(dialog.getByText(sentence).first()).toBeVisible();
    await expect(toastOn(page)).toContainText('Failed to upload CSV');
    await expect(toastOn(page)).toContainText(sentence);
    await toastOn(page).getByRole('button').click();
  }
  expect(await adminClient.must('listQuestions', { params: { id: quiz.id } })).toEqual([]);
});

test('the CSV template can be downloaded and imported', { tag: '@long' }, async ({ page }) => {
  const quiz = await adminClient.quiz('From the template', { categoryId }, []);
  const dialog = await openUpload(page, quiz);
  const { text } = await download(dialog.getByRole('button', { name: 'Download a CSV template' }));
  expect(text.slice(1).split('\r\n')[0]?.replaceAll('"', '')).toBe(HEADER);
  await dialog.getByLabel('Select a CSV file').setInputFiles(textFile('template.csv', text));
  await expect(dialog.getByRole('button', { name: 'Import 2 questions' })).toBeEnabled();
});

test('export, then import, gives the same questions', async ({ page }) => {
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

test('300 questions are listed, input is discarded only after confirmation, and a failed load is reported', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  const rows = Array.from({ length: 300 }, (_, n) => ({
    question: `Number ${n + 1}?`,
    options: ['x', 'y'],
    correctAnswer: 'x',
  }));
  const quiz = await adminClient.quiz('Many questions', { categoryId, totalQuestions: 5 }, rows);
  const dialog = await open(page, quiz, 300);
  await expect(items(dialog)).toHaveCount(300);
  await expect(dialog).toContainText('Each candidate gets 5 of these 300 questions');
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog.getByLabel('Question', { exact: true }).fill('Unsaved?');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Question', { exact: true })).toHaveValue('Unsaved?');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toHaveCount(0);

  await refuse(page, 'GET', '**/api/quizzes/*/questions');
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Manage questions of Many questions' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Failed to load questions');
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(items(dialog)).toHaveCount(300);
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

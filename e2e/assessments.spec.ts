import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { refuse, select, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

let drill: PreparedQuiz;
let winter: PreparedQuiz;
let safety: string;

test.beforeAll(async ({ testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  safety = await adminClient.category('Safety');
  const law = await adminClient.category('Law');
  drill = await adminClient.quiz('Fire drill', {
    categoryId: safety,
    description: 'What to do first',
  });
  winter = await adminClient.quiz('Winter tyres', { categoryId: safety, endDate: null });
  await adminClient.quiz('Data protection', { categoryId: law }, []);
  await adminClient.change(winter, { isActive: false });
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('the list shows each assessment with its settings and actions', async ({ page }) => {
  await page.goto('/admin/quizzes');
  const table = page.getByRole('table', { name: 'Assessments' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'Title',
    'Category',
    'Questions',
    'Duration',
    'End date',
    'Status',
    'Actions',
  ]);
  const row = table.getByRole('row', { name: /Fire drill/ });
  await expect(row).toContainText(/Created \d+ \w+ \d{4}/);
  await expect(row).toContainText('Safety525 min15 Jun 2035, 18:00Active');
  await expect(page.getByText('Times in Europe/Berlin')).toBeVisible();
  await expect(table.getByRole('row', { name: /Winter tyres/ })).toContainText('N/AInactive');
  // All on one line.
  const tops = await row
    .getByRole('button')
    .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
});

test('search, filters and order are in the address and survive a reload and Back', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/admin/quizzes');
  await select(page, 'Category', 'Safety');
  await expect(titles(page)).toHaveText(['Winter tyres', 'Fire drill']);
  await select(page, 'Order', 'Title A to Z');
  await select(page, 'Status', 'Inactive');
  await expect(titles(page)).toHaveText(['Winter tyres']);
  await page.getByLabel('Search assessments').fill('nothing like it');
  await expect(page.getByText('No Assessment matches these filters.')).toBeVisible();
  await expect(page).toHaveURL(
    /search=nothing\+like\+it&categoryId=.+&status=inactive&sort=title$/,
  );
  await page.reload();
  await expect(page.getByText('No Assessment matches these filters.')).toBeVisible();
  await expect(page.getByLabel('Search assessments')).toHaveValue('nothing like it');
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveText('Any status');
  await expect(titles(page)).toHaveText(['Fire drill', 'Winter tyres']);
});

test('a dialog asks before Back discards input, and no toast covers its buttons', {
  tag: '@long',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 600 });
  await page.goto('/admin/dashboard');
  await page.getByRole('link', { name: 'Assessments' }).click();
  await page.getByRole('button', { name: 'Create New Assessment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
  await dialog.getByRole('button', { name: 'Create Assessment' }).click();
  await expect(toastOn(page)).toBeVisible();
  for (const width of [768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 600 });
    const [toast, foot] = [await toastOn(page).boundingBox(), await footOf(dialog)];
    expect((toast?.y ?? 600) + (toast?.height ?? 0), `at ${width}`).toBeLessThan(foot);
    const title = await dialog.getByRole('heading').first().boundingBox();
    if (width >= 1024) {
      expect((toast?.x ?? 0) + (toast?.width ?? width), `at ${width}`).toBeLessThan(title?.x ?? 0);
    }
  }
  await dialog.getByLabel('Title').fill('Half a thought');
  const asks = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await page.goBack();
  await asks.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Half a thought');
  await page.goBack();
  await asks.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/admin/dashboard');
});

test('creating marks every invalid field, keeps the input after a failure, then adds the assessment', async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 500/);
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Create New Assessment' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Assessment' });
  const send = dialog.getByRole('button', { name: 'Create Assessment' });
  await expect(dialog.getByLabel('Duration (minutes)')).toHaveValue('25');
  await expect(dialog.getByText('Your local time, Europe/Berlin')).toBeVisible();
  await send.click();
  await expect(toastOn(page)).toContainText(
    'Validation Error: Please fill in all required fields with valid values.',
  );
  await expect(errors(dialog)).toHaveText([
    'Enter a title',
    'Select a category',
    'Total questions must be 5 to 100',
    'Select an end date',
  ]);
  await dialog.getByLabel('Title').fill('Ladders <b>& steps</b>');
  await select(dialog, 'Category', 'Law');
  await dialog.getByLabel('Duration (minutes)').fill('181');
  await dialog.getByLabel('Total Questions').fill('101');
  await dialog.getByRole('textbox', { name: 'End Date' }).fill('2021-01-31T09:30');
  await send.click();
  await expect(errors(dialog).last()).toHaveText('This time has passed. Select a later one');
  await dialog.getByRole('textbox', { name: 'End Date' }).fill('2031-01-31T09:30');

  // A category is created in place; a name that differs only by case selects the existing one.
  const makeCategory = async (name: string) => {
    await dialog.getByRole('button', { name: 'New category' }).click();
    await dialog.getByLabel('New category name').fill(name);
    await page.keyboard.press('Enter');
  };
  await makeCategory('Heights');
  await expect(dialog.getByRole('combobox', { name: 'Category' })).toHaveText('Heights');
  await makeCategory('LAW');
  await expect(dialog.getByRole('combobox', { name: 'Category' })).toHaveText('Law');
  await expect(toastOn(page)).toContainText('This category already exists');
  await expect(dialog.getByLabel('Title')).toHaveValue('Ladders <b>& steps</b>');
  await send.click();
  await expect(errors(dialog)).toHaveText([
    'Duration must be 1 to 180 minutes',
    'Total questions must be 5 to 100',
  ]);
  await dialog.getByLabel('Duration (minutes)').fill('180');
  await dialog.getByLabel('Total Questions').fill('5');

  await refuse(page, 'POST', '**/api/quizzes');
  await send.click();
  await expect(toastOn(page)).toContainText('Failed to create Assessment');
  await expect(toastOn(page)).toContainText('Please check your data and try again');
  await expect(dialog.getByLabel('Title')).toHaveValue('Ladders <b>& steps</b>');

  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.unrouteAll();
  await send.click();
  await expect(page.getByText('Assessment created')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  // Its questions open next.
  const questions = page.getByRole('dialog', { name: 'Manage Questions' });
  await expect(questions.getByRole('tab', { name: 'Add Questions' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await questions.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: /Ladders <b>& steps<\/b>/ });
  await expect(row).toContainText('Law0180 min31 Jan 2031, 09:30Active');
});

test('editing reports an invalid duration or question count, and keeps the input after a failure', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  const dialog = await openEdit(page, 'Fire drill');
  const send = dialog.getByRole('button', { name: 'Update Assessment' });
  await dialog.getByLabel('Duration (minutes)').fill('');
  await send.click();
  await expect(toastOn(page)).toContainText('Duration must be a valid number.');
  await expect(errors(dialog)).toHaveText(['Duration must be a valid number.']);
  await dialog.getByLabel('Duration (minutes)').fill('30');
  await dialog.getByLabel('Total Questions').fill('');
  await send.click();
  await expect(toastOn(page)).toContainText('Total Questions must be a valid number.');
  await dialog.getByLabel('Total Questions').fill('5');
  await dialog.getByLabel('Title').fill('');
  await send.click();
  await expect(errors(dialog)).toHaveText(['Enter a title']);
  await dialog.getByLabel('Title').fill('Fire drill');

  await refuse(page, 'PUT', '**/api/quizzes/*');
  await send.click();
  await expect(toastOn(page)).toContainText('Failed to update Assessment');
  await expect(dialog.getByLabel('Duration (minutes)')).toHaveValue('30');
  await page.unrouteAll();
  await send.click();
  await expect(page.getByText('Assessment updated')).toBeVisible();
  await expect(page.getByRole('row', { name: /Fire drill/ })).toContainText('30 min');
});

test('a partial end date is refused; an unchanged one keeps its seconds', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  const endDate = '2035-06-15T21:59:59.000Z';
  const quiz = await adminClient.quiz('Fixed end', { categoryId: safety, endDate });
  const stored = async () =>
    (await adminClient.must('listQuizzes', {})).find((row: { id: string }) => row.id === quiz.id);
  const dialog = await openEdit(page, 'Fixed end');
  const send = dialog.getByRole('button', { name: 'Update Assessment' });
  const end = dialog.getByRole('textbox', { name: 'End Date' });
  await end.focus();
  // Clears only the first part of the date.
  await page.keyboard.press('Delete');
  await expect(end).toHaveValue('');
  await send.click();
  await expect(errors(dialog)).toHaveText(['Enter a valid date and time']);
  expect(await stored()).toMatchObject({ endDate });

  await end.fill('2035-06-15T23:59');
  await dialog.getByLabel('Title').fill('Fixed end, renamed');
  const late = dialog.getByLabel('Let people who have started finish after the end date');
  await late.check();
  await send.click();
  await expect(page.getByText('Assessment updated')).toBeVisible();
  expect(await stored()).toMatchObject({ endDate, finishAfterEnd: true });
  await expect(page.getByRole('row', { name: /Fixed end, renamed/ })).toContainText(
    '15 Jun 2035, 23:59Started attempts may finish',
  );
});

test('two administrators edit at once: both versions are shown and neither is overwritten silently', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  consoles.expect(/status of 409/);
  const dialog = await openEdit(page, 'Fire drill');
  await dialog.getByLabel('Title').fill('Fire drill, mine');
  await adminClient.change(drill, { title: 'Fire drill, theirs', duration: 40 });
  await dialog.getByRole('button', { name: 'Update Assessment' }).click();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('theirs “Fire drill, theirs”, yours “Fire drill, mine”');
  await expect(notice).toContainText(/theirs “40”, yours “\d+”/);
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Fire drill, theirs');

  await dialog.getByLabel('Title').fill('Fire drill');
  await adminClient.change(drill, { title: 'Fire drill, theirs again', duration: 25 });
  await dialog.getByRole('button', { name: 'Update Assessment' }).click();
  await dialog.getByRole('button', { name: 'Save my version' }).click();
  await expect(page.getByText('Assessment updated')).toBeVisible();
  await expect(titles(page).getByText('Fire drill', { exact: true })).toBeVisible();
});

test('a preview shows the paper of a candidate and stores nothing', async ({
  page,
  adminClient,
}) => {
  await page.goto('/admin/quizzes');
  await more(page, 'Fire drill', 'Preview');
  const preview = page.getByRole('dialog', { name: 'Preview of Fire drill' });
  await expect(preview.getByText('Question 1 of 5')).toBeVisible();
  await expect(preview.getByRole('radio')).toHaveCount(4);
  await preview.getByRole('radio').nth(1).click();
  await preview.getByRole('button', { name: 'Flag' }).click();
  await preview.getByRole('button', { name: 'Next' }).click();
  await expect(preview.getByText('Question 2 of 5')).toBeVisible();
  await expect(
    preview.getByRole('button', { name: 'Question 1, marked for review, answered' }),
  ).toBeVisible();
  await preview.getByRole('button', { name: 'Question 5, not attempted' }).click();
  await preview.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(preview.getByText('Your selections here are not saved.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More for Fire drill' })).toBeFocused();
  const attempts = await adminClient.must('listParticipants', { query: { quizId: drill.id } });
  expect(attempts).toEqual([]);

  await page.getByRole('button', { name: 'More for Data protection' }).click();
  await expect(page.getByRole('menuitem', { name: /^Preview/ })).toHaveText(
    'PreviewIt has no questions yet',
  );
});

test('a duplicate is created inactive', { tag: '@long' }, async ({ page, consoles }) => {
  consoles.expect(/status of 500/);
  await page.goto('/admin/quizzes');
  await refuse(page, 'POST', '**/api/quizzes/*/duplicate');
  await more(page, 'Fire drill', 'Duplicate');
  await expect(toastOn(page)).toContainText('Failed to duplicate Assessment');
  await page.unrouteAll();
  await more(page, 'Fire drill', 'Duplicate');
  await expect(page.getByText('Assessment duplicated')).toBeVisible();
  await expect(page.getByRole('row', { name: /Fire drill/ })).toHaveCount(2);
  await expect(page.getByRole('row', { name: /Fire drill/ }).first()).toContainText('N/AInactive');
});

test('deleting asks first and lists what stays', async ({ page, adminClient, consoles }) => {
  consoles.expect(/status of 500/);
  await adminClient.quiz('Ladder course', { categoryId: safety });
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: 'Delete Ladder course' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await expect(question).toContainText('“Ladder course” with its 5 questions');
  await expect(question).toContainText('Results stay in reports.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await refuse(page, 'DELETE', '**/api/quizzes/*');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(toastOn(page)).toContainText('Failed to delete Assessment');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Delete Ladder course' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Assessment deleted')).toBeVisible();
  await expect(page.getByRole('row', { name: /Ladder course/ })).toHaveCount(0);
});

test('200 assessments: a phone shows cards without scrolling sideways', { tag: '@long' }, async ({
  page,
}) => {
  await page.route('**/api/quizzes', async (route) => {
    const [first] = await (await route.fetch()).json();
    const json = Array.from({ length: 200 }, (_, n) => ({ ...first, id: `${n}`, title: `C ${n}` }));
    await route.fulfill({ json });
  });
  await page.goto('/admin/quizzes');
  const table = page.getByRole('table', { name: 'Assessments' });
  await expect(table.getByRole('row')).toHaveCount(201);
  await page.mouse.wheel(0, 3_000);
  await expect(table.getByRole('columnheader', { name: 'Title' })).toBeInViewport();
  await page.setViewportSize({ width: 320, height: 700 });
  const cards = page.getByRole('list', { name: 'Assessments' }).getByRole('listitem');
  await expect(cards).toHaveCount(200);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

const titles = (page: Page) =>
  page.getByRole('table', { name: 'Assessments' }).locator('tbody td:first-child > :first-child');

/** The error messages below the fields, in order. */
const errors = (dialog: Locator) => dialog.locator('p[id$="-note"]:has(svg)');

async function more(page: Page, title: string, action: string) {
  await page
    .getByRole('button', { name: `More for ${title}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function openEdit(page: Page, title: string): Promise<Locator> {
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Edit ${title}`, exact: true }).click();
  return page.getByRole('dialog', { name: 'Edit Assessment' });
}

/** The top edge of a dialog's actions. */
async function footOf(dialog: Locator): Promise<number> {
  return (await dialog.locator('[data-dialog-foot]').boundingBox())?.y ?? 0;
}

import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { select, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { writeAttempts } from './support/written-attempts.ts';

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
    await page.setViewportSize({ width, height: 700 });
    const toast = await boxOf(toastOn(page));
    for (const name of ['Cancel', 'Create Assessment']) {
      const button = await boxOf(dialog.getByRole('button', { name }));
      const isBeside = toast.left > button.right || toast.bottom < button.top;
      expect(isBeside, `${name} at ${width}`).toBe(true);
    }
    // The corner in which it always appears.
    expect([width - toast.right < 30, toast.top > 350], `at ${width}`).toEqual([true, true]);
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

test('a preview shows the paper of a candidate and stores nothing', { tag: '@long' }, async ({
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

test('the page of an assessment: tabs with addresses, by keyboard, and what a selection can do', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const quiz = await adminClient.quiz('First aid', { categoryId: safety });
  await writeAttempts(adminClient, quiz, { 'done@example.org': 3 });
  await adminClient.invite(quiz, 'waiting@example.org');
  await page.goto('/admin/quizzes');
  await page.getByRole('link', { name: 'First aid' }).click();
  await expect(page).toHaveURL(`/admin/quizzes/${quiz.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('First aid');
  const tabs = page.getByRole('navigation', { name: 'First aid' });
  await expect(tabs.getByRole('link')).toHaveText([
    'Overview',
    'Questions',
    'Candidates',
    'Results',
    'Settings',
    'Team',
  ]);
  await expect(page.getByRole('link', { name: /^2 Invited$/ })).toBeVisible();
  await tabs.getByRole('link', { name: 'Overview' }).focus();
  for (const name of ['Questions', 'Candidates', 'Results', 'Settings']) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/admin/quizzes/${quiz.id}/${name.toLowerCase()}`);
    await expect(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    await tabs.getByRole('link', { name }).focus();
  }
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('First aid');
  await page.reload();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('First aid');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Score distribution' })).toBeVisible();

  // Former addresses lead to the tabs.
  await page.goto(`/admin/quizzes/${quiz.id}/invitations?state=finished`);
  await expect(page).toHaveURL(`/admin/quizzes/${quiz.id}/candidates?state=finished`);
  await page.getByRole('button', { name: /^All/ }).click();
  await expect(page.getByRole('row').filter({ hasText: 'waiting@' })).toBeVisible();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Extra time', exact: true }).click();
  const time = page.getByRole('dialog', { name: 'Extra time for 1 person' });
  await time.getByLabel('Percent more').fill('50');
  await expect(time.getByText(/^38 minutes instead of 25\./)).toBeVisible();
  await time.getByLabel('Reason').fill('As agreed');
  await time.getByRole('button', { name: 'Give extra time' }).click();
  await expect(page.getByText('Accommodations: +50 % time')).toBeVisible();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Message' }).click();
  await expect(toastOn(page)).toContainText('No one selected is taking the assessment');
  await page.getByRole('button', { name: 'Allow another attempt' }).click();
  const another = page.getByRole('dialog', { name: 'Allow 1 person another attempt' });
  await another.getByLabel('Reason').fill('Power cut');
  await another.getByRole('button', { name: 'Allow another attempt' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'done@' })).toContainText('Not started');
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

async function more(page: Page, title: string, action: string) {
  await page
    .getByRole('button', { name: `More for ${title}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function boxOf(shown: Locator) {
  const { x, y, width, height } = (await shown.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  return { left: x, right: x + width, top: y, bottom: y + height };
}

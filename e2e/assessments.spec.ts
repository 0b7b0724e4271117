import type { Locator, Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { select, toastOn } from './support/controls.ts';
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

import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { download, select } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { parseCsv } from './support/question-file.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, writeAttempts } from './support/written-attempts.ts';

let many: PreparedQuiz;
let few: PreparedQuiz;

test.use({ database: 'participants' });

test.beforeAll(async ({ testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  many = await adminClient.quiz('Many');
  few = await adminClient.quiz('Few');
  const people = Array.from({ length: 31 }, (_, i) => [
    `person${String(i + 1).padStart(2, '0')}@example.org`,
    i % 6,
  ]);
  await writeAttempts(adminClient, many, Object.fromEntries(people));
  await beginAttempt(adminClient, few, 'running_one@example.org');
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('page and page size are in the address and survive a reload, Back and a record', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/admin/participants');
  await expect(page.getByText('Showing 1 to 10 of 32 entries', { exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
  await expect(pages(page)).toHaveText('Previous1234Next');

  const size = page.getByRole('combobox', { name: 'Rows per page' });
  await expect(size).toHaveText('10');
  await size.click();
  await expect(page.getByRole('option')).toHaveText(['5', '10', '25', '50', '100']);
  await page.getByRole('option', { name: '5', exact: true }).click();
  await expect(page.getByText('Showing 1 to 5 of 32 entries')).toBeVisible();
  await expect(pages(page)).toHaveText('Previous123…7Next');
  await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled();

  await page.getByRole('button', { name: 'Page 7' }).click();
  await expect(page.getByText('Showing 31 to 32 of 32 entries')).toBeVisible();
  await expect(pages(page)).toHaveText('Previous1…567Next');
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('Showing 26 to 30 of 32 entries')).toBeVisible();
  await expect(page).toHaveURL('/admin/participants?page=6&rows=5');
  await page.reload();
  await expect(page.getByText('Showing 26 to 30 of 32 entries')).toBeVisible();

  await rows(page).first().getByRole('link', { name: 'Open the record' }).click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  await page.getByRole('link', { name: 'Participant Management' }).click();
  await expect(page).toHaveURL('/admin/participants?page=6&rows=5');
  await page.goBack();
  await page.goBack();
  await expect(page.getByText('Showing 26 to 30 of 32 entries')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 31 to 32 of 32 entries')).toBeVisible();

  await page.goto('/admin/participants?page=99');
  await page.getByRole('button', { name: 'First page' }).click();
  await expect(page.getByText('Showing 1 to 10 of 32 entries')).toBeVisible();
});

test('filter, search and order are done by the server; an empty result shows the fixed sentence', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/admin/participants?page=2');
  await select(page, 'Assessment', 'Few');
  await expect(page.getByText('Showing 1 to 1 of 1 entries')).toBeVisible();
  await expect(rows(page)).toHaveText(/^running_one@example.org\w{8}FewIn progress–5/);
  await select(page, 'Assessment', 'All Assessments');
  await select(page, 'Status', 'Completed');
  await expect(page.getByText('Showing 1 to 10 of 31 entries')).toBeVisible();

  await page.getByRole('button', { name: 'Score' }).click();
  await expect(page.getByRole('columnheader', { name: 'Score' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect
    .poll(() => column(page, 4))
    .toEqual(['5', '5', '5', '5', '5', '4', '4', '4', '4', '4']);
  await page.getByRole('button', { name: 'Score' }).click();
  await expect
    .poll(async () => (await column(page, 4)).slice(0, 7))
    .toEqual([...Array(6).fill('0'), '1']);

  const search = page.getByRole('searchbox', { name: 'Search by email or id' });
  await search.fill('PERSON3');
  await expect(page.getByText('Showing 1 to 2 of 2 entries')).toBeVisible();
  await expect(page).toHaveURL(/search=PERSON3/);
  await search.fill('%');
  const empty = 'No participants found. Send Assessment invitations to get started.';
  await expect(page.getByText(empty, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('Showing 1 to 10 of 32 entries')).toBeVisible();
  await expect(search).toHaveValue('');
});

test('text typed while the address is updated stays', { tag: '@long' }, async ({ page }) => {
  await page.goto('/admin/participants');
  const search = page.getByRole('searchbox', { name: 'Search by email or id' });
  await search.pressSequentially('person3 ');
  await expect(page).toHaveURL(/search=person3/);
  await expect(search).toHaveValue('person3 ');
  await search.pressSequentially('x');
  await expect(page).toHaveURL(/search=person3(%20|\+)x/);
  await expect(search).toHaveValue('person3 x');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(search).toHaveValue('');
});

test('rows that arrive while paging move no row to another page', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  await page.goto(`/admin/participants?rows=5&quizId=${many.id}`);
  const first = await column(page, 1);
  await writeAttempts(adminClient, many, { 'late.arrival@example.org': 5 });
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText('Showing 6 to 10 of 31 entries')).toBeVisible();
  expect(await column(page, 1)).not.toContain(first.at(-1));
  await page.getByRole('button', { name: 'Reload the list' }).click();
  await expect(page.getByText('Showing 6 to 10 of 32 entries')).toBeVisible();
  expect(await column(page, 1)).toContain(first.at(-1));
});

test('the report has the filtered rows, and questions on request', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/admin/participants');
  const more = page.getByRole('button', { name: 'More reports' });
  const perQuestion = page.getByRole('menuitem', { name: 'With a column per question' });
  await more.click();
  await expect(perQuestion).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  const all = await report(page);
  expect(all.name).toMatch(/^participants_report_all_\d{8}-\d{6}\.csv$/);
  expect(all.table.length).toBeGreaterThan(32);

  await select(page, 'Assessment', 'Few');
  await expect(page.getByText('The report follows the filters.')).toBeVisible();
  await more.click();
  const asked = page.waitForRequest(/participants\/export/);
  const one = await report(page, perQuestion);
  const query = new URL((await asked).url()).searchParams;
  expect(Object.fromEntries(query)).toEqual({ quizId: few.id, questions: 'true' });
  expect(one.name).toMatch(/^participants_report_quiz_\d{8}-\d{6}\.csv$/);
  expect(one.table).toHaveLength(2);
});

test('the table is never wider than its card', { tag: '@long' }, async ({ page }) => {
  await page.goto('/admin/participants');
  const table = page.getByRole('table', { name: 'Participants' });
  await expect(table).toBeVisible();
  for (const width of [1440, 1366, 1355]) {
    await page.setViewportSize({ width, height: 768 });
    const [inner, outer] = [table, table.locator('xpath=..')].map((one) => one.boundingBox());
    expect((await inner)?.width, `at ${width}`).toBeLessThanOrEqual((await outer)?.width ?? 0);
  }
});

test('on a phone the rows are cards', { tag: '@long' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/admin/participants?quizId=${few.id}`);
  const cards = page.getByRole('list', { name: 'Participants' }).getByRole('listitem');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('running_one@example.org');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await select(page, 'Assessment', 'Many');
  await select(page, 'Order', 'Highest score first');
  await expect(cards.first()).toContainText('5 of 5');
  await select(page, 'Order', 'Lowest score first');
  await expect(cards.first()).toContainText('0 of 5');
  await expect(page.getByRole('table')).toHaveCount(0);
});

const rows = (page: Page) => page.getByRole('table', { name: 'Participants' }).locator('tbody tr');
const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

/** The texts of a column, counted from 1. */
async function column(page: Page, number: number): Promise<string[]> {
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(rows(page).first()).toBeVisible();
  return rows(page).locator(`td:nth-child(${number})`).allTextContents();
}

async function report(page: Page, what = page.getByRole('button', { name: 'Download report' })) {
  const { name, text } = await download(what);
  return { name, table: parseCsv(text) };
}

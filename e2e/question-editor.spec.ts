import type { Page } from '@playwright/test';
import { AdminClient } from './support/admin-client.ts';
import { select, textFile } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN_SIZES, browserOf, checkScreen } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';

const CIRCLE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160"><circle cx="150" cy="80" r="60" fill="none" stroke="#1f5397" stroke-width="6"/></svg>';

const text = (page: Page, name: string) => page.locator(`[data-field="${name}"]`);
const saved = (page: Page) => page.getByText(/^Saved \d\d:\d\d$/);

test('a question with a figure and a formula is written from the list of an assessment', {
  tag: '@long',
}, async ({ page, testServer }) => {
  const client = await AdminClient.signIn(testServer.url);
  const title = 'Written in the editor';
  const quiz = await client.quiz(title, { categoryId: await client.category('Editor') }, []);
  await signInAsAdmin(page);
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Manage questions of ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage Questions' });
  await dialog.getByRole('tab', { name: 'Add Questions' }).click();
  await dialog.getByRole('button', { name: 'Open the question editor' }).click();
  await expect(page).toHaveURL(`/admin/questions/new?quiz=${quiz.id}`);
  await expect(page.getByText(`Belongs to: ${title}`)).toBeVisible();

  await text(page, 'question').pressSequentially('What is the area for $r = 1$?\n\n');
  await page
    .getByLabel('Images for question')
    .setInputFiles(textFile('circle.svg', CIRCLE, 'image/svg+xml'));
  await expect(page.getByText(/^Line 3: The image has no alternative text/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Description' }).fill('A circle');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByRole('img', { name: 'A circle' })).toBeVisible();
  await expect(preview.locator('math').first()).toBeAttached();
  await page.getByRole('button', { name: 'Preview' }).click();

  await text(page, 'options.0.text').fill('$\\pi$');
  await text(page, 'options.1.text').fill('$2\\pi$');
  await text(page, 'options.2.text').fill('None of the above');
  await page.getByRole('button', { name: 'Keep option C last' }).click();
  await page.getByRole('radio', { name: 'Option A is correct' }).press('Space');
  await page.getByRole('button', { name: 'Preview' }).click();
  await preview.getByRole('radio').first().click();
  await expect(preview.getByText('Correct: 1 of 1 point')).toBeVisible();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.keyboard.press('Control+s');
  await expect(saved(page)).toBeVisible();

  // Unsaved changes outlive a reload and are offered.
  await text(page, 'options.1.text').fill('$4\\pi$');
  await page.keyboard.press('Tab');
  page.once('dialog', (leaving) => void leaving.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(text(page, 'options.1.text').getByRole('img', { name: '4\\pi' })).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(saved(page)).toBeVisible();
  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History' });
  await expect(history.getByRole('heading', { name: /^Version 2/ })).toBeVisible();
  await history.getByRole('button', { name: 'Close' }).first().click();

  await text(page, 'question').press('Escape');
  await expect(page).toHaveURL(`/admin/quizzes/${quiz.id}/questions`);
  await page.goto('/admin/quizzes');
  await page.getByRole('button', { name: `Manage questions of ${title}` }).click();
  // More than the form of the dialog can hold.
  await dialog.getByRole('button', { name: 'Edit question 1' }).click();
  await expect(page.getByRole('heading', { name: 'Edit question' })).toBeVisible();
  await expect(page.getByText(`Belongs to: ${title}`)).toBeVisible();
});

for (const size of ADMIN_SIZES) {
  test(`the editor is accessible on a ${size}`, { tag: '@long' }, async ({ visitor }) => {
    const page = await visitor(browserOf(size));
    await signInAsAdmin(page);
    await page.goto('/admin/questions/new');
    await text(page, 'question').pressSequentially('Which are prime?\nRemember: $p > 1$.');
    await text(page, 'options.0.text').fill('2');
    await text(page, 'options.1.text').fill('9');
    await select(page, 'Type', 'Multiple response');
    await page.getByRole('checkbox', { name: 'Option A is correct' }).click();
    await checkScreen(page, size, 'question-editor');
    await select(page, 'Type', 'Number');
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Add unit' }).click();
    await page.getByRole('textbox', { name: 'Unit 1', exact: true }).fill('5');
    await page.getByRole('button', { name: 'Save question' }).click();
    await expect(page.getByText(/^Enter a unit of at most/)).toBeVisible();
    await checkScreen(page, size, 'question-editor-number');
    if (size === 'phone') {
      await page.getByRole('button', { name: 'Preview' }).click();
      await checkScreen(page, size, 'question-editor-preview');
      await page.getByRole('button', { name: 'Preview' }).click();
    }
    await select(page, 'Type', 'Matching');
    await text(page, 'matching.pairs.0.item').fill('Two');
    await checkScreen(page, size, 'question-editor-matching');
    await select(page, 'Type', 'Ordering');
    await checkScreen(page, size, 'question-editor-ordering');
    const tool = (name: string) =>
      page
        .getByRole('toolbar', { name: 'Formatting of question' })
        .getByRole('button', { name, exact: true })
        .click();
    await text(page, 'question').press('Control+End');
    await tool('Table');
    await page.keyboard.type('Base');
    await page.keyboard.press('Shift+ArrowDown');
    await expect(text(page, 'question').locator('td.bg-accent-soft')).not.toHaveCount(0);
    await checkScreen(page, size, 'question-editor-table');
    await text(page, 'question').locator(':scope > p').last().click();
    await tool('Link');
    await checkScreen(page, size, 'question-editor-link', { whole: false });
    await page.keyboard.press('Escape');
    await page
      .getByLabel('Images for question')
      .setInputFiles(textFile('circle.svg', CIRCLE, 'image/svg+xml'));
    await expect(page.getByRole('textbox', { name: 'Description' })).toBeFocused();
    await checkScreen(page, size, 'question-editor-image', { whole: false });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('checkbox', { name: 'Markdown source' }).check();
    await expect(page.locator('textarea[name="question"]')).toHaveValue(/\| Base \|/);
    await checkScreen(page, size, 'question-editor-source');
    await page.getByRole('checkbox', { name: 'Markdown source' }).uncheck();
    await tool('Formula');
    await page.getByRole('button', { name: 'Fraction' }).click();
    await checkScreen(page, size, 'question-editor-formula', { whole: false });
  });
}

test('two tabs keep a draft each, and neither takes the place of what was saved since', {
  tag: '@long',
}, async ({ page, context, adminClient }) => {
  const quiz = await adminClient.quiz('Open in two tabs');
  const [stored] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  const address = `/admin/questions/${stored.id}`;
  await signInAsAdmin(page);
  for (const words of ['Written first?', 'Written later?']) {
    const tab = await context.newPage();
    await tab.goto(address);
    await text(tab, 'question').fill(words);
    await expect(tab.getByText('Not saved yet.')).toBeVisible();
    await expect.poll(() => draftsIn(tab)).toContain(words);
  }
  // Ended as in a crash: nothing asks, and what is stored stays.
  for (const tab of context.pages().slice(1)) await tab.close();
  await page.goto(address);
  const offers = page.getByText(/^Restore your unsaved changes from/);
  await expect(offers).toHaveCount(2);
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
  await expect(text(page, 'question')).toHaveText('Written later?');
  await expect(offers).toHaveCount(1);
  await page.keyboard.press('Control+s');
  await expect(saved(page)).toBeVisible();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect(text(page, 'question')).toHaveText('Written first?');
  const both = page.getByRole('alert');
  await expect(both).toContainText('later');
  await expect(both.getByRole('button', { name: 'Save my version' })).toBeVisible();
  const [now] = await adminClient.must('listQuestions', { params: { id: quiz.id } });
  expect(now).toMatchObject({ question: 'Written later?', version: 2 });
});

/** All that the browser keeps. */
const draftsIn = (page: Page) => page.evaluate(() => Object.values(localStorage).join('\n'));

import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { download } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';
import { beginAttempt, save, writeAttempts } from './support/written-attempts.ts';

let quiz: PreparedQuiz;

test.beforeAll(async ({ testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  quiz = await adminClient.quiz('Record');
});

test.beforeEach(async ({ page }) => signInAsAdmin(page));

test('a running attempt is followed live, extended and ended, each action with a reason', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  const writer = await beginAttempt(adminClient, quiz, 'runner@example.org');
  await page.clock.install();
  await openRecord(page, 'runner@example.org');
  await expect(value(page, 'Answered')).toHaveText('0 of 5');
  await expect(value(page, 'Score')).toHaveText('–');

  const [question] = writer.questions;
  const key = quiz.questions.find((row) => row.question === question?.question);
  await save(writer, { selectedOption: key?.correctAnswer, isFlagged: true });
  await page.clock.fastForward(16_000);
  await expect(value(page, 'Answered')).toHaveText('1 of 5');
  await expect(page.getByRole('button', { name: 'Question 1, correct, flagged' })).toBeVisible();

  await page.getByRole('button', { name: 'Give extra time' }).click();
  const extend = page.getByRole('dialog', { name: 'Give extra time' });
  await extend.getByLabel('Minutes').fill('200');
  await extend.getByRole('button', { name: 'Give extra time' }).click();
  await expect(extend.getByText('Give a reason', { exact: true })).toBeVisible();
  await expect(extend.getByText('Whole minutes, 1 to 180', { exact: true })).toBeVisible();
  await extend.getByLabel('Minutes').fill('15');
  await extend.getByLabel('Reason').fill('The fire alarm rang');
  // The answer is lost: what was typed stays, and the time is given once.
  consoles.expect(/status of 500 .*\/actions/);
  await page.route('**/live/actions', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 500, body: 'Try later' });
  });
  await extend.getByRole('button', { name: 'Give extra time' }).click();
  await expect(page.getByRole('alert')).toContainText('Failed to give extra timeTry later');
  await expect(extend.getByLabel('Reason')).toHaveValue('The fire alarm rang');
  await page.unroute('**/live/actions');
  await extend.getByRole('button', { name: 'Give extra time' }).click();
  await expect(extend).toBeHidden();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByText('15 extra minutes given')).toHaveCount(1);
  await expect(timeline).toContainText(`${ADMIN.email}: The fire alarm rang`);

  await expect(page.getByRole('button', { name: 'Erase data' })).toBeDisabled();
  await page.getByRole('button', { name: 'End now' }).click();
  const end = page.getByRole('dialog', { name: 'End this attempt now' });
  await end.getByLabel('Reason').fill('Taken ill');
  await end.getByRole('button', { name: 'End attempt now' }).click();
  await expect(page.getByText('The attempt is ending.')).toBeVisible();
  // The server leaves the browser ten seconds to send answers; the page polls every three.
  await expect(async () => {
    await page.clock.fastForward(3_000);
    await expect(value(page, 'Score')).toHaveText('1 of 5', { timeout: 1_000 });
  }).toPass();
  await expect(timeline).toContainText(`${ADMIN.email}: Taken ill`);
});

test('an idle page stops polling, and resumes when someone returns', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  await beginAttempt(adminClient, quiz, 'left.alone@example.org');
  await page.clock.install();
  await openRecord(page, 'left.alone@example.org');
  await expect(value(page, 'Answered')).toHaveText('0 of 5');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/record')) asked += 1;
  });
  await page.clock.fastForward(16_000);
  await expect.poll(() => asked).toBe(1);
  // The one poll that was due happens during the absence.
  await page.clock.fastForward(5 * 60_000);
  for (let polls = 0; polls < 4; polls += 1) await page.clock.runFor(20_000);
  expect(asked).toBeLessThanOrEqual(2);
  const before = asked;
  await page.mouse.click(5, 5);
  await expect.poll(() => asked).toBe(before + 1);
});

test('an ended attempt shows answers and key; the record of another attempt shows the earlier one', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  await writeAttempts(adminClient, quiz, { 'ended@example.org': 3 });
  await openRecord(page, 'ended@example.org');
  await expect(value(page, 'Score')).toHaveText('3 of 5');
  const answers = page.getByRole('region', { name: 'Answers' });
  await expect(answers).toContainText('3 correct, 2 wrong, 0 unanswered');
  await answers.getByRole('button', { name: 'Wrong (2)' }).click();
  await expect(answers.getByText('Correct answer:')).toHaveCount(2);
  await answers.getByRole('button', { name: 'Question 1, correct' }).click();
  await expect(page.locator(':focus')).toContainText(/\?/);
  await answers.getByRole('button', { name: 'Options of question 1', exact: true }).click();
  await expect(answers.getByText('Selected, correct')).toBeVisible();

  await page.getByRole('button', { name: 'Allow another attempt' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow another attempt' });
  await dialog.getByLabel('Reason').fill('The room was evacuated');
  // Closing with unsaved input asks first.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByRole('button', { name: 'Allow another attempt' }).click();
  await expect(page.getByText('A later attempt has already replaced this one.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reinstate' })).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
    'The room was evacuated',
  );

  await beginAttempt(adminClient, quiz, 'ended@example.org');
  await openRecord(page, 'ended@example.org');
  const earlier = page.getByRole('region', { name: 'Earlier attempts' });
  await expect(earlier).toContainText('3 of 5');
  await earlier.getByRole('link', { name: 'Attempt 1' }).click();
  await expect(value(page, 'Score')).toHaveText('3 of 5');
});

test('an unsaved note is discarded by a link, by Back or by signing out only after confirmation', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  await writeAttempts(adminClient, quiz, { 'noted@example.org': 2 });
  await page.goto('/admin/dashboard');
  await openRecord(page, 'noted@example.org', 'walking');
  const address = page.url();
  const note = page.getByLabel('For administrators');
  await note.fill('Left the room twice');
  const asks = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  for (const leave of [
    () => page.getByRole('link', { name: 'Dashboard' }).click(),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Sign out' }).click(),
  ]) {
    await leave();
    await expect(asks).toBeVisible();
    await asks.getByRole('button', { name: 'Keep editing' }).click();
    await expect(asks).toBeHidden();
    await expect(page).toHaveURL(address);
    await expect(note).toHaveValue('Left the room twice');
  }
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(page.getByText('Note saved')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/admin\/participants\?search/);
  await page.goForward();
  await expect(note).toHaveValue('Left the room twice');
  // Typed while it is being saved.
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/note', async (route) => {
    await held;
    await route.fallback();
  });
  await note.fill('Left the room three times');
  await page.getByRole('button', { name: 'Save note' }).click();
  await note.pressSequentially(', with leave');
  letGo();
  await expect(page.getByText('Note saved')).toBeVisible();
  await expect(note).toHaveValue('Left the room three times, with leave');
  await note.fill('Gone');
  await page.goBack();
  await asks.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL(/\/admin\/participants\?search/);
});

test('a person’s data is exported as a file, and erased only after the email is typed', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  await writeAttempts(adminClient, quiz, { 'forget.me@example.org': 4 });
  await openRecord(page, 'forget.me@example.org');
  const file = await download(page.getByRole('button', { name: 'Download data' }));
  expect(file.name).toMatch(/\.json$/);
  expect(file.text).toContain('forget.me@example.org');

  await page.getByRole('button', { name: 'Erase data' }).click();
  const erase = page.getByRole('dialog', { name: "Erase this person's data" });
  await erase.getByLabel('Reason').fill('Asked for it');
  await erase.getByLabel('Type forget.me@example.org to confirm').fill('forget');
  await erase.getByRole('button', { name: 'Erase data' }).click();
  await expect(erase.getByLabel('Type forget.me@example.org to confirm')).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await erase.getByLabel('Type forget.me@example.org to confirm').fill('forget.me@example.org');
  await erase.getByRole('button', { name: 'Erase data' }).click();
  await expect(erase).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Unknown', level: 1 })).toBeVisible();
  await expect(value(page, 'Score')).toHaveText('4 of 5');
});

test('the address of an unknown attempt says that there is none', { tag: '@long' }, async ({
  page,
  consoles,
}) => {
  consoles.expect(/status of 404 .*\/record/);
  await page.goto('/admin/participants/019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2');
  await expect(page.getByRole('alert')).toContainText('Attempt not found');
});

/** The value with this label in the row of figures. */
const value = (page: Page, label: string) =>
  page.locator('dl').first().locator('div').filter({ hasText: label }).locator('dd');

/** Opens a record through the list, as an administrator does. */
async function openRecord(page: Page, email: string, how: 'at once' | 'walking' = 'at once') {
  if (how === 'at once') await page.goto(`/admin/participants?search=${email}`);
  else {
    await page.getByRole('link', { name: 'Participants', exact: true }).click();
    await page.getByRole('searchbox').fill(email);
    await expect(page).toHaveURL(/search=/);
  }
  await page.getByRole('link', { name: `Open the record of ${email}` }).click();
  await expect(page.getByRole('heading', { name: email, level: 1 })).toBeVisible();
}

import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { startAttempt } from './support/start-attempt.ts';

/* The connection goes while someone writes. What was acknowledged stays, and the screen never lies. */

test.beforeEach(({ consoles }) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED/);
});

/**
 * An assessment that ends soon cuts the shortest duration shorter still. So long a busy machine may
 * take until someone sits in it and has answered.
 */
const ENDS_SOON_MS = 70_000;
/** Until the page has ended by itself. */
const THE_END = { timeout: ENDS_SOON_MS + 20_000 };

test('two minutes offline: changes are queued, shown as waiting, and sent on reconnect', async ({
  page,
  adminClient,
}) => {
  test.setTimeout(240_000);
  const { candidate, observer } = await startAttempt(page, adminClient, 'Two minutes');
  await observer.choose(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);

  await page.context().setOffline(true);
  const cut = performance.now();
  await observer.choose(candidate, 2, 0);
  await observer.choose(candidate, 3, 2);
  await observer.waitingIsTrue(candidate, 2);
  await expect(page.getByText('Keep answering.')).toBeVisible();
  await observer.choose(candidate, 1, 3);
  await observer.waitingIsTrue(candidate, 3);
  // Two real minutes: every back-off, every time-out and a dozen heartbeats lie in them.
  await page.waitForTimeout(120_000 - (performance.now() - cut));
  await observer.waitingIsTrue(candidate, 3);
  await expect(page).toHaveURL('/quiz/assessment');

  await page.context().setOffline(false);
  await observer.savedIsTrue(candidate);
  await expect(page.getByText('Keep answering.')).toBeHidden();
  await observer.nothingIsLost();
});

test('a submit while offline waits on the thank-you page and ends when the server has it', async ({
  page,
  adminClient,
}) => {
  const { candidate, observer } = await startAttempt(page, adminClient, 'Submit offline');
  await observer.choose(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.choose(candidate, 2, 1);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();

  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('heading', { name: 'Sending your answers' })).toBeVisible();
  await expect(page.getByText('1 change has not reached the server yet.')).toBeVisible();
  // Nothing claims that it has arrived, and it has not.
  await expect(page.getByText('Assessment Completed!')).toBeHidden();
  await expect(page.getByText('This window will automatically close')).toBeHidden();
  expect(await observer.attempt()).toMatchObject({ status: 'in_progress', answeredCount: 1 });

  await holdSignOut(page);
  await page.context().setOffline(false);
  const end = await readLastPage(page, 'Assessment Completed!');
  expect(end.facts).toMatchObject({ 'Questions Answered': '2 of 5' });
  expect(await observer.attempt()).toMatchObject({ status: 'completed', submissionType: 'manual' });
  expect(await observer.stored()).toEqual(observer.chosen);
  await observer.nothingIsLost();
});

test('the deadline passes while offline: the attempt ends, and late answers are stored apart', async ({
  page,
  adminClient,
}) => {
  test.setTimeout(240_000);
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  const { candidate, observer } = await startAttempt(page, adminClient, 'Too late', { endDate });
  await observer.choose(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  const saved = new Map(observer.chosen);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.choose(candidate, 2, 1);
  await observer.waitingIsTrue(candidate, 1);

  await expect(page).toHaveURL('/quiz/thankyou', THE_END);
  const heading = 'Time Expired - Assessment Auto-Submitted';
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByText('Still sending your answers.')).toBeVisible();
  // Grace and closing: then nothing from here counts any more.
  await expect
    .poll(async () => (await observer.attempt()).status, { timeout: 45_000 })
    .toBe('completed');

  const letGo = await holdSignOut(page);
  await page.context().setOffline(false);
  const late = page.getByText('1 change arrived after the end.');
  await expect(late).toBeVisible({ timeout: 30_000 });
  const end = await readLastPage(page, heading);
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  expect(await observer.stored()).toEqual(saved);
  const { id } = await observer.attempt();
  expect(await adminClient.must('listLateAnswers', { params: { id } })).toHaveLength(1);
  // It must be read, so the page stays; no one who sits down here next is signed in.
  letGo();
  await expect(page.getByText('You are signed out. This page stays open')).toBeVisible();
  await expect(late).toBeVisible();
  expect((await page.request.get('/api/auth/me')).status()).toBe(401);
});

test('an extension given while the page was offline reverts its automatic end', async ({
  page,
  adminClient,
  consoles,
}) => {
  test.setTimeout(240_000);
  // The end was on its way when the network came back, and is not taken.
  consoles.expect(/status of 409 .*\/submit$/);
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  // A stream that is open outlives the offline switch of this browser; a cut cable ends it.
  await page.route('**/api/participants/*/events', (route) => route.abort());
  const { candidate, observer } = await startAttempt(page, adminClient, 'More after all', {
    endDate,
  });
  await observer.choose(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.choose(candidate, 2, 1);
  const { id } = await observer.attempt();
  await adminClient.must('extendParticipant', {
    params: { id },
    body: { minutes: 5, reason: 'Alarm' },
  });
  await expect(page).toHaveURL('/quiz/thankyou', THE_END);

  await page.context().setOffline(false);
  await expect(page).toHaveURL('/quiz/assessment', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await observer.choose(candidate, 3, 1);
  await observer.savedIsTrue(candidate);
  expect((await observer.attempt()).status).toBe('in_progress');
  await observer.nothingIsLost();
});

test('a page that is left with unsaved changes sends them as it unloads', async ({
  page,
  adminClient,
}) => {
  const { candidate, observer } = await startAttempt(page, adminClient, 'Left');
  await observer.choose(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  // A save that never gets through: the next answers wait behind it in the page.
  await page.route('**/api/participants/*/answers', () => undefined, { times: 1 });
  await observer.choose(candidate, 2, 2);
  await expect(candidate.saved).toHaveText('Saving…');
  await observer.choose(candidate, 3, 3);
  await page.goto('about:blank');
  await expect.poll(() => observer.stored()).toEqual(observer.chosen);
});

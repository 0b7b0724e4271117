import { codeIsHere } from './support/code-is-here.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { seat } from './support/seat.ts';
import { expect, test } from './support/stories.ts';

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

test('two minutes without a network: everything waits, says so, and arrives by itself', async ({
  page,
  desk,
}) => {
  test.setTimeout(240_000);
  const { candidate, witness } = await seat(page, desk, 'Two minutes');
  await witness.choose(candidate, 1, 1);
  await witness.savedIsTrue(candidate);
  await codeIsHere(page);

  await page.context().setOffline(true);
  const cut = performance.now();
  await witness.choose(candidate, 2, 0);
  await witness.choose(candidate, 3, 2);
  await witness.waitingIsTrue(candidate, 2);
  await expect(page.getByText('Keep answering.')).toBeVisible();
  await witness.choose(candidate, 1, 3);
  await witness.waitingIsTrue(candidate, 3);
  // Two real minutes: every back-off, every time-out and a dozen heartbeats lie in them.
  await page.waitForTimeout(120_000 - (performance.now() - cut));
  await witness.waitingIsTrue(candidate, 3);
  await expect(page).toHaveURL('/quiz/assessment');

  await page.context().setOffline(false);
  await witness.savedIsTrue(candidate);
  await expect(page.getByText('Keep answering.')).toBeHidden();
  await witness.nothingIsLost();
});

test('submitting without a network waits on the thank-you page and ends when the server has it', async ({
  page,
  desk,
}) => {
  const { candidate, witness } = await seat(page, desk, 'Submit offline');
  await witness.choose(candidate, 1, 1);
  await witness.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await witness.choose(candidate, 2, 1);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();

  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('heading', { name: 'Sending your answers' })).toBeVisible();
  await expect(page.getByText('1 change has not reached the server yet.')).toBeVisible();
  // Nothing claims that it has arrived, and it has not.
  await expect(page.getByText('Assessment Completed!')).toBeHidden();
  await expect(page.getByText('This window will automatically close')).toBeHidden();
  expect(await witness.attempt()).toMatchObject({ status: 'in_progress', answeredCount: 1 });

  await holdSignOut(page);
  await page.context().setOffline(false);
  const end = await readLastPage(page, 'Assessment Completed!');
  expect(end.facts).toMatchObject({ 'Questions Answered': '2 of 5' });
  expect(await witness.attempt()).toMatchObject({ status: 'completed', submissionType: 'manual' });
  expect(await witness.stored()).toEqual(witness.chosen);
  await witness.nothingIsLost();
});

test('the deadline passes while offline: the time ends it, and what came too late is distinguished', async ({
  page,
  desk,
}) => {
  test.setTimeout(240_000);
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  const { candidate, witness } = await seat(page, desk, 'Too late', { endDate });
  await witness.choose(candidate, 1, 1);
  await witness.savedIsTrue(candidate);
  const saved = new Map(witness.chosen);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await witness.choose(candidate, 2, 1);
  await witness.waitingIsTrue(candidate, 1);

  await expect(page).toHaveURL('/quiz/thankyou', THE_END);
  const heading = 'Time Expired - Assessment Auto-Submitted';
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByText('Still sending your answers.')).toBeVisible();
  // Grace and closing: then nothing from here counts any more.
  await expect
    .poll(async () => (await witness.attempt()).status, { timeout: 45_000 })
    .toBe('completed');

  const letGo = await holdSignOut(page);
  await page.context().setOffline(false);
  const late = page.getByText('1 change arrived after the end.');
  await expect(late).toBeVisible({ timeout: 30_000 });
  const end = await readLastPage(page, heading);
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  expect(await witness.stored()).toEqual(saved);
  const { id } = await witness.attempt();
  expect(await desk.must('listLateAnswers', { params: { id } })).toHaveLength(1);
  // It must be read, so the page stays; no one who sits down here next is signed in.
  letGo();
  await expect(page.getByText('You are signed out. This page stays open')).toBeVisible();
  await expect(late).toBeVisible();
  expect((await page.request.get('/api/auth/me')).status()).toBe(401);
});

test('time that was given while the page was offline takes its automatic end back', async ({
  page,
  desk,
  consoles,
}) => {
  test.setTimeout(240_000);
  // The end was on its way when the network came back, and is not taken.
  consoles.expect(/status of 409 .*\/submit$/);
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  // A stream that is open outlives the offline switch of this browser; a cut cable ends it.
  await page.route('**/api/participants/*/events', (route) => route.abort());
  const { candidate, witness } = await seat(page, desk, 'More after all', { endDate });
  await witness.choose(candidate, 1, 1);
  await witness.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await witness.choose(candidate, 2, 1);
  const { id } = await witness.attempt();
  await desk.must('extendParticipant', { params: { id }, body: { minutes: 5, reason: 'Alarm' } });
  await expect(page).toHaveURL('/quiz/thankyou', THE_END);

  await page.context().setOffline(false);
  await expect(page).toHaveURL('/quiz/assessment', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await witness.choose(candidate, 3, 1);
  await witness.savedIsTrue(candidate);
  expect((await witness.attempt()).status).toBe('in_progress');
  await witness.nothingIsLost();
});

test('a page that is left with unsaved changes sends them on its way out', async ({
  page,
  desk,
}) => {
  const { candidate, witness } = await seat(page, desk, 'Left');
  await witness.choose(candidate, 1, 1);
  await witness.savedIsTrue(candidate);
  // A save that never gets through: the next answers wait behind it in the page.
  await page.route('**/api/participants/*/answers', () => undefined, { times: 1 });
  await witness.choose(candidate, 2, 2);
  await expect(candidate.saved).toHaveText('Saving…');
  await witness.choose(candidate, 3, 3);
  await page.goto('about:blank');
  await expect.poll(() => witness.stored()).toEqual(witness.chosen);
});

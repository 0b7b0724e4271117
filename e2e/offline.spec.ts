import { setTimeout as passes } from 'node:timers/promises';
import { inForm } from '@invigil/testkit/test-form';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { startAttempt } from './support/start-attempt.ts';

/* The connection goes while someone writes. What was acknowledged stays, and the screen never lies. */

test.beforeEach(({ consoles }) => {
  consoles.expect(/net::ERR_INTERNET_DISCONNECTED/, /net::ERR_FAILED/);
});

/** Two real minutes cover every back-off and timeout, and a dozen heartbeats. */
const OUTAGE_MS = inForm({ short: 5_000, long: 120_000 });

/** The end date shortens the shortest duration; a busy machine needs this long to start and answer. */
const ENDS_SOON_MS = 70_000;
/** The longest time until the page has ended on its own. */
const THE_END = { timeout: ENDS_SOON_MS + 90_000 };

test('offline: changes are queued, shown as waiting, and sent on reconnect', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const { candidate, observer } = await startAttempt(page, adminClient, 'Offline');
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);

  await page.context().setOffline(true);
  const cut = performance.now();
  await observer.select(candidate, 2, 0);
  await observer.select(candidate, 3, 2);
  await observer.waitingIsTrue(candidate, 2);
  await expect(page.getByText('Keep answering.')).toBeVisible();
  await observer.select(candidate, 1, 3);
  await observer.waitingIsTrue(candidate, 3);
  await passes(Math.max(0, OUTAGE_MS - (performance.now() - cut)));
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
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.select(candidate, 2, 1);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();

  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('heading', { name: 'Sending your answers' })).toBeVisible();
  await expect(page.getByText('1 change has not reached the server yet.')).toBeVisible();
  // Nothing reports it as received, and it was not.
  await expect(page.getByText('Assessment Completed!')).toBeHidden();
  await expect(page.getByText('This window will automatically close')).toBeHidden();
  expect(await observer.attempt()).toMatchObject({ status: 'in_progress', answeredCount: 1 });

  await holdSignOut(page);
  await page.context().setOffline(false);
  const end = await readLastPage(page, 'Assessment Completed!');
  expect(end.facts).toMatchObject({ 'Questions Answered': '2 of 5' });
  expect(await observer.attempt()).toMatchObject({ status: 'completed', submissionType: 'manual' });
  expect(await observer.stored()).toEqual(observer.selected);
  await observer.nothingIsLost();
});

test('the deadline passes while offline: the attempt ends, and late answers are stored apart', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  const { candidate, observer } = await startAttempt(page, adminClient, 'Too late', { endDate });
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  const saved = new Map(observer.selected);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.select(candidate, 2, 1);
  await observer.waitingIsTrue(candidate, 1);

  await expect(page).toHaveURL('/quiz/thankyou', THE_END);
  const heading = 'Time Expired - Assessment Auto-Submitted';
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByText('Still sending your answers.')).toBeVisible();
  // After grace period and closing nothing sent from here counts.
  await expect.poll(async () => (await observer.attempt()).status).toBe('completed');

  const letGo = await holdSignOut(page);
  await page.context().setOffline(false);
  const late = page.getByText('1 change arrived after the end.');
  await expect(late).toBeVisible();
  const end = await readLastPage(page, heading);
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  expect(await observer.stored()).toEqual(saved);
  const { id } = await observer.attempt();
  expect(await adminClient.must('listLateAnswers', { params: { id } })).toHaveLength(1);
  // The page stays until it is read, but is signed out.
  letGo();
  await expect(page.getByText('You are signed out. This page stays open')).toBeVisible();
  await expect(late).toBeVisible();
  expect((await page.request.get('/api/auth/me')).status()).toBe(401);
});

test('an extension given while the page was offline reverts its automatic end', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  // The submit is sent on reconnect and refused.
  consoles.expect(/status of 409 .*\/submit$/);
  const endDate = new Date(Date.now() + ENDS_SOON_MS).toISOString();
  // An open stream survives the offline switch of this browser, unlike a cut cable.
  await page.route('**/api/participants/*/events', (route) => route.abort());
  const { candidate, observer } = await startAttempt(page, adminClient, 'Extended offline', {
    endDate,
  });
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await page.context().setOffline(true);
  await observer.select(candidate, 2, 1);
  const { id } = await observer.attempt();
  await adminClient.must('extendParticipant', {
    params: { id },
    body: { minutes: 5, reason: 'Alarm' },
  });
  await expect(page).toHaveURL('/quiz/thankyou', THE_END);

  await page.context().setOffline(false);
  await expect(page).toHaveURL('/quiz/assessment');
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await observer.select(candidate, 3, 1);
  await observer.savedIsTrue(candidate);
  expect((await observer.attempt()).status).toBe('in_progress');
  await observer.nothingIsLost();
});

test('a page that is left hands unsaved changes to the browser, and keeps them until they arrive', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const { candidate, observer } = await startAttempt(page, adminClient, 'Left');
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  // A save that never completes: the next answers are queued behind it. In the page, because requests
  // that the browser stops for us are lost with the page that sent them.
  await page.evaluate(() => {
    const send = window.fetch;
    let isHeld = false;
    window.fetch = (...request) => {
      const [url, options] = request;
      if (!String(url).endsWith('/answers')) return send(...request);
      if (options?.keepalive === true) localStorage.setItem('handed-over', String(options.body));
      if (isHeld) return send(...request);
      isHeld = true;
      return new Promise(() => undefined);
    };
  });
  await observer.select(candidate, 2, 2);
  await expect(candidate.saved).toHaveText('Saving…');
  await observer.select(candidate, 3, 3);
  // A page of the same origin without the app, which would send them too.
  await page.goto('/readyz');
  const handedOver = await page.evaluate(() => localStorage.getItem('handed-over') ?? 'nothing');
  const { answers } = JSON.parse(handedOver);
  expect(answers).toHaveLength(2);
  // A busy browser or server may drop that request, so the device keeps the answers until the return.
  await page.goto('/quiz/assessment');
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await expect.poll(() => observer.stored()).toEqual(observer.selected);
  await observer.nothingIsLost();
});

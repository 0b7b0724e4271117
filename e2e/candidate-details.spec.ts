import type { Page } from '@playwright/test';
import { OFF_POLICY, STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut } from './support/last-page.ts';
import { fillSignIn } from './support/sign-in.ts';
import { signedIn } from './support/start-attempt.ts';

async function toTheFeedback({ page }: Candidate) {
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
}

/** Records every track that the page gets, to check that it is stopped. */
async function watchTracks(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { allTracks: tracks });
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await ask(wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
  return () =>
    page.evaluate(() =>
      (Reflect.get(window, 'allTracks') as MediaStreamTrack[]).map((track) => track.readyState),
    );
}

test('a short outage at any step before the start is told, and the page goes on by itself', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(
    /net::ERR_(?:INTERNET_DISCONNECTED|FAILED)|could not be fetched|cannot be reached/,
  );
  const page = await visitor();
  const quiz = await adminClient.quiz('outages', { policy: OFF_POLICY });
  const guest = await adminClient.inviteOne(quiz, 'outages@example.org');
  const outage = async (act: () => Promise<unknown>, told: string | RegExp) => {
    await page.context().setOffline(true);
    await act();
    await expect(page.getByText(told).first()).toBeVisible();
    await page.context().setOffline(false);
  };
  await page.goto('/login');
  await fillSignIn(page, guest.email, guest.code);
  const signInButton = page.getByRole('button', { name: 'Sign In', exact: true });
  await outage(() => signInButton.click(), /^This page keeps trying, and signs you in/);
  await expect(page).toHaveURL('/quiz/instructions');
  const start = page.getByRole('button', { name: 'Start Assessment' });
  // The code of the page comes after its address: an outage before that is told, too.
  await start.waitFor();
  await outage(() => start.click(), 'Connection not available; we keep trying to reach the server');
  const accept = page.getByRole('button', { name: 'Accept & Continue' });
  await accept.waitFor();
  await outage(() => accept.click(), 'The test is loading. Your time has not started.');
  await expect(page.getByText(/^Connection good/)).toBeVisible();
  // The page fetches again what had failed, without a reload.
  await expect(page.getByText(/The test is loading/)).toBeHidden({ timeout: 10_000 });
  await outage(
    () => start.click(),
    'Your time has not started. Stay on this page: it keeps trying, and starts as soon as it can.',
  );
  await new Candidate(page, guest).seesQuestions();
});

test('declining consent leads home, requests no device and starts nothing', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const tracks = await watchTracks(page);
  const { quiz } = await signedIn(page, adminClient, 'reject', {
    policy: STRICT_POLICY,
  });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await page.getByRole('button', { name: 'Reject & Exit' }).click();
  await expect(page).toHaveURL('/quiz/instructions');
  expect(await tracks()).toEqual([]);
  expect(await adminClient.attempts(quiz)).toEqual([]);
});

test('consent is requested again when more is monitored than was agreed to, also after a reload', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/status of 409 .*\/api\/participants/);
  const page = await visitor();
  const { candidate, quiz } = await signedIn(page, adminClient, 'asked again', {
    policy: OFF_POLICY,
  });
  const monitor = (change: object) =>
    adminClient.change(quiz, { policy: { ...OFF_POLICY, preset: 'custom', ...change } });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(page).toHaveTitle(/^Device check/);
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  await monitor({ microphone: true });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  const consent = page.getByRole('alertdialog', { name: 'Your consent to monitoring' });
  await expect(consent).toContainText('What is monitored has changed since you agreed to it');
  await expect(consent).toContainText('Your microphone stays on');
  expect(await adminClient.attempts(quiz)).toEqual([]);
  await consent.getByRole('button', { name: 'Accept & Continue' }).click();
  await expect(page.getByRole('region', { name: 'Microphone' })).toBeVisible();

  await monitor({ microphone: true, camera: true });
  await page.reload();
  await expect(consent).toContainText('Your camera stays on');
  await consent.getByRole('button', { name: 'Accept & Continue' }).click();
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
});

test('a failed submit and feedback: the thank-you page reports it, retries, and ends when all is sent', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/net::ERR_FAILED .*\/(submit|feedback)/, /The feedback could not be sent/);
  const page = await visitor();
  const tracks = await watchTracks(page);
  const { candidate, quiz } = await signedIn(page, adminClient, 'failing submit', {
    policy: STRICT_POLICY,
  });
  await candidate.begin();
  await candidate.options.nth(1).click();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  await page.route('**/submit', (route) => route.abort());
  await page.route('**/api/feedback', (route) => route.abort());
  const letGo = await holdSignOut(page);
  await toTheFeedback(candidate);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();

  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByText('Still sending your answers.')).toBeVisible();
  await expect(page.getByText('Every answer you gave is saved on the server.')).toBeVisible();
  await expect(page.getByText('automatically close')).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('quizAnswers'))).not.toBeNull();
  await expect.poll(async () => new Set(await tracks())).toEqual(new Set(['ended']));
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  await page.unroute('**/submit');
  await expect(page.getByRole('heading', { name: 'Assessment Completed!' })).toBeFocused();
  letGo();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  const [row] = await adminClient.attempts(quiz);
  expect(row).toMatchObject({ status: 'completed', submissionType: 'manual', answeredCount: 1 });
});

test('the record has skipped feedback, as smile', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  const { candidate, quiz } = await signedIn(page, adminClient, 'skipped feedback');
  await candidate.begin();
  await toTheFeedback(candidate);
  await holdSignOut(page);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
  const feedback = { emoji: 'smile', skipped: true };
  await expect.poll(async () => (await adminClient.record(quiz)).feedback).toMatchObject(feedback);
});

test('the next candidate on a shared device finds nothing of the previous one', async ({
  page,
  adminClient,
}) => {
  const { candidate: first, quiz } = await signedIn(page, adminClient, 'first of two');
  await first.begin();
  await first.go(3);
  await first.options.first().click();
  await expect(first.saved).toHaveText(/^Saved/);
  await toTheFeedback(first);
  const letGo = await holdSignOut(page);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page.getByText('Assessment Completed!')).toBeVisible();
  // Also if the window is closed now, which the page allows.
  await expect
    .poll(() => page.evaluate(() => [localStorage.quizAnswers, localStorage.flaggedQuestions]))
    .toEqual([undefined, undefined]);
  letGo();
  await expect(page).toHaveURL('/login');

  const guest = await adminClient.inviteOne(quiz, 'second-of-two@example.org');
  const second = new Candidate(page, guest);
  // The open page is used again, without a reload.
  await fillSignIn(page, guest.email, guest.code);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/quiz/instructions');
  await second.begin();
  await expect(page.getByText('Question 1 of 5')).toBeVisible();
});

test('another person’s open session is ended before the test and leads to the sign-in page', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  await signedIn(page, adminClient, 'not me');
  await page.getByRole('button', { name: 'Not you? Sign out' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByLabel('Email address')).toHaveValue('');
  await page.goto('/quiz/instructions');
  await expect(page).toHaveURL('/login');
});

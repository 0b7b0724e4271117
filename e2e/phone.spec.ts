import type { BrowserContextOptions } from '@playwright/test';
import { STRICT_POLICY } from '../core/src/domain/violations/violation-policy.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdsFor } from './support/holds-for.ts';
import { signedIn } from './support/start-attempt.ts';

const IPHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  reducedMotion: 'reduce',
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
};

test('an iPhone: no camera, no double taps, and questions load again after a failure', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  consoles.expect(/net::ERR_FAILED .*\/questions|registration blocked by Playwright/);
  // A request by way of the service worker would not come to the routes below.
  const page = await visitor({ ...IPHONE, serviceWorkers: 'block' });
  const quiz = await adminClient.quiz('On an iPhone', { policy: STRICT_POLICY });
  const candidate = new Candidate(page, await adminClient.inviteOne(quiz, 'iphone@example.org'));

  await page.goto('/login');
  await expect(page.getByLabel('Email address')).toBeVisible();
  const sizes = await page
    .locator('input')
    .evaluateAll((inputs) => inputs.map((input) => getComputedStyle(input).fontSize));
  // iOS zooms in on anything smaller; zooming stays possible.
  expect(sizes).toEqual(['16px', '16px', '16px']);
  await expect(page.locator('meta[name=viewport]')).not.toHaveAttribute(
    'content',
    /maximum-scale|user-scalable/,
  );
  await candidate.signIn();

  // The questions do not come with the start, as when the start was in an earlier visit.
  await page.route('**/api/participants', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), questions: undefined } });
  });
  await page.route('**/questions?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await page.getByRole('button', { name: 'Accept & Continue' }).tap();
  await expect(page.getByRole('region', { name: 'Microphone' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Camera' })).toBeHidden();
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await expect(page.getByText('iOS detected - optimizing for mobile...')).toBeVisible();
  await expect(page.getByText('Failed to load questions')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload Page' })).toBeVisible();
  await page.unroute('**/questions?*');
  // The request is repeated after two seconds without any input.
  await expect(page.getByText('Question 1 of 5')).toBeVisible();

  const next = page.getByRole('button', { name: 'Next' });
  const place = await next.boundingBox();
  if (place === null) throw new Error('the button is there');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  // Concurrently: on a busy machine they would otherwise be two single taps.
  await Promise.all([page.touchscreen.tap(x, y), page.touchscreen.tap(x, y)]);
  await expect(page.getByText('Question 2 of 5')).toBeVisible();
  await holdsFor(400, () => expect(page.getByText('Question 2 of 5')).toBeVisible());
  await page.touchscreen.tap(x, y);
  await expect(page.getByText('Question 3 of 5')).toBeVisible();
});

test('a phone in landscape: bars take a quarter at most, nothing scrolls sideways, every option can be tapped', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor({ ...IPHONE, viewport: { width: 667, height: 375 } });
  const { candidate } = await signedIn(page, adminClient, 'On its side');
  const low = async () => {
    const height = await page.evaluate(heightOfBars);
    expect(height).toBeGreaterThan(40);
    expect(height).toBeLessThanOrEqual(375 / 4);
  };
  await expect(page.getByRole('heading', { name: 'Before you start' })).toBeVisible();
  // The success message of the sign-in is beside the button, never over it.
  await page.getByRole('button', { name: 'Start Assessment' }).tap({ trial: true });
  await low();
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await page.getByRole('button', { name: 'Accept & Continue' }).tap();
  await low();
  await page.getByRole('button', { name: 'Start Assessment' }).tap();
  await candidate.seesQuestions();
  await low();
  const wide = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  for (const size of [
    { width: 667, height: 375 },
    { width: 320, height: 568 },
  ]) {
    await page.setViewportSize(size);
    const last = candidate.options.last();
    // A click succeeds only where no other element covers the target.
    await last.tap();
    await expect(last).toBeChecked();
    await candidate.options.first().tap();
    expect(await wide()).toBeLessThanOrEqual(0);
  }
  const sheet = page.getByRole('button', { name: 'show all questions' });
  await sheet.tap();
  await candidate.bubble(3).tap();
  await expect(page.getByText('Question 3 of 5')).toBeVisible();
  // Focus moves to the question, not to the button that opened the sheet.
  await expect(candidate.question).toBeFocused();
  await sheet.tap();
  await page.getByRole('button', { name: 'Review & Submit' }).filter({ visible: true }).tap();
  await expect(page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
  expect(await wide()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 667, height: 375 });
  await low();
});

/** Runs in the page: the height of all fixed bars of full width. */
function heightOfBars(): number {
  const { clientWidth } = document.documentElement;
  return [...document.querySelectorAll('body *')]
    .filter((element) => {
      const { position, pointerEvents } = getComputedStyle(element);
      const { width } = element.getBoundingClientRect();
      // Toasts are no bars: they pass clicks through beside them and disappear.
      return /fixed|sticky/.test(position) && pointerEvents !== 'none' && width >= clientWidth / 2;
    })
    .reduce((sum, element) => sum + element.getBoundingClientRect().height, 0);
}

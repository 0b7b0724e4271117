import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { textsOf, translate, whenChanged } from '../web/src/testing/translator.ts';
import { expect, test } from './support/e2e-test.ts';
import { FakeDevices } from './support/fake-devices.ts';
import { signedIn, startAttempt } from './support/start-attempt.ts';

test('the whole journey in a page that the browser translates', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  await page.addInitScript(`const translate = ${translate}; ${whenChanged} ${textsOf}
    addEventListener('DOMContentLoaded', () => translate(document.body));`);
  const { candidate } = await signedIn(page, adminClient, 'Translated');
  // Asked not to; this one does not listen.
  await expect(page.locator('html')).toHaveAttribute('translate', 'no');
  await candidate.begin();
  const asked: string[] = [];
  for (let number = 1; number <= 5; number += 1) {
    await expect(page.getByText(`Question ${number} of 5`)).toBeVisible();
    const text = await candidate.questionText();
    expect(asked).not.toContain(text);
    asked.push(text);
    const [first = '', second = ''] = await candidate.optionTexts();
    await candidate.select(first);
    await candidate.select(second);
    await candidate.action('Flag').click();
    await candidate.action('Flag').click();
    if (number === 3) await candidate.action('Clear').click();
    if (number < 5) await candidate.action('Next').click();
  }
  await candidate.go(2);
  expect(await candidate.questionText()).toBe(asked[1]);
  await candidate.go(3);
  expect(await candidate.questionText()).toBe(asked[2]);
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await expect(page.getByText('4 of 5 questions answered')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
  await expect(page.getByRole('region', { name: 'Assessment Summary' })).toContainText('4 of 5');
});

test('a part of the page that throws takes nothing else of the journey with it', {
  tag: '@long',
}, async ({ page, adminClient, consoles }) => {
  consoles.expect(/a date cannot be written/, /The above error occurred/, /could not be shown/);
  // The time of the last save is written with it, in its own part of the page.
  await page.addInitScript(() => {
    const real = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
    Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
      get() {
        if (Reflect.get(window, 'isBroken')) throw new Error('a date cannot be written');
        return real?.get?.call(this);
      },
    });
  });
  const { candidate, observer } = await startAttempt(page, adminClient, 'Throws');
  await page.evaluate(() => Reflect.set(window, 'isBroken', true));
  for (const number of [1, 2, 3, 4, 5]) await observer.select(candidate, number, number % 3);
  await expect(candidate.saved).toHaveCount(0);
  await expect(page.getByRole('timer')).toBeVisible();
  await expect.poll(() => observer.stored()).toEqual(observer.selected);
  const { id } = await observer.attempt();
  const record = () => adminClient.record(id);
  const typesOf = ({ violations }: { violations: { type: string }[] }) =>
    violations.map(({ type }) => type);
  await expect.poll(async () => typesOf(await record())).toContain('page_failed');
  await page.evaluate(() => Reflect.set(window, 'isBroken', false));
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await expect(page.getByText('5 of 5 questions answered')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  await expect(page).toHaveURL('/quiz/thankyou');
  await observer.nothingIsLost();
});

test('of two cameras one is chosen, remembered after a reload, and in the record', {
  tag: '@long',
}, async ({ visitor, adminClient, consoles }) => {
  // Chromium lets a page that records start sound without a gesture; of these devices it knows nothing.
  consoles.expect(/AudioContext was not allowed to start/);
  const page = await visitor();
  const devices = await FakeDevices.install(page);
  await devices.haveTwoCameras();
  const { candidate, quiz } = await signedIn(page, adminClient, 'Two cameras', {
    policy: STRICT_POLICY,
  });
  await candidate.consent();
  const choice = page.getByRole('combobox', { name: 'Use this camera' });
  await expect(choice).toHaveValue('built-in');
  await choice.selectOption({ label: 'Desk camera' });
  await expect(choice).toHaveValue('desk');
  await page.reload();
  await expect(choice).toHaveValue('desk');
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
  const record = await adminClient.record(quiz);
  expect(record.deviceCheck).toMatchObject({ cameraLabel: 'Desk camera' });
});

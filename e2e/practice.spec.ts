import type { Page } from '@playwright/test';
import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { select, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { browserOf, checkScreen } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';

let admin: AdminClient;
let real: PreparedQuiz;
let warmUp: PreparedQuiz;

test.beforeAll(async ({ testServer }) => {
  admin = await AdminClient.signIn(testServer.url);
  real = await admin.quiz('The real one');
  warmUp = await admin.quiz('Warm-up');
});

/** The number of rows of what an attempt consists of, as an owner sees it. */
async function attempts(): Promise<number> {
  const list = await admin.must('listParticipants', {});
  return list.length;
}

const openPractice = async (page: Page) => {
  await page.goto(`/admin/quizzes/${warmUp.id}/settings`);
  await page.getByRole('button', { name: 'Make it a practice assessment' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make them public' }).click();
  await expect(toastOn(page)).toContainText('It is a practice assessment now');
  await expect(page.getByRole('link', { name: 'Results' })).toBeHidden();
};

test('a candidate practices as often as they like, and then takes the real one', {
  tag: '@long',
}, async ({ page, visitor }) => {
  await signInAsAdmin(page);
  await openPractice(page);
  await checkScreen(page, 'desktop', 'practice-settings');
  await page.goto(`/admin/quizzes/${real.id}/settings`);
  await select(page, 'Practice assessment for its candidates', 'Warm-up');
  await expect(toastOn(page)).toContainText('Practice saved');

  const guest = await admin.inviteOne(real, 'nervous@example.org');
  const own = await visitor(browserOf('desktop'));
  const candidate = new Candidate(own, guest);
  await candidate.signIn();
  const [practice] = await Promise.all([
    own.waitForEvent('popup'),
    own.getByRole('link', { name: 'Practice first' }).click(),
  ]);
  await expect(practice.getByRole('heading', { name: 'Warm-up' })).toBeVisible();
  await checkScreen(practice, 'desktop', 'practice-before');
  await practice.getByRole('button', { name: 'Start' }).click();
  const main = practice.getByRole('main');
  for (const [round, letter] of ['a', 'b'].entries()) {
    if (round > 0) {
      await practice.getByRole('button', { name: 'Practice again' }).click();
      await practice.getByRole('button', { name: 'Start' }).click();
    }
    await expect(practice.getByRole('timer')).toBeVisible();
    await practice.keyboard.press(letter);
    await practice.getByRole('button', { name: 'Check answer' }).click();
    await expect(main.getByText(/^(Right|Not right)$/).first()).toBeVisible();
    if (round === 0) await checkScreen(practice, 'desktop', 'practice-checked');
    await practice.keyboard.press('ArrowRight');
    await expect(main.getByText('Question 2 of 5')).toBeVisible();
    await practice.getByRole('button', { name: 'End practice' }).click();
    await expect(
      practice.getByRole('heading', { name: 'You finished the practice' }),
    ).toBeVisible();
    await expect(main.getByText(/^[01] of 5 right$/)).toBeVisible();
  }
  await checkScreen(practice, 'desktop', 'practice-over');
  expect(await attempts()).toBe(0);
  await practice.close();

  await candidate.begin();
  expect(await attempts()).toBe(1);
});

test('a phone practices, too, until the practice is withdrawn', {
  tag: '@long',
}, async ({ visitor, consoles }) => {
  consoles.expect(/status of 404/);
  const params = { id: (await admin.quiz('On a phone')).id };
  const setting = { practiceQuizId: null, dryRun: false };
  const { quiz } = await admin.must('setPractice', {
    params,
    body: { isPractice: true, ...setting },
  });
  const page = await visitor(browserOf('phone'));
  await page.goto(`/practice/${quiz.asPractice.token}`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('radio').first().click();
  await page.getByRole('button', { name: 'Check answer' }).click();
  await expect(page.getByText(/^(Right|Not right)$/).first()).toBeVisible();
  await checkScreen(page, 'phone', 'practice-checked');

  await admin.must('setPractice', { params, body: { isPractice: false, ...setting } });
  await page.reload();
  await expect(page.getByText('This practice is not available now')).toBeVisible();
  await checkScreen(page, 'phone', 'practice-gone');
});

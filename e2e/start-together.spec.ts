import type { AdminClient } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { keepData } from './support/in-languages.ts';
import { checkScreen } from './support/screen-checks.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'start-together' });

/** A hall whose candidates are signed in, each in a browser of their own. */
async function hall(
  admin: AdminClient,
  browser: import('@playwright/test').Browser,
  names: string[],
) {
  const quiz = await admin.quiz('Network Fundamentals', {
    startTogether: { by: 'button', lateMinutes: 15 },
  });
  const people: Candidate[] = [];
  for (const name of names) {
    const context = await browser.newContext();
    keepData(context);
    const page = await context.newPage();
    people.push(new Candidate(page, await admin.inviteOne(quiz, `${name}@example.org`)));
  }
  return { quiz, people };
}

const ready = async (candidate: Candidate) => {
  await candidate.signIn();
  await candidate.consent();
  await candidate.page.getByRole('button', { name: 'I am ready' }).click();
  await expect(candidate.page.getByRole('heading', { name: 'You are ready' })).toBeVisible();
};

test('a hall starts together by the button, with one who reloads, one without a connection and a late one', {
  tag: '@long',
}, async ({ page, browser, adminClient }) => {
  const names = ['ada', 'grace', 'mary', 'late'];
  const { people } = await hall(adminClient, browser, names);
  const [ada, grace, mary, late] = people;
  if (!ada || !grace || !mary || !late) throw new Error('four were invited');
  for (const candidate of [ada, grace, mary]) await ready(candidate);
  await checkScreen(grace.page, 'desktop', 'waiting-room');

  await signInAsAdmin(page);
  await page.goto('/admin/live');
  const card = page.getByRole('region', { name: 'Network Fundamentals' });
  await expect(card).toContainText('3 wait, 1 is not ready');
  await expect(card.getByRole('listitem').first()).toContainText('Not signed in');
  await checkScreen(page, 'desktop', 'live-hall');

  // A reload waits on, and ends fullscreen, into which only a press leads back.
  await grace.page.reload();
  await expect(grace.page.getByRole('heading', { name: 'You are ready' })).toBeVisible();
  await grace.page.getByRole('button', { name: 'Enter fullscreen' }).click();
  await expect(grace.page.getByText('You have left fullscreen')).toHaveCount(0);
  await mary.page.context().setOffline(true);
  // Nobody has a question before.
  for (const { page: waiting } of [ada, grace, mary]) {
    await expect(waiting).toHaveURL('/quiz/permissions');
  }

  await card.getByRole('button', { name: 'Start for all who wait' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start for all who wait' });
  await expect(dialog).toContainText('1 is not ready');
  await expect(dialog).toContainText('late@example.org');
  await dialog.getByRole('button', { name: 'Start now' }).click();
  await expect(card).toContainText('Started. Those who are late can start until');
  for (const candidate of [ada, grace]) await candidate.seesQuestions();
  await expect(mary.page).toHaveURL('/quiz/permissions');
  await mary.page.context().setOffline(false);
  await mary.seesQuestions();

  // Who is late starts alone, with all of the time.
  await late.signIn();
  await late.begin();
  await expect(late.page.getByRole('timer')).toContainText(/2[45]:\d\d/);
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'late@example.org', exact: true })).toBeVisible();
  for (const candidate of people) await candidate.page.context().close();
});

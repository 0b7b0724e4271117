import type { Page } from '@playwright/test';
import type { AdminClient, PreparedQuiz } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';

/** A candidate in an assessment, and the id of the attempt. */
async function writing(page: Page, adminClient: AdminClient, quiz: PreparedQuiz, email: string) {
  const candidate = new Candidate(page, await adminClient.inviteOne(quiz, email));
  await candidate.signIn();
  await candidate.begin();
  const [row] = await adminClient.attempts(quiz);
  return { candidate, id: String(row.id) };
}

const secondsShown = async (page: Page) => {
  const [minutes = 0, seconds = 0] = ((await page.getByRole('timer').textContent()) ?? '')
    .split(':')
    .map(Number);
  return minutes * 60 + seconds;
};

test('a message, extra time and an end by an administrator reach the candidate within five seconds', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const page = await visitor();
  const quiz = await adminClient.quiz('News');
  const { candidate, id } = await writing(page, adminClient, quiz, 'news@example.org');
  await candidate.options.nth(1).click();
  await expect(candidate.saved).toHaveText(/^Saved \d/);
  const soon = { timeout: 5_000 };

  await adminClient.must('sendMessage', {
    params: { id },
    body: { text: 'Stay at your desk.' },
  });
  const panel = page.getByRole('region', { name: 'From the administrator' });
  await expect(panel).toContainText('Message from the administrator', soon);
  await expect(panel).toContainText('Stay at your desk.');
  await expect(
    page
      .getByRole('status')
      .filter({ hasText: 'Message from the administrator: Stay at your desk.' }),
  ).toBeAttached();
  // The focus is still on the answer, and its keys still work.
  await expect(candidate.options.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(candidate.options.nth(2)).toBeChecked();

  // One after the other, each with its own OK; the message stays in the list.
  const ok = async () => {
    await panel.getByRole('button', { name: 'OK' }).focus();
    await page.keyboard.press('Enter');
  };
  await ok();
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Messages (1)' })).toBeVisible();

  const before = await secondsShown(page);
  await adminClient.must('extendParticipant', {
    params: { id },
    body: { minutes: 5, reason: 'Alarm' },
  });
  await expect(panel).toContainText('The administrator added 5 minutes.', soon);
  // The timer shows it with its next second.
  const gained = async () => (await secondsShown(page)) - before;
  await expect.poll(gained, soon).toBeGreaterThan(280);
  expect(await gained()).toBeLessThanOrEqual(300);

  await ok();
  await expect(panel).toBeHidden();
  await expect(candidate.options.nth(2)).toBeFocused();
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await expect(candidate.options.nth(2)).toBeChecked();
  await expect(panel).toBeHidden();

  await holdSignOut(page);
  await adminClient.must('endParticipant', { params: { id }, body: { reason: 'Evacuation' } });
  // The browser has ten seconds to send what it holds.
  await expect(panel).toContainText('The administrator is ending your assessment', soon);
  await expect(panel).toContainText(/It ends within \d+ seconds\. What has reached the server/);
  await expect(page).toHaveURL('/quiz/thankyou');
  const end = await readLastPage(page, 'Assessment Ended');
  expect(end.lines).toContain('Your assessment was ended by the administrator.');
  expect(end.facts).toMatchObject({ 'Questions Answered': '1 of 5' });
  const [row] = await adminClient.attempts(quiz);
  expect(row).toMatchObject({ status: 'completed', submissionType: 'database', answeredCount: 1 });
});

test('those who wait for the opening see when it is moved, and can start at the moment itself', {
  tag: '@long',
}, async ({ visitor, adminClient }) => {
  const pages = [await visitor(), await visitor()];
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
  const quiz = await adminClient.quiz('Opening', { opensAt: inSeconds(3_600) });
  const start = (page: Page) => page.getByRole('button', { name: 'Start Assessment' });
  for (const [i, page] of pages.entries()) {
    const candidate = new Candidate(page, await adminClient.inviteOne(quiz, `o${i}@example.org`));
    await candidate.signIn();
    await expect(page.getByText('Opens', { exact: true })).toBeVisible();
    await candidate.consent();
    await expect(page.getByText(/^Opens .* at /)).toBeVisible();
    await expect(page.getByText(/unlocks by itself in (1:00:00|59:\d\d)/)).toBeVisible();
    await expect(start(page)).toBeDisabled();
  }
  await adminClient.change(quiz, { opensAt: inSeconds(5) });
  for (const page of pages) {
    await expect(page.getByText(/unlocks by itself in 00:0\d/)).toBeVisible({ timeout: 3_000 });
  }
  for (const page of pages) {
    await expect(start(page)).toBeEnabled({ timeout: 10_000 });
    await start(page).click();
    await expect(page.getByRole('timer')).toBeVisible();
  }
});

import type { Page } from '@playwright/test';
import { browserOf, look, type Size, visit } from './support/album.ts';
import { ADMIN, mailServer } from './support/house-settings.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/stories.ts';

test.use({ database: 'empty' });
test.describe.configure({ timeout: 240_000 });

const OUTBOX = '/admin/settings/outbox';
const NETWORKS = 'Network Fundamentals';

test('a platform on which nothing has happened yet', async ({ visitor, house, desk }) => {
  const pages: [Size, Page][] = [];
  for (const size of ['desktop', 'phone'] as const) {
    const page = await visitor(browserOf(size));
    pages.push([size, page]);
    await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
    await expect(page.getByText('No scorers data available')).toBeVisible();
    await look(page, size, 'dashboard-empty');
    await visit(page, size, '/admin/categories', 'No categories yet.', 'categories-empty');
    await visit(page, size, '/admin/quizzes', 'No Assessment created yet.', 'assessments-empty');
    await visit(page, size, '/admin/participants', 'No participants found.', 'participants-empty');
    await visit(page, size, OUTBOX, 'No messages yet.', 'settings-empty');
  }
  const quiz = await desk.quiz(NETWORKS, {}, []);
  await desk.invite(quiz, 'waiting@example.org', 'patient@example.org');
  for (const [size, page] of pages) {
    await visit(page, size, OUTBOX, 'waiting@example.org', 'settings-outbox-waiting');
    await page.getByRole('button', { name: 'Open message to waiting@example.org' }).click();
    await expect(page.getByText('One-time password:')).toBeVisible();
    await look(page, size, 'outbox-message', { whole: false });
    await page.goto('/admin/quizzes');
    await page.getByRole('button', { name: `Invite to ${NETWORKS}` }).click();
    await page.getByLabel('Email addresses').fill('waiting@example.org\nnot an address');
    await page.getByRole('button', { name: 'Send Invitations' }).click();
    await expect(page.getByText('No mail server is configured yet.')).toBeVisible();
    await look(page, size, 'invite-results-without-mail', { whole: false });
  }
  await desk.must('putSmtpSettings', { body: mailServer(house.sink.port) });
  await expect.poll(() => house.sink.mails.length).toBe(2);
  for (const [size, page] of pages) {
    await visit(page, size, OUTBOX, 'Sent', 'settings-mail-sent');
  }
});

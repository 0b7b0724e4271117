import type { Page } from '@playwright/test';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN_SIZES, browserOf, checkScreen, type Size, visit } from './support/screen-checks.ts';
import { ADMIN, mailServer } from './support/server-settings.ts';
import { signIn } from './support/sign-in.ts';

test.use({ database: 'empty' });

const OUTBOX = '/admin/settings/outbox';
const NETWORKS = 'Network Fundamentals';

test('screens of an empty platform are accessible', async ({
  visitor,
  testServer,
  adminClient,
}) => {
  const pages: [Size, Page][] = [];
  for (const size of ADMIN_SIZES) {
    const page = await visitor(browserOf(size));
    pages.push([size, page]);
    await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
    await expect(page.getByText('No scorers data available')).toBeVisible();
    await checkScreen(page, size, 'dashboard-empty');
    await visit(page, size, '/admin/categories', 'No categories yet.', 'categories-empty');
    await visit(page, size, '/admin/quizzes', 'No Assessment created yet.', 'assessments-empty');
    await visit(page, size, '/admin/participants', 'No participants found.', 'participants-empty');
    await visit(page, size, OUTBOX, 'No messages yet.', 'settings-empty');
  }
  const quiz = await adminClient.quiz(NETWORKS, {}, []);
  await adminClient.invite(quiz, 'waiting@example.org', 'patient@example.org');
  for (const [size, page] of pages) {
    await visit(page, size, OUTBOX, 'waiting@example.org', 'settings-outbox-waiting');
    await page.getByRole('button', { name: 'Open message to waiting@example.org' }).click();
    await expect(page.getByText('One-time password:')).toBeVisible();
    await checkScreen(page, size, 'outbox-message', { whole: false });
    await page.goto('/admin/quizzes');
    await page.getByRole('button', { name: `Invite to ${NETWORKS}` }).click();
    await page.getByLabel('Email addresses').fill('waiting@example.org\nnot an address');
    await page.getByRole('button', { name: 'Send Invitations' }).click();
    await expect(page.getByText('No mail server is configured yet.')).toBeVisible();
    await checkScreen(page, size, 'invite-results-without-mail', { whole: false });
  }
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  await expect.poll(() => testServer.sink.mails.length).toBe(2);
  for (const [size, page] of pages) {
    await visit(page, size, OUTBOX, 'Sent', 'settings-mail-sent');
  }
});

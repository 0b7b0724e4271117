import type { Page } from '@playwright/test';
import { expect, test } from './support/e2e-test.ts';
import { ADMIN_SIZES, browserOf, checkScreen, type Size, visit } from './support/screen-checks.ts';
import { ADMIN, mailServer } from './support/server-settings.ts';
import { signIn } from './support/sign-in.ts';

test.use({ database: 'password' });

const NETWORKS = 'Network Fundamentals';

test('password reset and confirmation screens are accessible', async ({
  visitor,
  testServer,
  adminClient,
  consoles,
}) => {
  consoles.expect(/status of 403 .*\/api\/(admins|outbox)/);
  const sizes: [Size, Page][] = [];
  for (const size of ADMIN_SIZES) {
    const page = await visitor(browserOf(size));
    sizes.push([size, page]);
    await visit(page, size, '/login', 'Forgot or lost your password?', 'login');
    await page.getByRole('link', { name: 'Forgot or lost' }).click();
    await expect(page.getByText('npm run admin:reset-password')).toBeVisible();
    await checkScreen(page, size, 'reset-password-by-operator');
  }
  const quiz = await adminClient.quiz(NETWORKS, {}, []);
  await adminClient.invite(quiz, 'waiting@example.org');
  // Nothing listens there, so messages stay queued.
  await adminClient.must('putSmtpSettings', { body: mailServer(1) });
  for (const [size, page] of sizes) {
    await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
    await page.goto('/admin/settings/outbox');
    await page.getByRole('button', { name: 'Open message to waiting@example.org' }).click();
    await expect(page.getByText('the other administrators get an email')).toBeVisible();
    await checkScreen(page, size, 'outbox-message-sealed', { whole: false });
    const sealed = page.getByRole('dialog');
    await sealed.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await sealed.getByRole('button', { name: 'Read message' }).click();
    await expect(page.getByText('One-time password:')).toBeVisible();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'General' }).click();
    await expect(page.getByRole('list', { name: 'Administrators' })).toBeVisible();
    // The answer is that of fifteen minutes after the sign-in.
    const refusal = { statusCode: 403, error: 'Forbidden', code: 'CONFIRM_PASSWORD' };
    await page.route(
      '**/api/admins',
      (route) => route.fulfill({ status: 403, json: { ...refusal, message: 'Confirm' } }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Add Admin' }).click();
    const adding = page.getByRole('dialog', { name: 'Add Admin' });
    await adding.getByLabel('Email').fill(`second-${size}@example.org`);
    await adding.getByLabel('Password', { exact: true }).fill('granite lantern otter');
    await adding.getByRole('button', { name: 'Add Admin' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' });
    await expect(confirm).toBeVisible();
    await checkScreen(page, size, 'confirm-password', { whole: false });
    await confirm.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText(`second-${size}@example.org`).first()).toBeVisible();
  }
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  for (const size of ADMIN_SIZES) {
    const page = await visitor(browserOf(size));
    await visit(page, size, '/reset-password', 'Candidates get an email', 'reset-password');
    testServer.sink.mails.length = 0;
    await page.getByLabel('Email address').fill(`second-${size}@example.org`);
    await page.getByRole('button', { name: 'Send email' }).click();
    await expect(page.getByText('Check your email')).toBeVisible();
    await checkScreen(page, size, 'reset-password-sent');
    const linkIn = () =>
      testServer.sink.mails
        .map(({ mail }) => /\/reset-password#\S+/.exec(mail.text ?? '')?.[0])
        .find((link) => link !== undefined);
    await expect.poll(linkIn).toBeDefined();
    await page.goto('about:blank');
    await page.goto(`${testServer.url}${linkIn()}`);
    await page.getByLabel('New password').fill('quiet harbor marble');
    await checkScreen(page, size, 'reset-password-new');
    await page.getByRole('button', { name: 'Set password' }).click();
    // Nobody has signed in with the first one.
    await expect(page.getByText('Your password is set')).toBeVisible();
    await checkScreen(page, size, 'reset-password-done');
    const second = `second-${size}@example.org`;
    await signIn(page, second, 'quiet harbor marble', '/admin/dashboard');
    await expect(page.getByText('No scorers data available')).toBeVisible();
  }
});

import { createServer } from 'node:net';
import { setTimeout as passes } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { download } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { parseCsv } from './support/question-file.ts';
import { ADMIN } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'settings' });

test.beforeEach(async ({ page }) => {
  await signInAsAdmin(page);
  await page.goto('/admin/settings');
});

test('administrators are added, refused and deleted, with a reason where one cannot be', async ({
  page,
  adminClient,
  consoles,
}) => {
  consoles.expect(/status of (409|404|400) .*\/api\/admins/);
  const card = region(page, 'Admin Management');
  const list = card.getByRole('list', { name: 'Administrators' });
  // As stored: midnight may have passed since.
  const createdOn = async (email: string) => {
    const admins = await adminClient.must('listAdmins', {});
    const { createdAt = '' } =
      admins.find((admin: { email: string }) => admin.email === email) ?? {};
    const day = { dateStyle: 'medium', timeZone: 'Europe/Berlin' } as const;
    return `Created ${new Intl.DateTimeFormat('en-GB', day).format(new Date(createdAt))}`;
  };
  await expect(list.getByRole('listitem')).toHaveText(
    `${ADMIN.email} (you)${await createdOn(ADMIN.email)} · last sign-in just now`,
  );
  const own = list.getByRole('button', { name: `Delete ${ADMIN.email}` });
  await expect(own).toBeDisabled();
  await expect(own).toHaveAccessibleDescription('The last administrator cannot be deleted');

  await card.getByRole('button', { name: 'Add Admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Admin' });
  await dialog.getByLabel('Email').fill(ADMIN.email.toUpperCase());
  await dialog.getByLabel('Password', { exact: true }).fill('short');
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog.getByText('At least 12 characters', { exact: true })).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill('another quiet desk');
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  const toast = page.locator('[data-toast]');
  await expect(toast).toHaveText('Failed to create adminPlease check the data and try again.');
  await expect(toast).toHaveRole('alert');
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription(
    'An administrator with this address already exists',
  );
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('another quiet desk');
  await dialog.getByLabel('Email').fill('second@example.org');
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog).toBeHidden();
  await expect(list.getByRole('listitem').nth(1)).toHaveText(
    `second@example.org${await createdOn('second@example.org')} · never signed in`,
  );
  await expect(own).toHaveAccessibleDescription('You cannot delete your own account');

  await list.getByRole('button', { name: 'Delete second@example.org' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await expect(confirm).toContainText('second@example.org');
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(toast).toHaveText('Admin deletedsecond@example.org');
  await expect(list.getByRole('listitem')).toHaveCount(1);

  // Another administrator was faster.
  const third = await adminClient.must('createAdmin', {
    body: { email: 'third@example.org', password: 'another quiet desk' },
  });
  await page.reload();
  await list.getByRole('button', { name: 'Delete third@example.org' }).click();
  await adminClient.must('deleteAdmin', { params: { id: third.id } });
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(toast).toContainText('Failed to delete admin');
});

test('an administrator changes their password; a wrong current one is reported at its field', {
  tag: '@long',
}, async ({ page, consoles }) => {
  consoles.expect(/status of 4\d\d .*\/password/);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Current password').fill('not this one');
  await dialog.getByLabel('New password').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.locator('[data-toast]')).toContainText('Failed to change the password');
  await expect(dialog.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByLabel('New password')).toHaveValue(ADMIN.password);
  await dialog.getByLabel('Current password').fill(ADMIN.password);
  // After a wrong one the next is delayed by a second, as at the sign-in.
  await passes(1_100);
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator('[data-toast]')).toHaveText(
    'Password changedYou have been signed out on other devices.',
  );
});

test('the mail server: every field is required, refused at its place, tried with a test message', async ({
  page,
  testServer,
  consoles,
}) => {
  const card = region(page, 'SMTP Email Configuration');
  const system = region(page, 'System Information');
  await expect(system).toContainText('Not Configured');
  await expect(card.getByLabel('Port')).toHaveValue('587');
  await card.getByLabel('Port').fill('');
  const save = card.getByRole('button', { name: 'Save SMTP settings' });
  await save.click();
  for (const [label, problem] of [
    ['Host', 'Enter a host'],
    ['Port', 'Enter a port'],
    ['Username', 'Enter a username'],
    ['Password', 'Enter a password'],
    ['From Email', 'Enter an email address'],
  ] as const) {
    await expect(card.getByLabel(label, { exact: true })).toHaveAccessibleDescription(problem);
  }
  await expect(card.getByLabel('Host')).toBeFocused();

  await card.getByLabel('Host').fill('169.254.169.254');
  await card.getByLabel('Port').fill('587');
  await card.getByLabel('Username').fill('invigil');
  await card.getByLabel('Password', { exact: true }).fill('a secret of the mail server');
  await card.getByLabel('From Email').fill('assessments@example.org');
  consoles.expect(/status of 4\d\d .*\/api\/smtp-settings/);
  await save.click();
  const toast = page.locator('[data-toast]');
  await expect(toast).toHaveText(
    'Failed to update SMTP settingsPlease check your configuration and try again.',
  );
  await expect(card.getByLabel('Host')).toHaveAttribute('aria-invalid', 'true');
  await expect(card.getByLabel('Password', { exact: true })).toHaveValue(
    'a secret of the mail server',
  );

  // Leaving with unsaved input asks for confirmation.
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL('/admin/settings');

  await card.getByLabel('Host').fill('127.0.0.1');
  await card.getByLabel('Port').fill(String(await closedPort()));
  await save.click();
  await expect(toast).toContainText('SMTP settings updated');
  await expect(card.getByLabel('Password', { exact: true })).toHaveValue('');
  await card.getByRole('button', { name: 'Send test message' }).click();
  await expect(card.getByRole('alert')).toContainText('No connection to the server');

  await card.getByLabel('Port').fill(String(testServer.sink.port));
  await save.click();
  await expect(
    card.getByText('Enter the password again: host, port or username changed'),
  ).toHaveCount(1);
  await card.getByLabel('Password', { exact: true }).fill('a secret of the mail server');
  await save.click();
  await expect(card.getByText('Save first')).toHaveCount(0);
  await card.getByLabel('Test message to').fill('operator@example.org');
  await card.getByRole('button', { name: 'Send test message' }).click();
  await expect(card.getByRole('status')).toContainText('The mail server accepted the message.');
  await expect.poll(() => testServer.sink.mails.length).toBe(1);
  await page.reload();
  await expect(system).not.toContainText('Not Configured');
  await expect(system).toContainText('Configured');
});

test('mail settings are read again on return, and typed input stays', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  const settings = {
    host: 'mail.example.org',
    port: 587,
    username: 'invigil',
    password: 'a secret of the mail server',
    fromEmail: 'assessments@example.org',
    isActive: true,
  };
  await adminClient.must('putSmtpSettings', { body: settings });
  await page.reload();
  const card = region(page, 'SMTP Email Configuration');
  await expect(card.getByLabel('Host')).toHaveValue('mail.example.org');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  // The URL changes at once, the screen only when the code of the next one is loaded.
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible();
  await adminClient.must('putSmtpSettings', { body: { ...settings, host: 'post.example.org' } });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/api/smtp-settings', async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.fallback();
  });
  await page.getByRole('link', { name: 'Settings' }).click();
  await card.getByLabel('From Email').fill('exams@example.org');
  letGo();
  await expect(card.getByLabel('Host')).toHaveValue('post.example.org');
  await expect(card.getByLabel('From Email')).toHaveValue('exams@example.org');

  // Typed while it is being saved.
  await page.unrouteAll();
  const saving = Promise.withResolvers<void>();
  await page.route('**/api/smtp-settings', async (route) => {
    if (route.request().method() === 'PUT') await saving.promise;
    await route.fallback();
  });
  await card.getByRole('button', { name: 'Save SMTP settings' }).click();
  await card.getByLabel('Username').fill('someone else');
  saving.resolve();
  await expect(page.locator('[data-toast]')).toContainText('SMTP settings updated');
  await expect(card.getByLabel('Username')).toHaveValue('someone else');
  await expect(card.getByLabel('From Email')).toHaveValue('exams@example.org');
  await expect(card.getByRole('button', { name: 'Undo changes' })).toBeVisible();
  await card.getByRole('button', { name: 'Undo changes' }).click();
  await expect(card.getByLabel('Username')).toHaveValue('invigil');
});

test('System Information shows the actual state; a shorter retention needs confirmation', {
  tag: '@long',
}, async ({ page }) => {
  const system = region(page, 'System Information');
  await expect(line(system, 'Platform version')).toHaveText('1.0.0');
  await expect(line(system, 'Database')).toHaveText(
    /^ConnectedPostgreSQL 1\d.*, embedded, .* MiB$/,
  );
  await expect(line(system, 'Admin accounts')).toHaveText('1');
  await expect(line(system, 'Email service')).toHaveText(/^(Not )?Configured$/);
  await expect(system.getByRole('heading', { name: 'Security features' })).toBeVisible();
  // Served without HTTPS here, which is shown.
  await expect(
    system.getByRole('listitem').filter({ hasText: 'Encrypted connection' }),
  ).toContainText('Not active');
  await expect(
    system.getByRole('listitem').filter({ hasText: 'Administrator passwords' }),
  ).toContainText('Active');
  await expect(system.getByRole('link', { name: 'API documentation' })).toHaveAttribute(
    'href',
    '/api/docs',
  );

  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Security and data' })
    .click();
  await expect(page).toHaveURL('/admin/settings/security');
  const card = region(page, 'Retention');
  const days = card.getByLabel('Keep monitoring data for (days)');
  await expect(days).toHaveValue('90');
  const save = card.getByRole('button', { name: 'Save retention' });
  await expect(save).toBeDisabled();
  await days.fill('0');
  await save.click();
  await expect(days).toHaveAccessibleDescription('1 to 3650 days');
  await days.fill('120');
  await save.click();
  await expect(page.locator('[data-toast]')).toContainText('Retention saved');
  await days.fill('30');
  await save.click();
  const asks = page.getByRole('alertdialog', { name: 'Keep monitoring data for a shorter time?' });
  await asks.getByRole('button', { name: 'Shorten retention' }).click();
  await expect(asks).toBeHidden();
  await page.reload();
  await expect(days).toHaveValue('30');
});

test('the audit log is searched, paged and exported', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  for (let n = 1; n <= 11; n += 1) await adminClient.category(`Category ${n}`);
  await page.goto('/admin/settings/audit');
  const log = region(page, 'Audit log');
  const entries = log.getByRole('list', { name: 'Audit entries' }).getByRole('listitem');
  await expect(entries).toHaveCount(10);
  await expect(entries.first()).toContainText('Created a category');
  await expect(entries.first()).toContainText('Category: Category 11');
  await expect(entries.first()).toContainText(ADMIN.email);
  await log.getByRole('searchbox').fill('category.created');
  await log.getByRole('button', { name: 'Search' }).click();
  await expect(log.getByRole('status')).toHaveText(/^11 entries/);
  await log.getByRole('button', { name: 'Page 2' }).click();
  await expect(entries).toHaveCount(1);

  const { text } = await download(log.getByRole('button', { name: 'Download CSV' }));
  const [, ...rows] = parseCsv(text);
  expect(rows).toHaveLength(11);
  await log.getByRole('searchbox').fill('nothing like this');
  await log.getByRole('button', { name: 'Search' }).click();
  await expect(log.getByText('No entry matches this search.')).toBeVisible();
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The value of a term in a description list. */
const line = (card: Locator, term: string) =>
  card.locator('dl > div').filter({ hasText: term }).locator('dd');

/** A port on which no one listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 1;
}

test('the API documentation opens in the browser', { tag: '@long' }, async ({ page }) => {
  await page.goto('/api/docs');
  await page.getByRole('button', { name: /^POST \/api\/auth\/login/ }).click();
  await expect(page.getByText('Request body')).toBeVisible();
  await expect(page.getByText('Failed to load API definition')).toHaveCount(0);
});

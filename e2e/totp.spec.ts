import { setTimeout as passes } from 'node:timers/promises';
import { shownCode } from '@invigil/testkit/factories';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/e2e-test.ts';
import { browserOf, checkScreen } from './support/screen-checks.ts';
import { ADMIN } from './support/server-settings.ts';
import { fillSignIn, signIn, signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'totp' });

const PERIOD_MS = 30_000;

/** A code that is still valid when it arrives: near the end of a period it waits for the next. */
async function codeFor(secret: string, periods: number): Promise<string> {
  const left = PERIOD_MS - (Date.now() % PERIOD_MS);
  if (left < 6_000) await passes(left + 200);
  return shownCode(secret, new Date(), periods);
}

const keyOn = async (within: Locator | Page) =>
  ((await within.locator('[data-totp-key]').textContent()) ?? '').replaceAll(' ', '');

const codesOn = (within: Locator | Page) =>
  within.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
}

async function takeFirstStep(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, email, password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('two-step sign-in is set up, used, recovered, required of all, reset and turned off', {
  tag: '@long',
}, async ({ visitor, consoles }) => {
  consoles.expect(/status of 4\d\d .*\/(totp|second-step|sign-in-policy)/, /status of 403 /);
  const page = await visitor(browserOf('desktop'));
  await signInAsAdmin(page);
  await page.goto('/admin/settings/security');
  const card = page.getByRole('region', { name: 'Two-step sign-in' });
  const required = card.getByRole('checkbox', { name: 'Required for all administrators' });
  await expect(required).toBeDisabled();
  await card.getByRole('link', { name: 'Set up two-step sign-in' }).click();
  await expect(page).toHaveURL('/admin/account');
  await expect(card).toContainText('Off');

  await card.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Current password')).toBeFocused();
  await page.keyboard.type('not this one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Current password')).toHaveAccessibleDescription(
    'The current password is incorrect',
  );
  await dialog.getByLabel('Current password').fill(ADMIN.password);
  // The attempt after a wrong one is delayed by a second.
  await passes(1_100);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('img', { name: 'QR code with the key' })).toBeVisible();
  const secret = await keyOn(dialog);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await expect(dialog.getByLabel('Code')).toBeFocused();
  await checkScreen(page, 'desktop', 'two-step-set-up', { whole: false });
  await page.keyboard.type(await codeFor(secret, -1));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Two-step sign-in is on' })).toBeVisible();
  const recovery = await codesOn(dialog);
  expect(recovery).toHaveLength(10);
  await checkScreen(page, 'desktop', 'two-step-recovery-codes', { whole: false });
  await dialog.getByRole('button', { name: 'I have stored them' }).click();
  await expect(card).toContainText('10 recovery codes are left.');

  // The second step by keyboard, first wrong, then correct.
  await signOut(page);
  await takeFirstStep(page, ADMIN.email, ADMIN.password);
  const code = page.getByLabel('Code', { exact: true });
  await expect(code).toBeFocused();
  await expect(page.getByText(`Two-step sign-in for ${ADMIN.email}`)).toBeVisible();
  await checkScreen(page, 'desktop', 'login-second-step');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(code).toHaveAccessibleDescription('This code is incorrect or has already been used');
  await expect(code).toBeFocused();
  await passes(1_100);
  await page.keyboard.type(await codeFor(secret, 0));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin/dashboard');
  await expect(page.locator('[data-toast]')).toHaveText(`Login successfulWelcome ${ADMIN.email}`);

  // The administrator has a phone, and not the app.
  const phone = await visitor(browserOf('phone'));
  await takeFirstStep(phone, ADMIN.email, ADMIN.password);
  await phone.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(phone.getByLabel('Recovery code')).toBeFocused();
  await checkScreen(phone, 'phone', 'login-second-step');
  await phone.getByLabel('Recovery code').fill(recovery[0]?.toLowerCase() ?? '');
  await phone.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(phone).toHaveURL('/admin/dashboard');
  await phone.goto('/admin/account');
  await expect(phone.getByText('9 recovery codes are left.')).toBeVisible();

  // Required of all: administrators without it set it up first, even if a page is open.
  await page.goto('/admin/settings');
  await addAdmin(page, 'second@example.org', 'another quiet desk');
  const other = await visitor(browserOf('phone'));
  await signIn(other, 'second@example.org', 'another quiet desk', '/admin/dashboard');
  await page.goto('/admin/settings/security');
  await required.check();
  await expect(page.locator('[data-toast]')).toHaveText('Two-step sign-in is required for all');
  await other.goto('/admin/quizzes');
  await expect(other.getByRole('heading', { name: 'Set up two-step sign-in' })).toBeVisible();
  await checkScreen(other, 'phone', 'two-step-required');
  await other.getByLabel('Current password').fill('another quiet desk');
  await other.getByRole('button', { name: 'Continue' }).click();
  const otherSecret = await keyOn(other);
  await other.getByLabel('Code').fill(await codeFor(otherSecret, -1));
  await other.getByRole('button', { name: 'Turn on' }).click();
  await expect(other.getByRole('heading', { name: 'Two-step sign-in is on' })).toBeVisible();
  expect(await codesOn(other)).toHaveLength(10);
  await other.getByRole('button', { name: 'I have stored them' }).click();
  await expect(other.getByRole('heading', { name: 'Assessment Management' })).toBeVisible();

  // Requests of the open page would be refused after the reset.
  await other.goto('about:blank');
  // Lost: another administrator resets it, and the owner is signed out.
  await page.reload();
  await required.uncheck();
  await page.goto('/admin/settings');
  await page.getByRole('button', { name: 'Reset two-step sign-in of second@example.org' }).click();
  const question = page.getByRole('alertdialog', { name: 'Reset two-step sign-in?' });
  await question.getByRole('button', { name: 'Reset' }).click();
  await expect(page.locator('[data-toast]')).toHaveText('Two-step sign-in resetsecond@example.org');
  await signIn(other, 'second@example.org', 'another quiet desk', '/admin/dashboard');

  // Turning it off takes both steps and ends the phone's session, so requests of its page would be refused.
  await phone.goto('about:blank');
  await page.goto('/admin/account');
  await card.getByRole('button', { name: 'Turn off' }).click();
  const off = page.getByRole('dialog', { name: 'Turn off two-step sign-in' });
  await off.getByLabel('Current password').fill(ADMIN.password);
  await off.getByLabel('Code').fill(recovery[1] ?? '');
  await off.getByRole('button', { name: 'Turn off' }).click();
  await expect(off).toBeHidden();
  await expect(card.getByRole('button', { name: 'Set up' })).toBeVisible();
});

async function addAdmin(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Add Admin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Admin' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Add Admin' }).click();
  await expect(dialog).toBeHidden();
}

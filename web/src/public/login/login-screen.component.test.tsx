import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../testing/shown.tsx';
import { LoginScreen } from './login-screen.tsx';

let container: HTMLElement;
beforeEach(async () => {
  ({ container } = await show(<LoginScreen />));
});

test('title, subtitle, note and button of the sign-in page', async () => {
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Assessment Login', exact: true }))
    .toBeVisible();
  const words = wordsIn(container);
  expect(words).toContain('Assessment Login Sign in to your account');
  expect(words).toContain('Use the one-time password provided in your email invitation.');
  expect(words).toMatch(/Sign In Administrator and forgot your password\?$/);
});

test('an email field, a password that can be shown, and a captcha with code, refresh and input', async () => {
  const email = page.getByRole('textbox', { name: /email/i });
  await expect.element(email).toHaveAttribute('type', 'email');
  const password = page.getByLabelText('Password', { exact: true });
  await expect.element(password).toHaveAttribute('type', 'password');
  await password.fill('K7QM2');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
  await expect.element(password).toHaveValue('K7QM2');
  const captcha = page.getByRole('textbox', { name: /captcha/i });
  await expect.element(captcha).toHaveAttribute('type', 'text');
  for (const field of [email, password, captcha]) await expect.element(field).toBeRequired();

  const code = () => container.querySelector('output')?.textContent;
  const before = code();
  expect(before).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
  await page.getByRole('button', { name: 'New captcha code' }).click();
  await expect.poll(code).not.toBe(before);
  expect(code()).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
});

import { expect, type Page } from '@playwright/test';
import { ADMIN } from './server-settings.ts';

/** Fills in the sign-in page; the captcha is read from the screen. */
export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Captcha', { exact: true }).fill(await shownCaptcha(page));
}

export async function shownCaptcha(page: Page): Promise<string> {
  const shown = (await page.getByLabel(/^Captcha code/).textContent()) ?? '';
  expect(shown).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
  return shown;
}

/** Signs in through the screen and waits for the page that follows. */
export async function signIn(
  page: Page,
  email: string,
  password: string,
  leadsTo: string | RegExp,
): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, email, password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(leadsTo);
}

/** Signs in an administrator without the screen, for tests of other screens. */
export async function signInAsAdmin(page: Page): Promise<void> {
  const answer = await page.request.post('/api/auth/login', { data: ADMIN });
  expect(answer.status()).toBe(200);
}

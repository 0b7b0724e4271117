import { expect, type Page } from '@playwright/test';
import { said } from './said.ts';
import { ADMIN } from './server-settings.ts';

/** Fills in the sign-in page, which is in the language of `say`; the captcha is read from the screen. */
export async function fillSignIn(
  page: Page,
  email: string,
  password: string,
  say = said('en'),
): Promise<void> {
  const field = (id: string) => page.getByLabel(say(id), { exact: true });
  await field('login.emailAddress').fill(email);
  await field('login.password').fill(password);
  await field('login.captcha').fill(await shownCaptcha(page, say));
}

export async function shownCaptcha(page: Page, say = said('en')): Promise<string> {
  const label = say('login.captchaCode', { code: '' }).trim();
  const shown = (await page.getByLabel(label).textContent()) ?? '';
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

/*
 * `npm run screenshots -- --readme`: the pictures of README.md, taken from the demonstration
 * (`npm start -- --demo`).
 */
import { type RunningServer, startServer } from '@invigil/testkit/running-server';
import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Page,
  test,
} from '@playwright/test';

const FOLDER = 'docs/pictures';
const ADMIN = { email: 'alex.morgan@example.org', password: 'a password for pictures only' };
const LAPTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

test('the pictures of README.md', async ({ browser }) => {
  test.setTimeout(300_000);
  const server = await startServer({
    web: true,
    args: ['--demo'],
    env: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, LOG_LEVEL: 'info' },
  });
  try {
    await takeAdministratorPictures(browser, server);
    await takeCandidatePictures(browser, server);
  } finally {
    await server.stop();
    server.removeData();
  }
});

async function takeAdministratorPictures(browser: Browser, { url }: RunningServer): Promise<void> {
  const page = await signedIn(browser, url, ADMIN, LAPTOP);
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('heading', { name: 'Recent Activity' })).toBeVisible();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  await take(page, 'dashboard');
  await page.goto('/admin/live');
  await expect(page.getByRole('main').getByRole('checkbox').nth(1)).toBeVisible();
  await take(page, 'live');
  await page.goto('/admin/participants?review=open&status=dismissed');
  await page.locator('main a[href^="/admin/participants/"]').first().click();
  await page.getByRole('heading', { name: 'Evidence', exact: true }).scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: /^Open all/ }).click();
  await expect(page.locator('main img').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await take(page, 'record');
  await page.context().close();
}

async function takeCandidatePictures(browser: Browser, server: RunningServer): Promise<void> {
  const [, email] = /Candidate for .*: (\S+)/.exec(server.output()) ?? [];
  const [, password] = /one-time password: (\S+)/.exec(server.output()) ?? [];
  if (!email || !password) throw new Error('the demonstration names no candidate');
  const candidate = { email, password };

  const phone = await signedIn(browser, server.url, candidate, PHONE);
  await phone.goto('/quiz/instructions');
  await expect(phone.getByRole('button', { name: 'Start Assessment' })).toBeVisible();
  await take(phone, 'phone');
  await phone.context().close();

  const page = await signedIn(browser, server.url, candidate, LAPTOP);
  await page.goto('/quiz/instructions');
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await page.getByRole('button', { name: 'Accept & Continue' }).click();
  await expect(page.getByText('Face found')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await expect(page.getByRole('timer')).toBeVisible();
  await page.getByRole('radio').nth(1).click();
  await expect(page.getByText(/^Saved \d/).first()).toBeVisible();
  const face = page.getByText('Face: OK').filter({ visible: true }).first();
  await expect(face).toBeVisible({ timeout: 60_000 });
  // The first frame of the picture, and no beep of the fake microphone.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('video')].some(
      (video) => video.videoWidth > 0 && video.clientWidth > 0 && video.currentTime > 1,
    ),
  );
  const quiet = page
    .getByText(/^Voice: \d dB$/)
    .filter({ visible: true })
    .first();
  await expect(quiet).toBeVisible({ timeout: 60_000 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await take(page, `test-${colorScheme}`);
  }
  await page.context().close();
}

async function signedIn(
  browser: Browser,
  baseURL: string,
  data: { email: string; password: string },
  options: BrowserContextOptions,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const response = await page.request.post('/api/auth/login', { data });
  expect(response.status()).toBe(200);
  return page;
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled' });
}

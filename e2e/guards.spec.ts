import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { ADMIN } from './support/server-settings.ts';
import { signIn } from './support/sign-in.ts';
import { startAttempt } from './support/start-attempt.ts';

test('without a session every guarded route leads to the sign-in page', async ({ page }) => {
  const paths = ['/', '/admin', '/admin/settings', '/quiz/instructions', '/quiz/permissions'];
  for (const path of [...paths, '/quiz/assessment', '/quiz/review', '/quiz/thankyou']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/login');
  }
  await expect(page.getByRole('heading', { name: 'Assessment Login' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('translate', 'no');
});

test('no text of a page becomes HTML or a script of another site', async ({ page, consoles }) => {
  consoles.expect(/require-trusted-types-for|This document requires 'TrustedHTML'/);
  await page.goto('/login');
  const tries = await page.evaluate(() =>
    [
      () =>
        Object.assign(document.createElement('p'), { innerHTML: '<img src=x onerror=alert()>' }),
      () => Object.assign(document.createElement('script'), { src: 'https://evil.example/x.js' }),
      () => new DOMParser().parseFromString('<p>', 'text/html'),
    ].map((run) => {
      try {
        return String(run());
      } catch (error) {
        return error instanceof Error ? error.name : 'thrown';
      }
    }),
  );
  expect(tries).toEqual(['TypeError', 'TypeError', 'TypeError']);
});

test('an unknown path is not found, signed in or not', { tag: '@long' }, async ({ page }) => {
  for (const path of ['/nowhere', '/admin/nowhere', '/quiz/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' }), path).toBeVisible();
  }
});

test('an administrator starts on the dashboard and leaves by signing out', {
  tag: '@long',
}, async ({ page }) => {
  await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
  await expect(page.getByText('Login successful')).toBeVisible();
  await expect(page.getByText(`Welcome ${ADMIN.email}`)).toBeVisible();
  const sidebar = page.getByRole('complementary');
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 768 });
    await expect(sidebar.getByText(ADMIN.email)).toBeVisible();
    await expect(sidebar.getByText('Administrator')).toBeVisible();
  }
  for (const path of ['/', '/login', '/quiz/instructions', '/quiz/assessment']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/admin/dashboard');
  }
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Dashboard Overview' })).toBeVisible();
  // Unsaved questions hold keys, and images of questions are not for whoever uses the browser next.
  const write = () =>
    localStorage.setItem('questionDraft_x', JSON.stringify({ by: 'them', at: Date.now() }));
  await page.evaluate(write);
  const reply = page.waitForResponse('**/api/auth/logout');
  await page.getByRole('button', { name: 'Sign out' }).click();
  expect(await (await reply).headerValue('clear-site-data')).toBe('"cache"');
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.getItem('questionDraft_x'))).toBeNull();
  await page.goto('/admin/settings');
  await expect(page).toHaveURL('/login');
});

test('a candidate is led to the instructions and has no access to admin pages', async ({
  page,
  adminClient,
}) => {
  const quiz = await adminClient.quiz('Guarded');
  const guest = await adminClient.inviteOne(quiz, 'guarded@example.org');
  await signIn(page, 'Guarded@Example.org', guest.code.toLowerCase(), '/quiz/instructions');
  for (const path of ['/', '/login', '/quiz/assessment', '/quiz/review', '/quiz/thankyou']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/quiz/instructions');
  }
  for (const path of ['/admin', '/admin/participants']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Unauthorized' }), path).toBeVisible();
  }
});

test('Back does not leave a running attempt for an earlier screen', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  const { candidate } = await startAttempt(page, adminClient, 'Back');
  const question = await candidate.questionText();
  await page.goBack();
  await expect(page).toHaveURL('/quiz/assessment');
  await expect(page.getByRole('timer')).toBeVisible();
  expect(await candidate.questionText()).toBe(question);
});

test('an inactive assessment is shown as expired and leads back to the sign-in page', {
  tag: '@long',
}, async ({ page, adminClient }) => {
  const quiz = await adminClient.quiz('Closed');
  const guest = await adminClient.inviteOne(quiz, 'too-late@example.org');
  await adminClient.change(quiz, { isActive: false });
  const letGo = await holdSignOut(page);
  await signIn(page, guest.email, guest.code, '/quiz/expired');
  const { lines } = await readLastPage(page, 'Assessment Expired');
  expect(lines).toEqual(
    expect.arrayContaining([
      'This assessment is no longer active and cannot be accessed.',
      'Assessment Status: Inactive',
      'The assessment period has ended or the Assessment has been deactivated by the administrator.',
      expect.stringMatching(/^You will be taken to the sign-in page in \d seconds\.$/),
    ]),
  );
  await page.goto('/quiz/instructions');
  await expect(page).toHaveURL('/quiz/expired');
  letGo();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);

  const letGoAgain = await holdSignOut(page);
  await page.goto('/quiz/expired');
  await page.getByRole('button', { name: 'Return to Login' }).click();
  letGoAgain();
  await expect(page).toHaveURL('/login');
});

test('the API documentation opens in the browser', { tag: '@long' }, async ({ page }) => {
  await signIn(page, ADMIN.email, ADMIN.password, '/admin/dashboard');
  await page.goto('/api/docs');
  // One of the first: those further down are rendered when they come into view.
  await page.getByRole('button', { name: /^POST \/api\/admins Add/ }).click();
  await expect(page.getByText('Request body')).toBeVisible();
  await expect(page.getByText('Failed to load API definition')).toHaveCount(0);
});

import type { Page } from '@playwright/test';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { startAttempt } from './support/start-attempt.ts';

/* A browser that somebody else had before: a shared computer, with its caches prepared. */

const COPIES = 'invigil-attempt';
const CHANGED = 'OWNED';

/** Reads what is stored for this origin, from a page that has no script. */
async function stored(page: Page) {
  const tab = await page.context().newPage();
  await tab.goto('/healthz');
  return {
    close: () => tab.close(),
    caches: () => tab.evaluate(() => caches.keys()),
    workers: () =>
      tab.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  };
}

/** Puts a stranger's script under the name of every script of the page, and a page of theirs, and an attempt. */
async function prepare(page: Page): Promise<void> {
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Assessment Login' })).toBeVisible();
  await page.evaluate(
    async ({ name, title }) => {
      const script = `document.title = '${title}'; export const LoginScreen = () => null;`;
      const type = (value: string) => ({ headers: { 'content-type': value } });
      const copies = await caches.open(name);
      const scripts = performance
        .getEntriesByType('resource')
        .map((entry) => new URL(entry.name).pathname)
        .filter((path) => /^\/assets\/.*\.js$/.test(path));
      if (scripts.length < 2) throw new Error('no script that is loaded later');
      for (const path of scripts) {
        await copies.put(path, new Response(script, type('text/javascript')));
      }
      await copies.put('/assets/x.js', new Response(script, type('text/javascript')));
      const html = '<!doctype html><title>Invigil</title><script src="/assets/x.js"></script>';
      await copies.put('/quiz/assessment', new Response(html, type('text/html')));
      const attempt = { id: 'x', status: 'in_progress', remainingMs: 3_600_000 };
      const kept = { headers: { 'x-kept-at': String(Date.now()) } };
      await copies.put('/api/participants', Response.json(attempt, kept));
      await copies.put('/api/auth/me', Response.json({ attempt }, kept));
      await navigator.serviceWorker.register('/service-worker.js');
      await navigator.serviceWorker.ready;
    },
    { name: COPIES, title: CHANGED },
  );
}

test('a prepared cache runs no script on the sign-in page, and is gone with it', async ({
  page,
}) => {
  await prepare(page);
  const next = await page.context().newPage();
  for (let i = 0; i < 2; i += 1) {
    await next.goto('/login');
    await expect(next.getByRole('heading', { name: 'Assessment Login' })).toBeVisible();
    expect(await next.title()).not.toBe(CHANGED);
  }
  await page.close();
  const left = await stored(next);
  await expect.poll(left.caches).toEqual([]);
  await expect.poll(left.workers).toBe(0);
});

test('nor does it without a connection, where an attempt is pretended', async ({
  page,
  consoles,
}) => {
  consoles.expect(/net::ERR_/);
  await prepare(page);
  const context = page.context();
  const next = await context.newPage();
  await context.setOffline(true);
  for (const path of ['/login', '/quiz/assessment']) {
    await next.goto(path).catch(() => undefined);
    expect(await next.title()).not.toBe(CHANGED);
  }
  await context.setOffline(false);
  await next.goto('/login');
  await expect(next.getByRole('heading', { name: 'Assessment Login' })).toBeVisible();
  const left = await stored(next);
  await expect.poll(left.caches).toEqual([]);
});

test('a page says what each of its scripts and styles contains, and runs no other', async ({
  page,
  consoles,
}) => {
  consoles.expect(
    /integrity|Failed to fetch dynamically imported module|could not be shown|error/i,
  );
  const html = await (await page.request.get('/login')).text();
  const files = [
    ...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="(\/assets\/[^"]*\.(?:js|css))"[^>]*>/g),
  ];
  expect(files.length).toBeGreaterThan(1);
  for (const [tag] of files) expect(tag).toMatch(/ integrity="sha256-[\w+/]{43}="/);
  // One that is loaded later, as a cache or a proxy might change it.
  await page.route(/\/assets\/login-screen-.*\.js$/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `document.title = '${CHANGED}'; export const LoginScreen = () => null;`,
    }),
  );
  const refused = page.waitForEvent('console', (message) => /integrity/i.test(message.text()));
  await page.goto('/login');
  await refused;
  expect(await page.title()).not.toBe(CHANGED);
});

test('copies end with the time of the attempt, where the window was closed before', async ({
  page,
  adminClient,
  consoles,
}) => {
  consoles.expect(/net::ERR_/);
  const { candidate, observer } = await startAttempt(page, adminClient, 'Closed before the end');
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  const hasPage = () =>
    page.evaluate(async () => (await caches.match('/quiz/assessment')) !== undefined);
  await expect.poll(hasPage).toBe(true);
  const left = await stored(page);
  const next = await page.context().newPage();
  // The copy is given the age of one day.
  await page.evaluate(async (name) => {
    const copies = await caches.open(name);
    const kept = await copies.match('/api/participants');
    const headers = { 'x-kept-at': String(Date.now() - 86_400_000) };
    await copies.put('/api/participants', Response.json(await kept?.json(), { headers }));
  }, COPIES);
  await page.close();
  await next.context().setOffline(true);
  await next.goto('/').catch(() => undefined);
  await expect.poll(left.caches).toEqual([]);
});

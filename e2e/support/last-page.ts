import { expect, type Page } from '@playwright/test';

/**
 * The last pages sign out and leave after five seconds. This holds the sign-out until the returned
 * function is called. Called before the page is shown: the page's own "Stay here" changes its text.
 */
export async function holdSignOut(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/auth/logout', async (route) => {
    await promise;
    await route.continue();
  });
  await page.addInitScript(waitForSignOut);
  await page.evaluate(waitForSignOut);
  return resolve;
}

/** Runs in the page, which otherwise times out the sign-out, logs an error and leaves. */
function waitForSignOut(): void {
  const send = window.fetch.bind(window);
  window.fetch = (what, how) => {
    if (!String(what).endsWith('/api/auth/logout')) return send(what, how);
    const { signal: _timeout, ...rest } = how ?? {};
    return send(what, rest);
  };
}

/** All text of a last page once the server has everything, read at once. */
export async function readLastPage(
  page: Page,
  heading: string,
): Promise<{ lines: string[]; facts: Record<string, string> }> {
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByText('Still sending your answers.')).toBeHidden();
  const texts = await page
    .locator('main')
    .locator('h1, h2, p, dt, dd')
    .evaluateAll((all) => all.map(({ tagName, textContent }) => [tagName, textContent] as const));
  const ofTag = (tag: string) => texts.filter(([name]) => name === tag).map(([, text]) => text);
  const values = ofTag('DD');
  return {
    lines: texts.filter(([tag]) => !/^D[TD]$/.test(tag)).map(([, text]) => text),
    facts: Object.fromEntries(ofTag('DT').map((name, index) => [name, values[index] ?? ''])),
  };
}

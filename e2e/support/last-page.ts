import { expect, type Page } from '@playwright/test';

/**
 * The last pages sign out after five seconds and leave. Held, they stay as they are until the returned
 * function is called, however busy the machine is. Asked for before the page is shown: what the page
 * itself would do to stay, such as "Stay here", changes what it says.
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

/** Runs in the page, which otherwise gives a sign-out without an answer up, complains and leaves. */
function waitForSignOut(): void {
  const send = window.fetch.bind(window);
  window.fetch = (what, how) => {
    if (!String(what).endsWith('/api/auth/logout')) return send(what, how);
    const { signal: _timeout, ...rest } = how ?? {};
    return send(what, rest);
  };
}

/** All that a last page says once the server has everything, read in one moment. */
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

import { expect, type Page } from '@playwright/test';

/**
 * The last pages leave by themselves after five seconds. Held, they stay until the returned function
 * is called, however busy the machine is.
 */
export async function holdSignOut(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/api/auth/logout', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
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

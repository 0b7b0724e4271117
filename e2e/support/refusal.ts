import type { Locator, Page } from '@playwright/test';

/**
 * From here on the server refuses these calls and no others, without a word of its own, as a proxy
 * before it may. `page.unrouteAll()` ends it.
 */
export async function refuse(page: Page, method: string, path: string | RegExp): Promise<void> {
  await page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, body: '' })
      : route.fallback(),
  );
}

/** The one toast there can be. */
export function toastOn(page: Page): Locator {
  return page.locator('[data-toast]');
}

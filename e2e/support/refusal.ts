import type { Locator, Page } from '@playwright/test';

/**
 * From now on only these calls fail, with an empty response, as from a proxy. `page.unrouteAll()` ends
 * it.
 */
export async function refuse(page: Page, method: string, path: string | RegExp): Promise<void> {
  await page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, body: '' })
      : route.fallback(),
  );
}

/** The toast; there is at most one. */
export function toastOn(page: Page): Locator {
  return page.locator('[data-toast]');
}

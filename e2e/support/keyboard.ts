import { expect, type Locator, type Page } from '@playwright/test';

/** Presses Tab or Shift+Tab until the element has focus, at most 24 times. */
export async function tabTo(page: Page, target: Locator, way: 'on' | 'back' = 'on'): Promise<void> {
  for (let stops = 0; stops < 24; stops += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press(way === 'on' ? 'Tab' : 'Shift+Tab');
  }
  await expect(target).toBeFocused({ timeout: 1 });
}

async function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

import { expect, type Page } from '@playwright/test';

/** Records every text from now on until the document is unloaded. */
export async function recordTexts(page: Page): Promise<void> {
  await page.evaluate(record);
}

/**
 * Waits until the text was shown since `recordTexts`, even if only for a moment: polling from outside
 * the page can miss that on a busy machine.
 */
export async function wasShown(page: Page, text: string): Promise<void> {
  const find = (part: string) =>
    (Reflect.get(window, 'shownTexts') as string[]).some((one) => one.includes(part));
  await expect.poll(() => page.evaluate(find, text), `"${text}" was shown`).toBe(true);
}

/** Runs in the page. */
function record(): void {
  const texts: string[] = [];
  Reflect.set(window, 'shownTexts', texts);
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      const changed = type === 'characterData' ? [target] : addedNodes;
      for (const node of changed) texts.push(node.textContent ?? '');
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';

/**
 * Lets only these calls fail from now on, with an empty response, as from a proxy. `page.unrouteAll()` ends
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

/** Selects an option of a list that opens; the control may be searched in a dialog only. */
export async function select(within: Page | Locator, control: string, option: string) {
  const page = 'page' in within ? within.page() : within;
  await within.getByRole('combobox', { name: control }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Drops a file on an element. */
export async function dropFile(target: Locator, name: string, content: string): Promise<void> {
  await target.evaluate(
    (element, [fileName, text]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], fileName));
      for (const type of ['dragover', 'drop']) {
        element.dispatchEvent(
          new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
        );
      }
    },
    [name, content] as const,
  );
}

/** A text file for a file input. */
export const textFile = (name: string, text: string, mimeType = 'text/csv') => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

/** The file that a button downloads. */
export async function download(button: Locator): Promise<{ name: string; text: string }> {
  const arrives = button.page().waitForEvent('download');
  await button.click();
  const file = await arrives;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

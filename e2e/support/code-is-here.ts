import { expect, type Page } from '@playwright/test';
import { holdsFor } from './holds-for.ts';

/** Files that an attempt loads after its questions: its next screens and the monitoring. */
const BEHIND_THE_QUESTIONS = [
  'review-screen',
  'thank-you-screen',
  'dismissed-screen',
  'after',
  'monitoring',
];

/**
 * Waits until the page has all the code that its attempt may need. A connection that is cut earlier
 * is another test: the page logs what is missing and loads it again.
 */
export async function codeIsHere(page: Page): Promise<void> {
  await page.waitForFunction((names) => {
    const arrived = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming && entry.responseEnd > 0)
      .map(({ name }) => name);
    // Every file that these need is preloaded with them.
    const preloads = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]');
    return (
      names.every((name) => arrived.some((file) => file.includes(`/${name}-`))) &&
      [...preloads].every(({ href }) => arrived.includes(href))
    );
  }, BEHIND_THE_QUESTIONS);
}

/** Waits for the monitoring, which starts two seconds after the questions are shown (seed 4), once its code is loaded. */
export async function watching(page: Page): Promise<void> {
  await codeIsHere(page);
  await holdsFor(3_000, () => expect(page.getByRole('timer')).toBeVisible());
}

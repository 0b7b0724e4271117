import type { Page } from '@playwright/test';

/** What an attempt fetches behind its questions: the screens it can lead to, and who watches. */
const BEHIND_THE_QUESTIONS = [
  'review-screen',
  'thank-you-screen',
  'dismissed-screen',
  'violation-notices',
  'invigilation',
];

/**
 * Waits until the page has all the code that its attempt may need. A line that is cut earlier is
 * another test: the page says in the console what is missing, and fetches it again.
 */
export async function codeIsHere(page: Page): Promise<void> {
  await page.waitForFunction(
    (names) => {
      const arrived = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming && entry.responseEnd > 0)
        .map(({ name }) => name);
      // Every file that these need is announced with them.
      const announced = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]');
      return (
        names.every((name) => arrived.some((file) => file.includes(`/${name}-`))) &&
        [...announced].every(({ href }) => arrived.includes(href))
      );
    },
    BEHIND_THE_QUESTIONS,
    { timeout: 60_000 },
  );
}

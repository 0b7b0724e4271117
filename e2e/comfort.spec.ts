import type { Page } from '@playwright/test';
import type { Candidate } from './support/candidate.ts';
import { expect, test } from './support/e2e-test.ts';
import { startAttempt } from './support/start-attempt.ts';

/* Settings of browser and system that people need to read and work: nothing may get lost by them. */

/** WCAG 2.2, 1.4.12: text spacing that every text must support. */
const TEXT_SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
} p { margin-bottom: 2em !important; }`;

/** Texts that overflow their element, and elements that make the page scroll sideways. */
function lostTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { documentElement: root } = document;
    const wide = root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : [];
    const cut = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
      const { overflowX, overflowY, clip } = getComputedStyle(element);
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      // Text for screen readers only is one pixel wide.
      if (clientWidth <= 1 || clip !== 'auto' || element.textContent?.trim() === '') return false;
      return (
        (/hidden|clip/.test(overflowX) && scrollWidth > clientWidth + 1) ||
        (/hidden|clip/.test(overflowY) && scrollHeight > clientHeight + 1)
      );
    });
    return [
      ...wide,
      ...cut.map((e) => `${e.tagName} ${e.className}: ${e.textContent?.slice(0, 60)}`),
    ];
  });
}

async function bothScreens(candidate: Candidate, check: () => Promise<void>): Promise<void> {
  const { page } = candidate;
  await check();
  await candidate.action('Review & Submit').click();
  await expect(page.getByRole('heading', { name: 'Review Your Answers' })).toBeVisible();
  await check();
  await page.goBack();
  // The review has a heading and options too.
  await expect(page.getByText(/^Question \d+ of \d+$/)).toBeVisible();
  await expect(candidate.options.first()).toBeVisible();
}

test('wider text spacing and 200 % zoom hide nothing of the test', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  const { candidate } = await startAttempt(page, adminClient, 'Spacing');
  await candidate.options.nth(1).click();
  await bothScreens(candidate, async () => expect(await lostTexts(page)).toEqual([]));
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, TEXT_SPACING);
  await bothScreens(candidate, async () => expect(await lostTexts(page)).toEqual([]));
  // 200 % zoom of a 1440 x 900 window.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.waitForFunction(() => document.documentElement.clientWidth === 720);
  await expect(candidate.options.nth(1)).toBeChecked();
  await expect.poll(() => lostTexts(page)).toEqual([]);
  await candidate.options.nth(2).click();
  await expect(candidate.options.nth(2)).toBeChecked();
});

test('with forced colors, states differ by shape and border', { tag: '@long' }, async ({
  page,
  adminClient,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const { candidate } = await startAttempt(page, adminClient, 'Forced');
  await candidate.options.nth(1).click();
  await candidate.action('Flag').click();
  await candidate.go(2);
  await candidate.options.nth(0).click();
  await candidate.go(3);
  const sign = (number: number) =>
    candidate.bubble(number).evaluate((bubble) => {
      const { borderRadius, borderWidth, borderStyle, outlineStyle } = getComputedStyle(bubble);
      const ring = getComputedStyle(bubble, '::after').borderWidth;
      const icons = [...bubble.querySelectorAll('svg')].map((svg) => svg.innerHTML);
      return JSON.stringify([borderRadius, borderWidth, borderStyle, outlineStyle, ring, icons]);
    });
  // Flagged and answered, answered, current, unanswered.
  const signs = [await sign(1), await sign(2), await sign(3), await sign(4)];
  expect(new Set(signs).size).toBe(4);
  await candidate.go(2);
  const styles = await Promise.all(
    [0, 1].map((n) =>
      candidate.options.nth(n).evaluate((option) => {
        const letter = option.querySelector('[aria-hidden]');
        const of = (e: Element | null) =>
          e === null ? [] : [getComputedStyle(e).borderWidth, getComputedStyle(e).backgroundColor];
        return JSON.stringify([of(option), of(letter)]);
      }),
    ),
  );
  expect(styles[0]).not.toBe(styles[1]);
});

test('reduced motion disables all animations', { tag: '@long' }, async ({ page, adminClient }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { candidate } = await startAttempt(page, adminClient, 'Still');
  await candidate.options.nth(1).click();
  await candidate.go(2);
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0) > 1)
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120)),
    );
  expect(await moving()).toEqual([]);
  await candidate.action('Review & Submit').click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await expect(page.getByRole('dialog', { name: 'How was your experience?' })).toBeVisible();
  expect(await moving()).toEqual([]);
});

import { createRequire } from 'node:module';
import { IS_LONG, inForm } from '@invigil/testkit/test-form';
import { type BrowserContextOptions, expect, type Page, test } from '@playwright/test';
import { inLanguages, languageProblems } from './in-languages.ts';
import { ANDROID } from './phones.ts';
import { spilledTexts } from './spilled-texts.ts';

export type Size = 'desktop' | 'phone';

/** Sizes and themes of checked screens: all of them, in light and dark, in the long form. */
export const ADMIN_SIZES = inForm<Size[]>({ short: ['desktop'], long: ['desktop', 'phone'] });
export const CANDIDATE_SIZES = inForm<Size[]>({ short: ['phone'], long: ['desktop', 'phone'] });
const THEMES = inForm<('dark' | 'light')[]>({ short: ['light'], long: ['dark', 'light'] });

const SIZES: Record<Size, { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

/** The narrowest page that must not scroll sideways (WCAG 2.2, 1.4.10). */
const NARROWEST = 320;

/** Time that a test has longer for each screen that it checks. */
const SCREEN_MS = 15_000;

const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * The axe of the Playwright package, without its builder: that transfers every result of every rule
 * from the page, which takes three times as long as the checks.
 */
const require = createRequire(import.meta.url);
const axePackage = createRequire(require.resolve('@axe-core/playwright'));
const { source: AXE_SOURCE }: { source: string } = axePackage('axe-core');

interface Axe {
  run(
    what: Document,
    options: object,
  ): Promise<{
    violations: {
      id: string;
      impact: string;
      nodes: { target: string[]; failureSummary: string }[];
    }[];
  }>;
}

/** Browser options for a screen of this size, without animations. */
export function browserOf(size: Size): BrowserContextOptions {
  return {
    ...(size === 'phone' ? ANDROID : {}),
    viewport: SIZES[size],
    reducedMotion: 'reduce',
  };
}

/**
 * Checks a screen, in the long form in light and dark: axe, sideways scrolling, and with `npm run screenshots` a picture
 * under screenshots/; and in other languages (in-languages.ts) words, direction and room. Problems are soft failures: the test continues with the next screen.
 */
export async function checkScreen(
  page: Page,
  size: Size,
  screen: string,
  { whole = true, keepToasts = false } = {},
): Promise<void> {
  test.setTimeout(test.info().timeout + SCREEN_MS);
  await settle(page, keepToasts);
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    if (process.env.INVIGIL_SCREENSHOTS) {
      await page.screenshot({
        path: `screenshots/${screen}-${size}-${theme}.png`,
        fullPage: whole,
        animations: 'disabled',
      });
    }
    // A theme changes only colors, so the other rules run once.
    await expectNothingSerious(page, `${screen}, ${size}, ${theme}`, theme === 'dark');
  }
  await checkWidth(page, size, screen);
  await inLanguages(page, async (language) => {
    const name = `${screen} in ${language}`;
    for (const theme of process.env.INVIGIL_SCREENSHOTS ? THEMES : []) {
      await page.emulateMedia({ colorScheme: theme });
      await page.screenshot({
        path: `screenshots/${language}/${screen}-${size}-${theme}.png`,
        fullPage: whole,
        animations: 'disabled',
      });
    }
    expect.soft(await languageProblems(page, language), `${name}, ${size}`).toEqual([]);
    expect.soft(await spilledTexts(page), `${name}, ${size}`).toEqual([]);
    await expectNoSidewaysScroll(page, name);
    if (IS_LONG) await expectNothingSerious(page, `${name}, ${size}`, false);
  });
}

/** Checks that a screen does not scroll sideways, at narrower widths either, as soft failures. */
export async function checkWidth(
  page: Page,
  size: Size,
  screen: string,
  narrower: readonly number[] = size === 'phone' ? [NARROWEST] : [],
): Promise<void> {
  await expectNoSidewaysScroll(page, screen);
  for (const width of narrower) {
    await resize(page, { ...SIZES[size], width });
    await expectNoSidewaysScroll(page, screen);
  }
  if (narrower.length > 0) await resize(page, SIZES[size]);
}

/** Opens a page and checks it once this text is shown. */
export async function visit(
  page: Page,
  size: Size,
  path: string,
  text: string,
  screen: string,
): Promise<void> {
  await page.goto(path);
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  await checkScreen(page, size, screen);
}

/** The page gets a new size some frames after it is set. */
async function resize(page: Page, to: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(to);
  await page.waitForFunction((width) => document.documentElement.clientWidth === width, to.width);
}

async function settle(page: Page, keepToasts: boolean): Promise<void> {
  await page.evaluate(async (dismiss) => {
    if (dismiss) {
      const crosses = document.querySelectorAll<HTMLElement>('[data-toaster] button');
      for (const cross of crosses) cross.click();
    }
    await document.fonts.ready;
  }, !keepToasts);
}

async function expectNothingSerious(page: Page, what: string, onlyColors: boolean) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE);
  const serious = await page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as { axe: Axe };
      // Colors on their way to those of the other theme are no one's.
      for (const change of document.getAnimations()) {
        if (Number.isFinite(change.effect?.getComputedTiming().endTime)) change.finish();
      }
      const options = { runOnly, resultTypes: ['violations'], preload: false };
      const { violations } = await axe.run(document, options);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
        );
    },
    onlyColors ? ['color-contrast'] : WCAG_2_2_AA,
  );
  expect.soft(serious, `axe on ${what}`).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  const what = `${screen} scrolls sideways at ${width} px`;
  expect.soft(await sidewaysScrolls(page), what).toEqual([]);
}

/** The page and the boxes in it that scroll sideways. */
export async function sidewaysScrolls(page: Page): Promise<string[]> {
  return await page.evaluate(async (room) => {
    // Lists switch between table and cards a frame after their width is measured.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const { documentElement } = document;
    const scrolls = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth + 1 &&
        /auto|scroll/.test(getComputedStyle(element).overflowX),
    );
    const page = documentElement.scrollWidth > room ? [documentElement] : [];
    return [...page, ...scrolls].map(
      ({ tagName, className, scrollWidth, clientWidth }) =>
        `<${tagName.toLowerCase()} class="${className}"> ${scrollWidth} in ${clientWidth}`,
    );
  }, page.viewportSize()?.width ?? 0);
}

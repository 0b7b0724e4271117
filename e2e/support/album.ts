import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';

/** Every screen is looked at in both sizes, and in each of them light and dark. */
export type Size = 'desktop' | 'phone';

export const SIZES: Record<Size, { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

/** The narrowest page that must do without scrolling sideways (WCAG 2.2, 1.4.10). */
const NARROWEST = 320;

const WCAG_2_2_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const PHONE: BrowserContextOptions = {
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};

/** The browser of a person with a screen of this size. Pictures are judged at rest. */
export function browserOf(size: Size): BrowserContextOptions {
  return {
    viewport: SIZES[size],
    reducedMotion: 'reduce',
    ...(size === 'phone' ? PHONE : {}),
  };
}

/**
 * Looks at a screen in light and dark: a picture under screenshots/, axe, and whether it scrolls
 * sideways. What is wrong is noted, and the story goes on to the next screen.
 */
export async function look(
  page: Page,
  size: Size,
  screen: string,
  { whole = true, keepToasts = false } = {},
): Promise<void> {
  await settle(page, keepToasts);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.screenshot({
      path: `screenshots/${screen}-${size}-${theme}.png`,
      fullPage: whole,
      animations: 'disabled',
    });
    // A theme changes colours and nothing else, so the other rules are asked once.
    await expectNothingSerious(page, `${screen}, ${size}, ${theme}`, theme === 'dark');
  }
  await expectNoSidewaysScroll(page, screen);
  if (size === 'phone') {
    await page.setViewportSize({ width: NARROWEST, height: SIZES.phone.height });
    await expectNoSidewaysScroll(page, screen);
    await page.setViewportSize(SIZES.phone);
  }
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

async function expectNothingSerious(page: Page, what: string, onlyColours: boolean) {
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    // Without the second tab that axe opens for its report: a candidate's tab must stay in front.
    .setLegacyMode();
  if (onlyColours) axe.withRules('color-contrast');
  else axe.withTags(WCAG_2_2_AA);
  const { violations } = await axe.analyze();
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  expect.soft(serious, `axe on ${what}`).toEqual([]);
}

async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const { width = 0 } = page.viewportSize() ?? {};
  const tooWide = await page.evaluate(async (room) => {
    // Lists choose table or cards from their measured width, a frame later.
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
  }, width);
  expect.soft(tooWide, `${screen} scrolls sideways at ${width} px`).toEqual([]);
}

import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';

/** A size and a theme in which every screen is looked at. */
export interface Look {
  name: string;
  size: 'desktop' | 'phone';
  theme: 'light' | 'dark';
}

export const LOOKS: Look[] = (['desktop', 'phone'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => ({ name: `${size}, ${theme}`, size, theme })),
);

const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/** The narrowest page that must do without scrolling sideways (WCAG 2.2, 1.4.10). */
const NARROWEST = 320;

/** The browser of a person who sees the product in this look. */
export function browserOf({ size, theme }: Look): BrowserContextOptions {
  const phone = {
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  };
  return {
    viewport: SIZES[size],
    colorScheme: theme,
    // Pictures and contrast are judged at rest.
    reducedMotion: 'reduce',
    ...(size === 'phone' ? phone : {}),
  };
}

/**
 * Looks at a screen: a picture under screenshots/, axe by WCAG 2.2 AA, and whether it scrolls
 * sideways. What is wrong is noted, and the story goes on to the next screen.
 */
export async function look(
  page: Page,
  { size, theme }: Look,
  screen: string,
  { whole = true, keepToasts = false } = {},
): Promise<void> {
  const t0=performance.now();
  await settle(page, keepToasts);
  const t1=performance.now();
  await page.screenshot({
    path: `screenshots/${screen}-${size}-${theme}.png`,
    fullPage: whole,
    animations: 'disabled',
  });
  const t2=performance.now();
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .options({ resultTypes: ['violations'] })
    // Without the second tab that axe opens for its report: a candidate's tab must stay in front.
    .setLegacyMode()
    .analyze();
  const t3=performance.now();
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`));
  expect.soft(serious, `axe on ${screen}, ${size}, ${theme}`).toEqual([]);
  await expectNoSidewaysScroll(page, screen);
  if (size === 'phone') {
    await page.setViewportSize({ width: NARROWEST, height: SIZES.phone.height });
    await expectNoSidewaysScroll(page, screen);
    await page.setViewportSize(SIZES.phone);
  }
  const t4=performance.now(); console.log(screen, (t1-t0)|0,(t2-t1)|0,(t3-t2)|0,(t4-t3)|0);
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

async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const tooWide = await page.evaluate(async () => {
    // Lists choose table or cards from their measured width, a frame later.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const { documentElement } = document;
    const width = window.screen.width < window.innerWidth ? window.screen.width : window.innerWidth;
    const scrolls = [documentElement, ...document.querySelectorAll('body *')].filter(
      (element) =>
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0 &&
        (element === documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)),
    );
    const sticksOut = documentElement.scrollWidth > width ? [documentElement] : [];
    return [...new Set([...sticksOut, ...scrolls])].map(
      (element) =>
        `<${element.tagName.toLowerCase()} class="${element.className}"> ${element.scrollWidth} in ${element.clientWidth} of ${width}`,
    );
  });
  const { width } = page.viewportSize() ?? {};
  expect.soft(tooWide, `${screen} scrolls sideways at ${width} px`).toEqual([]);
}

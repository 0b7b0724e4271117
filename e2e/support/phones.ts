import type { BrowserContextOptions } from '@playwright/test';

/** A phone that can show a page in fullscreen. */
export const ANDROID = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
} satisfies BrowserContextOptions;

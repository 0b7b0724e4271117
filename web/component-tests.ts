import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';

export const COMPONENT_TESTS = 'web/src/**/*.component.test.tsx';

/** How components are built for their tests: as in vite.config.ts, without what only a release wants. */
export const componentBuild = {
  plugins: [react(), tailwindcss()],
  // Found before the first test: a package found later loads the page again under a running test.
  optimizeDeps: { entries: [COMPONENT_TESTS], include: ['vitest-browser-react/pure'] },
  // Vite's panel over a file that does not parse would take the clicks of all other tests.
  server: { hmr: { overlay: false } },
};

/** The browser of component tests: an installed Chromium, as the stories take one. */
export function componentBrowser(chromium: string | undefined) {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    viewport: { width: 1440, height: 900 },
    provider: playwright({
      launchOptions: {
        ...(chromium === undefined ? {} : { executablePath: chromium }),
        // Chromium's own sandbox needs a user other than root.
        args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
      },
      contextOptions: { locale: 'en-GB' },
    }),
    instances: [{ browser: 'chromium' as const }],
  };
}

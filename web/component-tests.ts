import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { texts } from './texts.ts';

export const COMPONENT_TESTS = 'web/src/**/*.component.test.tsx';

/** The build of components for their tests: as in vite.config.ts, without release-only parts. */
export const componentBuild = {
  plugins: [...texts(), react(), tailwindcss()],
  // Pre-bundled: a package discovered later reloads the page during a test.
  optimizeDeps: {
    entries: [COMPONENT_TESTS],
    // The last two are imported by workers, which are not searched.
    include: ['vitest-browser-react/pure', '@vladmandic/human', 'onnxruntime-web/wasm'],
  },
  // Vite's error overlay for one file would intercept the clicks of all other tests.
  server: { hmr: { overlay: false } },
};

/** The browser of component tests: an installed Chromium, as for the end-to-end tests. */
export function componentBrowser(chromium: string | undefined) {
  return {
    enabled: true,
    headless: true,
    screenshotFailures: false,
    viewport: { width: 1440, height: 900 },
    provider: playwright({
      launchOptions: {
        ...(chromium === undefined ? {} : { executablePath: chromium }),
        // Chromium's sandbox does not run as root.
        args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
      },
      contextOptions: { locale: 'en-GB' },
    }),
    instances: [{ browser: 'chromium' as const }],
  };
}

import { type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { AdminClient } from './admin-client.ts';
import { ConsoleWatch } from './console-watch.ts';
import { keepData } from './in-languages.ts';
import { TIME_ZONE } from './server-settings.ts';
import { openTestServer, type TestServer } from './test-server.ts';

export { expect } from '@playwright/test';

interface TestFixtures {
  /** Console output; an unexpected entry fails the test at its end. */
  consoles: ConsoleWatch;
  /** A person with a browser of their own. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** An administrator without a screen, to prepare what a test is not about. */
  adminClient: AdminClient;
}

interface WorkerFixtures {
  /** Tests with the same name share a server; another name gets an empty one. */
  database: string;
  testServer: TestServer;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ['shared', { option: true, scope: 'worker' }],
  testServer: [
    async ({ database: _name }, use) => {
      const testServer = await openTestServer();
      await use(testServer);
      await testServer.close();
    },
    // The first start builds the web app.
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ testServer }, use) => use(testServer.url),
  timezoneId: TIME_ZONE,
  actionTimeout: 90_000,
  consoles: async ({ browser: _first }, use) => {
    const consoles = new ConsoleWatch();
    await use(consoles);
    if (consoles.unexpected.length > 0) {
      throw new Error(`unexpected in the console:\n${consoles.unexpected.join('\n')}`);
    }
  },
  context: async ({ context, consoles }, use) => {
    await consoles.watch(context);
    keepData(context);
    await use(context);
  },
  visitor: async ({ browser, testServer, consoles }, use) => {
    const close: (() => Promise<void>)[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: testServer.url, ...options });
      close.push(() => context.close());
      await consoles.watch(context);
      keepData(context);
      return context.newPage();
    });
    for (const end of close) await end();
  },
  adminClient: async ({ testServer }, use) => use(await AdminClient.signIn(testServer.url)),
});

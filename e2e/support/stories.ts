import { type BrowserContextOptions, test as base, type Page } from '@playwright/test';
import { AdminByHttp } from './admin-by-http.ts';
import { ConsoleWatch } from './console-watch.ts';
import { type House, openHouse } from './house.ts';
import { TIME_ZONE } from './house-settings.ts';

export { expect } from '@playwright/test';

interface OfTheStory {
  /** What the consoles say; anything unexpected fails the story at its end. */
  consoles: ConsoleWatch;
  /** A person with a browser of their own. */
  visitor(options?: BrowserContextOptions): Promise<Page>;
  /** An administrator without a screen, to prepare what a story is not about. */
  desk: AdminByHttp;
}

interface OfTheWorker {
  /** Stories with the same name share a server; another name gets an empty one. */
  database: string;
  house: House;
}

export const test = base.extend<OfTheStory, OfTheWorker>({
  database: ['shared', { option: true, scope: 'worker' }],
  house: [
    async ({ database: _name }, use) => {
      const house = await openHouse();
      await use(house);
      await house.close();
    },
    // The first start builds the web app.
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: async ({ house }, use) => use(house.url),
  timezoneId: TIME_ZONE,
  actionTimeout: 20_000,
  consoles: async ({ browser: _first }, use) => {
    const consoles = new ConsoleWatch();
    await use(consoles);
    if (consoles.unexpected.length > 0) {
      throw new Error(`unexpected in the console:\n${consoles.unexpected.join('\n')}`);
    }
  },
  context: async ({ context, consoles }, use) => {
    await consoles.watch(context);
    await use(context);
  },
  visitor: async ({ browser, house, consoles }, use) => {
    const close: (() => Promise<void>)[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: house.url, ...options });
      close.push(() => context.close());
      await consoles.watch(context);
      return context.newPage();
    });
    for (const end of close) await end();
  },
  desk: async ({ house }, use) => use(await AdminByHttp.signIn(house.url)),
});

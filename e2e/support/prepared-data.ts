import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from '@invigil/testkit/running-server';
import { SERVER_SETTINGS } from './server-settings.ts';

/** The data of a newly set up server. Every test server starts with a copy. */
export const PREPARED_DATA = fileURLToPath(
  new URL('../../test-results/prepared-data', import.meta.url),
);

/**
 * Playwright's global setup: builds the web app and sets up a server, once. Creating and migrating a
 * cluster takes more processor time than most tests.
 */
export default async function prepareData(): Promise<void> {
  rmSync(PREPARED_DATA, { recursive: true, force: true });
  const server = await startServer({ web: true, env: SERVER_SETTINGS, dataDir: PREPARED_DATA });
  const code = await server.stop();
  if (code !== 0) throw new Error(`the server that prepares the data ended with ${code}`);
}

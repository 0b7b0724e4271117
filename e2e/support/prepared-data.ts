import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startServer } from '../../server/src/testing/running-server.ts';
import { SERVER_SETTINGS } from './server-settings.ts';

/** The data of a server that was set up and that no one has used. Every testServer begins with a copy. */
export const PREPARED_DATA = fileURLToPath(
  new URL('../../test-results/prepared-data', import.meta.url),
);

/**
 * Playwright's global setup: builds the web app and sets a server up, once. To make a cluster and
 * migrate it takes more of the processor than most tests do.
 */
export default async function prepareData(): Promise<void> {
  rmSync(PREPARED_DATA, { recursive: true, force: true });
  const server = await startServer({ web: true, env: SERVER_SETTINGS, dataDir: PREPARED_DATA });
  const code = await server.stop();
  if (code !== 0) throw new Error(`the server that prepares the data ended with ${code}`);
}

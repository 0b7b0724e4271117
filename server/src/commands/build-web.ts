import { fileURLToPath } from 'node:url';
import { ensureWebBuild } from '../http/web-files/web-build.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { configFromEnvironment } from '../runtime/config.ts';
import { createLog } from '../runtime/log.ts';

/*
 * `npm run build`: builds the web app now, so that the next start finds it. For images and for
 * checkouts that the server itself cannot write to.
 */

const settings = configFromEnvironment();
const dataDir = 'config' in settings ? settings.config.dataDir : './data';
try {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const folder = await ensureWebBuild({ root, dataDir, log: createLog('info') });
  process.stdout.write(`The web app is in ${folder}\n`);
} catch (error) {
  if (!(error instanceof StartProblem)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

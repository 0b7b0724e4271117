import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type SentFile, serveWeb } from '@invigil/testkit/serve-web';
import { precompress } from '../../server/src/http/web-files/web-compression.ts';

const run = promisify(execFile);
const PAGE = fileURLToPath(new URL('./page/', import.meta.url));
const WEB = fileURLToPath(new URL('../../web/', import.meta.url));

/**
 * A page with only the shipped detectors, built with the settings of the web app and served with the
 * headers and compression of our server. There is no database.
 */
export async function servePage(): Promise<AsyncDisposable & { url: string; sent: SentFile[] }> {
  await using undo = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'invigil-detectors-'));
  undo.defer(() => rmSync(folder, { recursive: true, force: true }));
  const vite = createRequire(join(WEB, 'package.json')).resolve('vite/package.json');
  const config = ['--config', join(WEB, 'vite.config.ts'), '--configLoader', 'native'];
  await run(
    process.execPath,
    [join(dirname(vite), 'bin', 'vite.js'), 'build', PAGE, ...config, '--outDir', folder],
    { cwd: WEB, env: { ...process.env, NODE_ENV: 'production' } },
  );
  await precompress(folder);

  const { url, sent } = undo.use(await serveWeb(folder));
  const own = undo.move();
  return { url, sent, [Symbol.asyncDispose]: () => own.disposeAsync() };
}

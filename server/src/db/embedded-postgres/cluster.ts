import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartProblem } from '../../runtime/app-error.ts';
import { childEnvironment } from '../../runtime/config.ts';
import { flushFolder } from '../../runtime/data-dir.ts';
import type { SupervisorLog } from './log.ts';
import { handOver, type Placement } from './placement.ts';
import { SUPERUSER } from './roles.ts';

const run = promisify(execFile);

/**
 * Creates the cluster when it does not exist. initdb works under a temporary name and the result is
 * renamed: an interrupted start leaves nothing that looks like a database.
 *
 * @param sync false only for tests: leaves the flush to the operating system
 */
export async function ensureCluster(
  placement: Placement,
  log: SupervisorLog,
  sync: boolean,
): Promise<void> {
  const { base, cluster, identity, native } = placement;
  removeDrafts(placement);
  if (existsSync(join(cluster, 'PG_VERSION'))) {
    // PostgreSQL refuses a folder that others may enter, as a copy from a backup often is.
    if ((statSync(cluster).mode & 0o077) !== 0) chmodSync(cluster, 0o700);
    return;
  }
  log.info({ cluster }, 'Creating the database');
  const draft = `${cluster}.new-${process.pid}`;
  mkdirSync(draft, { mode: 0o700 });
  await handOver(draft, identity);
  const [program = '', ...args] = [
    ...identity.prefix,
    join(native, 'bin', 'initdb'),
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-locale',
    '--encoding=UTF8',
    '--data-checksums',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ];
  try {
    await run(program, args, { cwd: '/', env: childEnvironment(), ...identity.owner });
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new StartProblem(`The database cannot be created in ${base}: ${lastLine(error)}`);
  }
  // An empty folder of that name does no harm: rename replaces it.
  await rename(draft, cluster);
  if (sync) flushFolder(base);
}

/** Only we create drafts here, and we hold the claim: any that remains is from an interrupted start. */
function removeDrafts({ cluster }: Placement): void {
  const folder = dirname(cluster);
  for (const entry of readdirSync(folder)) {
    if (entry.startsWith(`${basename(cluster)}.new-`)) {
      rmSync(join(folder, entry), { recursive: true, force: true });
    }
  }
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => line.includes('error:')) ?? lines.at(-1) ?? String(error);
}

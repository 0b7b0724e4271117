import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder } from './placement.ts';
import { appConnection, type Connection } from './roles.ts';

/** The folder of a cluster, with its major version. It has that name only once it is complete. */
const CLUSTER = /^postgres-\d+$/;
/** Line in `postmaster.pid`, counted from 0. */
const SOCKET_FOLDER_LINE = 4;

/** Whether an embedded PostgreSQL of any version has been created for `dataDir`. */
export function hasDatabase(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  return readdirSync(databaseFolder(dataDir)).some((entry) => CLUSTER.test(entry));
}

/**
 * How to reach the embedded PostgreSQL that another process of ours runs on `dataDir`, by its lock file;
 * `null` without one. After a kill the file may be stale: only connecting shows it.
 */
export function runningConnection(dataDir: string): Connection | null {
  if (!existsSync(dataDir)) return null;
  const home = databaseFolder(dataDir);
  for (const entry of readdirSync(home)) {
    if (!CLUSTER.test(entry)) continue;
    let lines: string[];
    try {
      lines = readFileSync(join(home, entry, 'postmaster.pid'), 'utf8').split('\n');
    } catch {
      continue;
    }
    const folder = lines[SOCKET_FOLDER_LINE]?.trim();
    if (folder) return appConnection(folder);
  }
  return null;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFolder } from './placement.ts';
import { appConnection, type Connection } from './roles.ts';

/** In `postmaster.pid`, counted from 0. */
const SOCKET_FOLDER_LINE = 4;

/**
 * How to reach the embedded PostgreSQL that another process of ours runs on `dataDir`, by what its
 * lock file says; `null` where there is no such file. After a kill the file may be there and nobody
 * behind it: only connecting tells.
 */
export function runningConnection(dataDir: string): Connection | null {
  if (!existsSync(dataDir)) return null;
  const home = databaseFolder(dataDir);
  for (const entry of readdirSync(home)) {
    if (!/^postgres-\d+$/.test(entry)) continue;
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

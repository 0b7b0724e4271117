import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chown, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartProblem } from '../../runtime/app-error.ts';
import { binariesVersion, completeBinaries, copyBinaries } from './binaries.ts';
import {
  databaseUserIdentity,
  type Identity,
  namespaceIdentity,
  ownIdentity,
  tryAs,
  userIdentity,
} from './identity.ts';
import type { SupervisorLog } from './log.ts';

/** The user who runs PostgreSQL, its programs and its folder. */
export interface Placement {
  identity: Identity;
  /** Folder with `bin`, `lib` and `share`. */
  native: string;
  version: string;
  /** Holds the cluster and its socket: the data folder, or a state folder of the system. */
  base: string;
  /** The cluster's folder. The major version is in its name: another major cannot read it. */
  cluster: string;
}

export interface PlacementRequest {
  /** Absolute, without symbolic links, claimed by this process. */
  dataDir: string;
  native: string;
  /** Holds the cluster when PostgreSQL cannot reach `dataDir`. */
  stateRoot: string;
  log: SupervisorLog;
}

/** Names the file in the data folder that contains the path of the database, when that is elsewhere. */
const ELSEWHERE_FILE = 'database-folder.txt';

/**
 * Decides where PostgreSQL runs and as whom. An existing cluster keeps its place and its owner; a new one
 * is placed in the data folder whenever some identity can reach it.
 *
 * @throws StartProblem when nothing fits, or when an existing database would be ignored: a start with an
 * empty database looks like data loss
 */
export async function choosePlacement(request: PlacementRequest): Promise<Placement> {
  const { dataDir, log } = request;
  const home = databaseFolder(dataDir);
  const native = await completeBinaries(request.native, home, log);
  const version = await binariesVersion(native);
  const name = `postgres-${version.split('.')[0]}`;
  const existing = statSync(join(home, name), { throwIfNoEntry: false });
  if (existing === undefined) refuseOtherMajor(home, name, dataDir);

  const identity = await chooseIdentity(existing, join(home, name), log);
  if (await reaches(identity, home)) {
    if (existing !== undefined) await handOver(join(home, name), identity);
    return settle(identity, native, version, home, name, log);
  }
  if (existing !== undefined) {
    throw new StartProblem(
      `The database in ${join(home, name)} cannot be reached by ${identity.name}, who has to run it. Give that user access to the folder, or move DATA_DIR.`,
    );
  }
  return settle(identity, native, version, makeElsewhere(request), name, log);
}

/** Creates `folder` if needed, and sets the owner that `identity` needs for all its content. */
export async function handOver(folder: string, identity: Identity): Promise<void> {
  const { owner } = identity;
  if (owner === null || statSync(folder).uid === owner.uid) return;
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), owner.uid, owner.gid);
  }
  // The folder itself last: its owner shows whether the transfer was completed.
  await chown(folder, owner.uid, owner.gid);
}

/** @throws StartProblem when a cluster is another user's, or root has no user to run PostgreSQL as */
async function chooseIdentity(
  existing: { uid: number; gid: number } | undefined,
  cluster: string,
  log: SupervisorLog,
): Promise<Identity> {
  const me = process.geteuid?.() ?? 0;
  let identity: Identity | null;
  if (me !== 0) {
    if (existing !== undefined && existing.uid !== me) {
      throw new StartProblem(
        `The database in ${cluster} belongs to another user (number ${existing.uid}). Start Invigil as that user, or select another DATA_DIR.`,
      );
    }
    identity = await ownIdentity();
  } else if (existing !== undefined && existing.uid !== 0) {
    identity = await userIdentity(existing.uid, existing.gid);
  } else {
    identity = (await namespaceIdentity()) ?? (await databaseUserIdentity(log));
  }
  if (identity !== null) return identity;
  throw new StartProblem(
    'PostgreSQL refuses to run as root, and this system allows neither a user namespace nor another user for it. Start Invigil as a normal user, or set DATABASE_URL.',
  );
}

async function settle(
  identity: Identity,
  native: string,
  version: string,
  base: string,
  name: string,
  log: SupervisorLog,
): Promise<Placement> {
  let reachable = native;
  if ((await tryAs(identity, join(native, 'bin', 'postgres'), '--version')) === null) {
    reachable = await copyBinaries(native, base, log);
    await handOver(reachable, identity);
    if ((await tryAs(identity, join(reachable, 'bin', 'postgres'), '--version')) === null) {
      throw new StartProblem(
        `${identity.name} cannot run PostgreSQL from ${reachable}. Set DATABASE_URL to use a PostgreSQL server of your own.`,
      );
    }
  }
  return { identity, native: reachable, version, base, cluster: join(base, name) };
}

/**
 * Whether `identity` can reach `folder`. For another user the data folder's own mode (0700) may be in the
 * way: entering it is then allowed, listing it is not, and its content is private by its own modes.
 */
async function reaches(identity: Identity, folder: string): Promise<boolean> {
  const enter = () => tryAs(identity, 'sh', '-c', 'cd "$0"', folder);
  if ((await enter()) !== null) return true;
  const { mode, uid } = statSync(folder);
  if (identity.owner === null || uid !== process.geteuid?.()) return false;
  chmodSync(folder, (mode & 0o7777) | 0o001);
  if ((await enter()) !== null) return true;
  chmodSync(folder, mode & 0o7777);
  return false;
}

/** The folder with the database of a data folder: itself, or the one that its pointer file names. */
export function databaseFolder(dataDir: string): string {
  const note = join(dataDir, ELSEWHERE_FILE);
  let folder: string;
  try {
    folder = readFileSync(note, 'utf8').trim();
  } catch {
    return dataDir;
  }
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return folder;
  throw new StartProblem(
    `${note} says that the database is in ${folder}, and that folder is gone. Restore it, or remove the file to start with an empty database.`,
  );
}

function makeElsewhere({ dataDir, stateRoot, log }: PlacementRequest): string {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const folder = join(stateRoot, hash);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(join(dataDir, ELSEWHERE_FILE), `${folder}\n`, { mode: 0o600 });
  log.warn(
    { folder },
    `The database user cannot reach ${dataDir}, so the database is kept in ${folder}`,
  );
  return folder;
}

function refuseOtherMajor(base: string, name: string, dataDir: string): void {
  const other = readdirSync(base).find((entry) => /^postgres-\d+$/.test(entry));
  if (other !== undefined) {
    throw new StartProblem(
      `${dataDir} holds a database of another PostgreSQL version (${other}; this Invigil uses ${name}). See "Another major version" in docs/operating.md.`,
    );
  }
}

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { childEnvironment } from '../../runtime/config.ts';
import type { SupervisorLog } from './log.ts';

const run = promisify(execFile);

/** The user that PostgreSQL runs as: it refuses to be root, which we may be. */
export interface Identity {
  name: string;
  /** The prefix of the command, such as `unshare … setpriv …`. */
  prefix: string[];
  /** The owner of the cluster's files; null: our own user, also in a user namespace. */
  owner: { uid: number; gid: number } | null;
  /** Whether the kernel ends PostgreSQL when we end, even by kill -9. */
  diesWithUs: boolean;
}

/**
 * Sends SIGINT, a fast and orderly shutdown, when the thread that started the process ends: start
 * PostgreSQL from the main thread only. A change of user resets it, so it comes last.
 */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

const DATABASE_USER = 'invigil';
const NOBODY = 65_534;
const PROBE_TIMEOUT_MS = 10_000;

/** Not root: PostgreSQL runs as our user. */
export async function ownIdentity(): Promise<Identity | null> {
  return withDeathSignal({ name: 'this user', prefix: [], owner: null });
}

/**
 * Root in its own user namespace, where it is called `nobody`: on the disk the files remain root's, so
 * data below a 0700 home can stay there. null where the system refuses namespaces, as most containers do.
 */
export async function namespaceIdentity(): Promise<Identity | null> {
  // initdb requires the number to have a name, whichever it is.
  const users = passwd();
  const uid = users.find((user) => user.uid === NOBODY)?.uid ?? users.find((u) => u.uid > 0)?.uid;
  if (uid === undefined) return null;
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${NOBODY}`];
  return withDeathSignal({ name: 'root in a user namespace', prefix, owner: null });
}

/** The owner of an existing cluster. Only for root. */
export async function userIdentity(uid: number, gid: number): Promise<Identity | null> {
  const name = passwd().find((user) => user.uid === uid)?.name ?? String(uid);
  return withDeathSignal({ name: `user ${name}`, prefix: [], owner: { uid, gid } });
}

/**
 * A system user for the database, created if missing and possible, else `nobody`. Only for root, where
 * namespaces are refused. A separate user keeps other programs that run as `nobody` away from the files.
 */
export async function databaseUserIdentity(log: SupervisorLog): Promise<Identity | null> {
  const find = (name: string) => passwd().find((user) => user.name === name);
  if (find(DATABASE_USER) === undefined && (await makeSystemUser())) {
    log.info(
      { user: DATABASE_USER },
      'Created a system user to run PostgreSQL, which refuses to be root',
    );
  }
  const user = find(DATABASE_USER) ?? find('nobody');
  return user === undefined ? null : userIdentity(user.uid, user.gid);
}

/** Runs a program as `identity` to its end. Returns its output, or null when it failed. */
export async function tryAs(
  identity: Pick<Identity, 'prefix' | 'owner'>,
  program: string,
  ...args: string[]
): Promise<string | null> {
  const [first = program, ...rest] = [...identity.prefix, program, ...args];
  try {
    const { stdout } = await run(first, rest, {
      cwd: '/',
      env: childEnvironment(),
      timeout: PROBE_TIMEOUT_MS,
      ...identity.owner,
    });
    return stdout;
  } catch {
    return null;
  }
}

async function withDeathSignal(identity: Omit<Identity, 'diesWithUs'>): Promise<Identity | null> {
  for (const diesWithUs of [true, false]) {
    const prefix = diesWithUs ? [...identity.prefix, ...DIE_WITH_PARENT] : identity.prefix;
    const tried = { ...identity, prefix, diesWithUs };
    if ((await tryAs(tried, 'true')) !== null) return tried;
  }
  return null;
}

async function makeSystemUser(): Promise<boolean> {
  const args = ['--system', '--no-create-home', '--home-dir', '/nonexistent'];
  const shell = ['--shell', '/usr/sbin/nologin', DATABASE_USER];
  return (await tryAs({ prefix: [], owner: null }, 'useradd', ...args, ...shell)) !== null;
}

function passwd(): { name: string; uid: number; gid: number }[] {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    const user = { name: name ?? '', uid: Number(uid), gid: Number(gid) };
    return user.name !== '' && user.uid >= 0 && user.gid >= 0 ? [user] : [];
  });
}

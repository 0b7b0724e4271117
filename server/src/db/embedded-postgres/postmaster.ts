import { spawn } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { codeOf, StartProblem } from '../../runtime/app-error.ts';
import { childEnvironment } from '../../runtime/config.ts';
import { clearEarlierPostmaster } from './earlier-postmaster.ts';
import type { SupervisorLog } from './log.ts';
import type { Placement } from './placement.ts';
import { superuserConnection } from './roles.ts';
import type { ServerLog } from './server-log.ts';
import { type ServerSettings, serverSettings, settingArguments } from './server-settings.ts';
import { emptySocketFolder } from './socket-folder.ts';

export interface Postmaster {
  pid: number;
  /** Settles when the process is gone, for whatever reason. */
  exited: Promise<Exit>;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface PostmasterRequest {
  placement: Placement;
  socketFolder: string;
  settings: ServerSettings;
  serverLog: ServerLog;
  log: SupervisorLog;
  signal?: AbortSignal | undefined;
}

/** How long a start is retried until an earlier server is gone. */
const LEFTOVERS_MS = 10_000;
const LEFTOVERS = /shared memory block|lock file|is still in use|Is another postmaster/i;
const PROBE_EVERY_MS = 20;
/** Recovery after a kill is silent; it is logged at intervals that we are waiting. */
const LOG_EVERY_MS = 5_000;

/**
 * Starts PostgreSQL and returns it when it answers. There is no time limit while it lives: a server
 * killed during a slow recovery would start the recovery again.
 *
 * @throws StartProblem when it ends instead, with the reason from its log
 */
export async function startPostmaster(request: PostmasterRequest): Promise<Postmaster> {
  const { placement, serverLog, log, signal } = request;
  const began = performance.now();
  for (;;) {
    await clearEarlierPostmaster(placement.cluster, log, signal);
    const postmaster = spawnPostmaster(request);
    const exit = await Promise.race([postmaster.exited, whenReady(postmaster, request)]);
    if (exit === null) return postmaster;
    signal?.throwIfAborted();
    const reason = lastComplaint(serverLog);
    if (!LEFTOVERS.test(reason) || performance.now() - began > LEFTOVERS_MS) {
      throw new StartProblem(
        `The database does not start: ${reason || `it ended with ${exit.signal ?? exit.code}`}. Its log is ${serverLog.path}`,
      );
    }
    await delay(250, undefined, signal === undefined ? {} : { signal });
  }
}

function spawnPostmaster(request: PostmasterRequest): Postmaster {
  const { placement, socketFolder, settings, serverLog } = request;
  const { identity, native, cluster } = placement;
  emptySocketFolder(socketFolder);
  const [program = '', ...args] = [
    ...identity.prefix,
    join(native, 'bin', 'postgres'),
    '-D',
    cluster,
    ...settingArguments(serverSettings(socketFolder, settings)),
  ];
  const output = serverLog.open();
  const child = spawn(program, args, {
    cwd: '/',
    env: childEnvironment(),
    stdio: ['ignore', output, output],
    // A session of its own: Ctrl-C reaches every process of the terminal's group, and the database
    // must outlive the requests that are still being answered.
    detached: true,
    ...identity.owner,
  });
  closeSync(output);
  const exited = new Promise<Exit>((settle) => {
    child.once('exit', (code, signal) => settle({ code, signal }));
    // The program could not be started; without a listener this would end our process.
    child.once('error', () => settle({ code: null, signal: null }));
  });
  // `unshare` and `setpriv` exec PostgreSQL, so this is its own process number.
  return { pid: child.pid ?? 0, exited };
}

/** Resolves to null once it answers. Rejects only when aborted. */
async function whenReady(
  postmaster: Postmaster,
  { placement, socketFolder, log, signal }: PostmasterRequest,
): Promise<null> {
  let gone = false;
  void postmaster.exited.then(() => {
    gone = true;
  });
  let lastLogged = performance.now();
  while (!gone) {
    if (saysReady(placement.cluster, postmaster.pid) && (await answers(socketFolder))) return null;
    if (performance.now() - lastLogged > LOG_EVERY_MS) {
      lastLogged = performance.now();
      log.info('Waiting for the database, which is recovering from an unclean shutdown');
    }
    try {
      await delay(PROBE_EVERY_MS, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      endPostmaster(postmaster, 'SIGINT');
      await postmaster.exited;
      throw error;
    }
  }
  return new Promise(() => undefined);
}

/** Reads the lock file of the server; connecting would fill its log with refusals. */
function saysReady(cluster: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

async function answers(socketFolder: string): Promise<boolean> {
  const client = new Client(superuserConnection(socketFolder));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Sends a signal unless the process is gone already. */
export function endPostmaster({ pid }: Postmaster, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function lastComplaint(serverLog: ServerLog): string {
  const lines = serverLog.tail().split('\n');
  const complaint = lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.findLast(Boolean);
  return (complaint ?? '').replace(/^.*?(FATAL|PANIC): +/, '').trim();
}

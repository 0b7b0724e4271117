import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, StartProblem } from '../../runtime/app-error.ts';
import { isAlive } from '../../runtime/data-dir.ts';
import type { SupervisorLog } from './log.ts';
import { inspectProcess, type ProcessFacts, processesWorkingIn } from './process-table.ts';

/** How long to wait in total for the processes of an earlier start. */
const TIMEOUT_MS = 10_000;
/** After this a fast shutdown becomes an immediate one, which the log repairs. */
const FAST_STOP_MS = 6_000;
const POLL_MS = 50;
/** A process that started later than its lock file by more than this is another process. */
const CLOCK_SLACK_MS = 60_000;

interface LockFile {
  pid: number;
  /** Milliseconds since 1970. */
  startedAtMs: number;
}

/**
 * Prepares `cluster` for a new postmaster. The caller holds the claim on the data folder, so a postmaster
 * that still runs there belongs to an Invigil that was killed: it is stopped.
 *
 * PostgreSQL itself recovers from a lock file whose process is gone. It refuses forever when the number
 * in the file now belongs to an unrelated process (as after a container restart) or a zombie, or the file
 * is empty (a power cut): then, and only then, the file is removed here.
 *
 * @throws StartProblem when a process still runs there after about ten seconds
 */
export async function clearEarlierPostmaster(
  cluster: string,
  log: SupervisorLog,
  signal?: AbortSignal,
): Promise<void> {
  const began = performance.now();
  let asked: 'SIGINT' | 'SIGQUIT' | null = null;
  for (;;) {
    const alive = earlierProcesses(cluster);
    if (alive.length === 0) break;
    const waited = performance.now() - began;
    const numbers = alive.map((facts) => facts.pid).join(', ');
    if (waited > TIMEOUT_MS) {
      throw new StartProblem(
        `PostgreSQL of an earlier start still runs on ${cluster} (process ${numbers}) and does not stop. End it and start again.`,
      );
    }
    if (asked === null) {
      log.warn(
        { processes: numbers },
        'PostgreSQL of an earlier start is still running; stopping it',
      );
      asked = 'SIGINT';
      signalAll(rootsOf(alive), asked, cluster);
    } else if (asked === 'SIGINT' && waited > FAST_STOP_MS) {
      asked = 'SIGQUIT';
      signalAll(alive, asked, cluster);
    }
    await delay(POLL_MS, undefined, signal === undefined ? {} : { signal });
  }
  if (wouldBlock(cluster)) {
    log.warn({ cluster }, 'Removing an unused PostgreSQL lock file');
    rmSync(lockFilePath(cluster), { force: true });
  }
}

/** The postmaster named by the lock file, and every process whose working folder is the cluster. */
function earlierProcesses(cluster: string): ProcessFacts[] {
  const found = new Map<number, ProcessFacts>();
  for (const facts of processesWorkingIn(cluster)) {
    if (facts.name === 'postgres') found.set(facts.pid, facts);
  }
  const file = readLockFile(cluster);
  if (file !== null && file !== 'unreadable' && file.pid !== process.pid) {
    const facts = inspectProcess(file.pid);
    if (facts !== null && isPostmasterOf(cluster, facts, file)) found.set(facts.pid, facts);
  }
  return [...found.values()];
}

/**
 * The working folder decides. Where it is hidden (another user's process in a container without the
 * ptrace right, or macOS), the command line and the start time do.
 */
function isPostmasterOf(cluster: string, facts: ProcessFacts, file: LockFile): boolean {
  if (facts.name !== 'postgres') return false;
  if (facts.workingFolder !== null) return facts.workingFolder === cluster;
  if (facts.startedAtMs !== null && facts.startedAtMs > file.startedAtMs + CLOCK_SLACK_MS)
    return false;
  return facts.commandLine.includes(`-D ${cluster}`);
}

/** The postmaster, or its orphans: processes whose parent is not one of them. */
function rootsOf(processes: ProcessFacts[]): ProcessFacts[] {
  return processes.filter((one) => !processes.some((other) => other.pid === one.parentPid));
}

function signalAll(processes: ProcessFacts[], name: 'SIGINT' | 'SIGQUIT', cluster: string): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (codeOf(error) === 'ESRCH') continue;
      throw new StartProblem(
        `PostgreSQL of an earlier start still runs on ${cluster} (process ${pid}) and belongs to another user. End it and start again.`,
      );
    }
  }
}

/** Whether PostgreSQL would refuse because of a lock file, now that none of its processes lives. */
function wouldBlock(cluster: string): boolean {
  const file = readLockFile(cluster);
  if (file === null) return false;
  return file === 'unreadable' || isAlive(file.pid);
}

/** First line: process number; third line: its start in seconds since 1970. */
function readLockFile(cluster: string): LockFile | 'unreadable' | null {
  let text: string;
  try {
    text = readFileSync(lockFilePath(cluster), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const startedAtMs = Number.parseInt(lines[2] ?? '', 10) * 1000;
  return pid > 1 && startedAtMs > 0 ? { pid, startedAtMs } : 'unreadable';
}

function lockFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The process ids of server and database; zeros where there is no /proc. */
export interface Processes {
  app: number;
  postmaster: number;
}

export interface ProcessorTime {
  app: number;
  postgres: number;
  /** Time of this process and of those that it has started, such as load generators and browsers. */
  own: number;
  /** Time of ended child processes of this process, such as pgbench. */
  ended: number;
  /** Time of all programs on the machine. */
  machine: number;
  /** Elapsed, times the number of cores. */
  available: number;
}

/** Linux reports ticks, 100 per second (USER_HZ). */
const TICK_MICROS = 10_000;

/** Measures the processor time of server and database during `work`; `undefined` without /proc. */
export async function spentDuring<T>(
  who: Processes,
  work: () => Promise<T>,
): Promise<{ result: T; spent: ProcessorTime | undefined }> {
  const before = readTimes(who);
  const result = await work();
  const after = readTimes(who);
  if (before === undefined || after === undefined) return { result, spent: undefined };
  return { result, spent: difference(after, before) };
}

/** @returns the times of `more` minus those of `less` */
export function difference(more: ProcessorTime, less: ProcessorTime): ProcessorTime {
  const keys = Object.keys(more) as (keyof ProcessorTime)[];
  return Object.fromEntries(keys.map((key) => [key, more[key] - less[key]])) as never;
}

/** The processor share of programs other than ours, 0 to 1. */
export function otherShareOf(spent: ProcessorTime, loadMicros = spent.own): number {
  const others = spent.machine - spent.app - spent.postgres - loadMicros;
  return Math.max(0, others) / spent.available;
}

function readTimes(who: Processes): ProcessorTime | undefined {
  if (process.platform !== 'linux') return undefined;
  const ticksOf = { app: 0, postgres: 0, own: 0, ended: 0, machine: machineTicks() };
  const all = processes();
  const ours = new Set([process.pid]);
  // A set returns what is added during the loop as well.
  for (const ancestor of ours) {
    for (const { pid, parent } of all) if (parent === ancestor) ours.add(pid);
  }
  for (const { pid, parent, ticks, ticksOfEnded } of all) {
    if (pid === process.pid) ticksOf.ended += ticksOfEnded;
    // The time of ended backends is added to the postmaster, which waited for them.
    if (pid === who.postmaster) ticksOf.postgres += ticks + ticksOfEnded;
    else if (parent === who.postmaster) ticksOf.postgres += ticks;
    // With WEB_CONCURRENCY the serving processes are its children, as is an embedded database.
    else if (pid === who.app || parent === who.app) ticksOf.app += ticks;
    else if (ours.has(pid)) ticksOf.own += ticks;
  }
  const micros = Object.entries(ticksOf).map(([key, ticks]) => [key, ticks * TICK_MICROS]);
  const available = performance.now() * 1_000 * availableParallelism();
  return { ...Object.fromEntries(micros), available };
}

interface ProcessTicks {
  pid: number;
  parent: number;
  ticks: number;
  ticksOfEnded: number;
}

function processes(): ProcessTicks[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    let stat: string;
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      // The process has ended.
      return [];
    }
    // proc(5): the name in parentheses may contain spaces; the third field (state) follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return [
      {
        pid: Number(name),
        parent: field(4),
        ticks: field(14) + field(15),
        ticksOfEnded: field(16) + field(17),
      },
    ];
  });
}

/** Everything except idle and waiting for I/O. */
function machineTicks(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + softIrq + steal;
}

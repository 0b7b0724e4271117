import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of processor time, of all cores together. */
export interface ProcessorTime {
  app: number;
  postgres: number;
  /** Of ended child processes of this process, such as pgbench. */
  ended: number;
  /** Of all programs on the machine. */
  machine: number;
}

/** Linux reports ticks, 100 per second (USER_HZ). */
const TICK_MICROS = 10_000;

/** Measures the processor time of server and database during `work`; `undefined` without /proc. */
export async function spentDuring<T>(
  who: { app: number; postmaster: number },
  work: () => Promise<T>,
): Promise<{ result: T; spent: ProcessorTime | undefined }> {
  const before = readTimes(who);
  const result = await work();
  const after = readTimes(who);
  if (before === undefined || after === undefined) return { result, spent: undefined };
  return { result, spent: difference(after, before) };
}

export function difference(more: ProcessorTime, less: ProcessorTime): ProcessorTime {
  return {
    app: more.app - less.app,
    postgres: more.postgres - less.postgres,
    ended: more.ended - less.ended,
    machine: more.machine - less.machine,
  };
}

/** The child process whose arguments name `script`. */
export function findChild(script: string): number {
  for (const { pid, parent } of processes()) {
    if (parent !== process.pid) continue;
    if (
      readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        .split('\0')
        .some((a) => a.endsWith(script))
    ) {
      return pid;
    }
  }
  throw new Error(`no child process runs ${script}`);
}

export function readTimes(who: { app: number; postmaster: number }): ProcessorTime | undefined {
  if (process.platform !== 'linux') return undefined;
  let app = 0;
  let postgres = 0;
  let ended = 0;
  for (const { pid, parent, ticks, ticksOfEnded } of processes()) {
    // With WEB_CONCURRENCY the serving processes are its children, as is an embedded database.
    if (pid === who.app || (parent === who.app && pid !== who.postmaster)) app += ticks;
    if (pid === process.pid) ended += ticksOfEnded;
    // The time of ended backends is added to the postmaster, which waited for them.
    if (pid === who.postmaster) postgres += ticks + ticksOfEnded;
    if (parent === who.postmaster) postgres += ticks;
  }
  return {
    app: app * TICK_MICROS,
    postgres: postgres * TICK_MICROS,
    ended: ended * TICK_MICROS,
    machine: machineTicks() * TICK_MICROS,
  };
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

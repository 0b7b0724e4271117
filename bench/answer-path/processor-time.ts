import { readdirSync, readFileSync } from 'node:fs';

/** Microseconds of processor time, of all cores together. */
export interface ProcessorTime {
  app: number;
  postgres: number;
  /** Of programs that this process started and that have ended, such as pgbench. */
  ended: number;
  /** Of everything that runs on the machine. */
  machine: number;
}

/** Linux reports in ticks, and has told programs for decades that there are 100 in a second. */
const TICK_MICROS = 10_000;

/** Measures what the server and its database spend while something runs; `undefined` without /proc. */
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

/** The process that this one started and whose arguments name `script`. */
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
    // With WEB_CONCURRENCY those that serve are its children, and so is an embedded database.
    if (pid === who.app || (parent === who.app && pid !== who.postmaster)) app += ticks;
    if (pid === process.pid) ended += ticksOfEnded;
    // What ended connections spent stands with the postmaster, who waited for them.
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
      // It has ended in the meantime.
      return [];
    }
    // proc(5): the name in brackets may hold blanks; the third field (state) follows it.
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

/** Everything but idling and waiting for the disk. */
function machineTicks(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return user + nice + system + irq + softIrq + steal;
}

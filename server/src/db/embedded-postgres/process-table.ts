import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { childEnvironment } from '../../runtime/config.ts';

/** Facts of a live process. null: the system does not show them to us. */
export interface ProcessFacts {
  pid: number;
  parentPid: number | null;
  /** The program's short name, such as `postgres`. */
  name: string;
  workingFolder: string | null;
  commandLine: string;
  /** Milliseconds since 1970, good to about a second. */
  startedAtMs: number | null;
}

/** Linux counts in these, on every architecture that Node supports. */
const TICKS_PER_SECOND = 100;

const hasProc = process.platform === 'linux';

/** The facts of a process, or null when it is gone. A zombie counts as gone: it holds nothing. */
export function inspectProcess(pid: number): ProcessFacts | null {
  return hasProc ? inspectThroughProc(pid) : inspectThroughPs(pid);
}

/** Live processes whose working folder is `folder`; none where that is hidden (macOS). */
export function processesWorkingIn(folder: string): ProcessFacts[] {
  if (!hasProc) return [];
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry) || linkTarget(`/proc/${entry}/cwd`) !== folder) return [];
    const facts = inspectProcess(Number(entry));
    return facts === null ? [] : [facts];
  });
}

function inspectThroughProc(pid: number): ProcessFacts | null {
  const stat = textOf(`/proc/${pid}/stat`);
  // The name is in brackets and may itself contain blanks and brackets: cut at the last one.
  const nameEnd = stat?.lastIndexOf(')') ?? -1;
  if (stat === null || nameEnd < 0) return null;
  const fields = stat.slice(nameEnd + 2).split(' ');
  const state = fields[0] ?? '';
  if (state === 'Z' || state === 'X') return null;
  return {
    pid,
    parentPid: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    workingFolder: linkTarget(`/proc/${pid}/cwd`),
    commandLine: (textOf(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim(),
    startedAtMs: startedAt(Number(fields[19])),
  };
}

/** @param ticks since the machine was started: field 22 of /proc/<pid>/stat */
function startedAt(ticks: number): number | null {
  const booted = /^btime (\d+)$/m.exec(textOf('/proc/stat') ?? '')?.[1];
  return booted === undefined ? null : (Number(booted) + ticks / TICKS_PER_SECOND) * 1000;
}

function inspectThroughPs(pid: number): ProcessFacts | null {
  const args = ['-p', String(pid), '-o', 'stat=', '-o', 'ppid=', '-o', 'lstart=', '-o', 'command='];
  const { stdout } = spawnSync('ps', args, {
    encoding: 'utf8',
    env: childEnvironment({ LC_ALL: 'C' }),
  });
  // "Ss   1 Fri Nov 20 10:11:12 2026 /path/to/postgres -D …"
  const line = /^\s*(\S+)\s+(\d+)\s+(\w+ \w+ +\d+ [\d:]+ \d+)\s+(.*)$/.exec(stdout ?? '');
  const [, state, parentPid, started, commandLine] = line ?? [];
  if (state === undefined || started === undefined || commandLine === undefined) return null;
  if (state.startsWith('Z')) return null;
  const startedAtMs = Date.parse(started);
  return {
    pid,
    parentPid: Number(parentPid),
    // A path may contain blanks, so the program ends where its options begin.
    name: commandLine.replace(/ -.*$/, '').replace(/^.*\//, ''),
    workingFolder: null,
    commandLine,
    startedAtMs: Number.isNaN(startedAtMs) ? null : startedAtMs,
  };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

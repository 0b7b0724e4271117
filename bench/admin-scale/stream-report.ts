import { readFileSync, writeFileSync } from 'node:fs';
import { rounded } from '../statistics.ts';
import type { Portal } from './measure.ts';

export interface ReportFigure {
  seconds: number;
  rows: number;
  megabytes: number;
  /** Peak memory of the server above the memory before; `null` without /proc. */
  extraMegabytes: number | null;
}

/** Downloads the report of all attempts and measures the server's peak memory. */
export async function streamReport(portal: Portal, serverPid: number): Promise<ReportFigure> {
  const before = resetPeak(serverPid);
  const began = performance.now();
  const response = await fetch(`${portal.url}/api/participants/export`, {
    headers: { cookie: portal.cookie },
  });
  if (!response.ok || response.body === null) throw new Error(`no report: ${response.status}`);
  let rows = -1;
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
  }
  const seconds = (performance.now() - began) / 1_000;
  const peak = before === null ? null : memory(serverPid, 'VmHWM');
  return {
    seconds: rounded(seconds, 1),
    rows,
    megabytes: rounded(bytes / 1e6, 1),
    extraMegabytes: peak === null || before === null ? null : rounded((peak - before) / 1_024, 1),
  };
}

/** Resets the peak to the memory in use (proc(5): clear_refs) and returns that, in KiB. */
function resetPeak(pid: number): number | null {
  if (pid === 0) return null;
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return memory(pid, 'VmRSS');
}

function memory(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
}

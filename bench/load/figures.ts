import { percentile } from '../statistics.ts';

export type Kind =
  | 'sign-in'
  | 'start'
  | 'waiting'
  | 'paper'
  | 'save'
  | 'heartbeat'
  | 'report'
  | 'submit'
  | 'empty';

interface Outcomes {
  ok: number;
  refused: number;
  failed: number;
  /** Requests without a complete response: the connection broke, or timed out. */
  unanswered: number;
  firstTrouble: string | null;
}

export interface Counts extends Outcomes {
  /** From the scheduled moment to the complete response, or until it was given up. */
  ms: number[];
  /** The scheduled moment in milliseconds since the part began. */
  at: number[];
}

export interface KindFigures extends Outcomes {
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  longestMs: number;
  /** The p99 of requests scheduled in each ten seconds. */
  p99MsByTenSeconds: number[];
}

export interface Part {
  kinds: Partial<Record<Kind, KindFigures>>;
  /** From the start of the timetable to the last response. */
  wallSeconds: number;
  plannedSeconds: number;
  loadMicros: number;
  /** How late the load generator itself was at worst, on a busy machine. */
  latestMs: number;
}

export type CountedPart = Omit<Part, 'kinds'> & { kinds: Map<Kind, Counts> };

export function newCounts(): Counts {
  return { ok: 0, refused: 0, failed: 0, unanswered: 0, firstTrouble: null, ms: [], at: [] };
}

/** Sums the counts of all processes. */
export function sumParts(parts: CountedPart[]): Part {
  const kinds = new Set(parts.flatMap((part) => [...part.kinds.keys()]));
  const countsOf = (kind: Kind) => parts.flatMap((part) => part.kinds.get(kind) ?? []);
  return {
    kinds: Object.fromEntries([...kinds].map((kind) => [kind, figuresOf(countsOf(kind))])),
    wallSeconds: Math.max(...parts.map(({ wallSeconds }) => wallSeconds)),
    plannedSeconds: Math.max(...parts.map(({ plannedSeconds }) => plannedSeconds)),
    loadMicros: parts.reduce((sum, { loadMicros }) => sum + loadMicros, 0),
    latestMs: Math.max(...parts.map(({ latestMs }) => latestMs)),
  };
}

const TEN_SECONDS_MS = 10_000;

function figuresOf(counts: readonly Counts[]): KindFigures {
  const sum = (count: (c: Counts) => number) => counts.reduce((n, c) => n + count(c), 0);
  const ms = counts.flatMap((c) => c.ms);
  const windows: number[][] = [];
  for (const one of counts) {
    for (const [i, at] of one.at.entries()) {
      const window = Math.max(0, Math.floor(at / TEN_SECONDS_MS));
      while (windows.length <= window) windows.push([]);
      windows[window]?.push(one.ms[i] ?? 0);
    }
  }
  return {
    ok: sum((c) => c.ok),
    refused: sum((c) => c.refused),
    failed: sum((c) => c.failed),
    unanswered: sum((c) => c.unanswered),
    firstTrouble: counts.find((c) => c.firstTrouble !== null)?.firstTrouble ?? null,
    p50Ms: percentile(ms, 0.5),
    p99Ms: percentile(ms, 0.99),
    p999Ms: percentile(ms, 0.999),
    longestMs: percentile(ms, 1),
    p99MsByTenSeconds: windows.map((times) => (times.length > 0 ? percentile(times, 0.99) : 0)),
  };
}

/** Requests of a part that did not succeed, and the first of them. */
export function troublesOf(parts: readonly Part[]): { count: number; first: string | null } {
  const kinds = parts.flatMap((part) => Object.values(part.kinds));
  return {
    count: kinds.reduce((n, kind) => n + kind.refused + kind.failed + kind.unanswered, 0),
    first: kinds.find(({ firstTrouble }) => firstTrouble !== null)?.firstTrouble ?? null,
  };
}

/** Results of one kind of request. Times are from the scheduled moment to the complete response. */
export interface KindFigures {
  /** Responded with 2xx. */
  ok: number;
  /** Responded with 4xx. */
  refused: number;
  /** Responded with 5xx. */
  failed: number;
  /** Without a complete response: the connection broke, or timed out. */
  unanswered: number;
  /** The first error, for the reader. */
  firstTrouble: string | null;
  p50Ms: number;
  p99Ms: number;
  p999Ms: number;
  longestMs: number;
  /** The p99 of requests scheduled in each ten seconds. */
  p99MsByTenSeconds: number[];
}

/**
 * Number of requests by latency: microseconds, rounded to three significant digits. Plain data, which
 * can be sent between processes (Node's histograms cannot).
 */
type Histogram = Map<number, number>;

/** The requests of one kind, as counted by one load generator. */
export interface KindCounts {
  ok: number;
  refused: number;
  failed: number;
  unanswered: number;
  firstTrouble: string | null;
  all: Histogram;
  byTenSeconds: Histogram[];
}

const TEN_SECONDS_MS = 10_000;

export function newCounts(): KindCounts {
  return {
    ok: 0,
    refused: 0,
    failed: 0,
    unanswered: 0,
    firstTrouble: null,
    all: new Map(),
    byTenSeconds: [],
  };
}

/**
 * Counts a response, `ms` after its scheduled moment, including refused ones.
 *
 * @param sinceMs the scheduled moment, since the part began
 */
export function countResponse(
  counts: KindCounts,
  status: number,
  ms: number,
  text: () => string,
  sinceMs = 0,
): void {
  countTime(counts, ms, sinceMs);
  if (status < 300) counts.ok += 1;
  else {
    if (status < 500) counts.refused += 1;
    else counts.failed += 1;
    counts.firstTrouble ??= text();
  }
}

/** Counts a missing response; `ms` is the wait before giving up, a lower bound. */
export function countLost(counts: KindCounts, why: string, ms: number, sinceMs = 0): void {
  countTime(counts, ms, sinceMs);
  counts.unanswered += 1;
  counts.firstTrouble ??= why;
}

function countTime(counts: KindCounts, ms: number, sinceMs: number): void {
  const window = Math.max(0, Math.floor(sinceMs / TEN_SECONDS_MS));
  while (counts.byTenSeconds.length <= window) counts.byTenSeconds.push(new Map());
  const micros = Math.max(1, Number((ms * 1_000).toPrecision(3)));
  for (const histogram of [counts.all, counts.byTenSeconds[window]]) {
    histogram?.set(micros, (histogram.get(micros) ?? 0) + 1);
  }
}

/** The sum of the counts of all load generators. */
export function sumCounts(counts: readonly KindCounts[]): KindCounts {
  const windows = Math.max(0, ...counts.map(({ byTenSeconds }) => byTenSeconds.length));
  const sum = (count: (c: KindCounts) => number) => counts.reduce((n, c) => n + count(c), 0);
  return {
    ok: sum((c) => c.ok),
    refused: sum((c) => c.refused),
    failed: sum((c) => c.failed),
    unanswered: sum((c) => c.unanswered),
    firstTrouble: counts.find((c) => c.firstTrouble !== null)?.firstTrouble ?? null,
    all: addUp(counts.map(({ all }) => all)),
    byTenSeconds: Array.from({ length: windows }, (_, i) =>
      addUp(counts.map(({ byTenSeconds }) => byTenSeconds[i] ?? new Map())),
    ),
  };
}

function addUp(histograms: readonly Histogram[]): Histogram {
  const sum: Histogram = new Map();
  for (const histogram of histograms) {
    for (const [micros, n] of histogram) sum.set(micros, (sum.get(micros) ?? 0) + n);
  }
  return sum;
}

export function figuresOf({ all, byTenSeconds, ...counts }: KindCounts): KindFigures {
  const [p50Ms = 0, p99Ms = 0, p999Ms = 0, longestMs = 0] = percentilesMs(all, [50, 99, 99.9, 100]);
  return {
    ...counts,
    p50Ms,
    p99Ms,
    p999Ms,
    longestMs,
    p99MsByTenSeconds: byTenSeconds.map((histogram) => percentilesMs(histogram, [99])[0] ?? 0),
  };
}

/** @param percents ascending; without requests each result is 0 */
function percentilesMs(histogram: Histogram, percents: readonly number[]): number[] {
  const times = [...histogram].sort(([a], [b]) => a - b);
  const total = times.reduce((sum, [, n]) => sum + n, 0);
  let passed = 0;
  let i = 0;
  return percents.map((percent) => {
    while (i < times.length - 1 && passed + (times[i]?.[1] ?? 0) < (total * percent) / 100) {
      passed += times[i]?.[1] ?? 0;
      i += 1;
    }
    return (times[i]?.[0] ?? 0) / 1_000;
  });
}

import { ATTEMPT_LIMITS } from './limits.ts';
import { type CountingType, type FlagType, levelOf } from './violations/violation-types.ts';

/** Reasons for attention to an attempt in progress, most urgent first. */
export const ATTENTION_KINDS = [
  'last_chance',
  'high_flag',
  // Somebody waits for an answer; what stands above it is lost when nobody looks at once.
  'help',
  'silent',
  'violation',
  'offline',
  'low_flag',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Signal {
  type: CountingType | FlagType;
  at: Date;
  counted: boolean;
  durationMs: number | null;
}

export interface Attention {
  kind: AttentionKind;
  since: Date;
  signal: Signal | null;
}

export interface LiveState {
  /** One more violation ends it, by any limit (violation-counting.ts). */
  isLastChance: boolean;
  lastSignal: Signal | null;
  /** The newest of the most urgent signals within `attentionMs`. */
  worstSignal: Signal | null;
  lastSeenAt: Date;
  /** The moment since when answers arrive without a report of the page's monitor. */
  silentSince: Date | null;
  /** Since when the candidate asks for help. */
  helpAt: Date | null;
  /** The clock stands still: nobody has to be there. */
  isPaused: boolean;
}

/** The most urgent reason for attention to an attempt; `null`: none. */
export function attentionOf(state: LiveState, now: Date): Attention | null {
  const found: Attention[] = [];
  const { lastSignal, worstSignal, lastSeenAt, silentSince, helpAt, isPaused } = state;
  if (state.isLastChance) {
    // A later harmless event is not the reason.
    const signal = worstSignal ?? (lastSignal?.counted ? lastSignal : null);
    found.push({ kind: 'last_chance', since: (signal ?? lastSignal)?.at ?? now, signal });
  }
  const kind = worstSignal && kindOf(worstSignal);
  if (worstSignal && kind) found.push({ kind, since: worstSignal.at, signal: worstSignal });
  if (helpAt) found.push({ kind: 'help', since: helpAt, signal: null });
  if (silentSince && !isPaused) found.push({ kind: 'silent', since: silentSince, signal: null });
  if (isOffline(lastSeenAt, now) && !isPaused)
    found.push({ kind: 'offline', since: lastSeenAt, signal: null });
  return found.sort((a, b) => rank(a.kind) - rank(b.kind))[0] ?? null;
}

/** Whether the browser has missed more than two heartbeats. */
export function isOffline(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() > ATTEMPT_LIMITS.connectionGapMs;
}

function kindOf({ type, counted, durationMs }: Signal): AttentionKind | null {
  if (counted) return 'violation';
  const level = levelOf(type, durationMs);
  if (level === 'info') return null;
  return level === 'high' ? 'high_flag' : 'low_flag';
}

const rank = (kind: AttentionKind) => ATTENTION_KINDS.indexOf(kind);

/** The facts by which the board is ordered; times in wire format. */
export interface LiveRank {
  id: string;
  attention: { kind: AttentionKind; since: string } | null;
  violationCount: number;
  deadlineAt: string;
}

const waitingSince = ({ attention }: LiveRank) => (attention ? Date.parse(attention.since) : 0);

/** Most urgent first: kind, then longest waiting, then violations, then least time left. */
export function compareLive(a: LiveRank, b: LiveRank): number {
  const last = ATTENTION_KINDS.length;
  return (
    (a.attention ? rank(a.attention.kind) : last) - (b.attention ? rank(b.attention.kind) : last) ||
    waitingSince(a) - waitingSince(b) ||
    b.violationCount - a.violationCount ||
    Date.parse(a.deadlineAt) - Date.parse(b.deadlineAt) ||
    (a.id < b.id ? -1 : 1)
  );
}

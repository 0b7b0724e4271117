import { ATTEMPT_LIMITS, LIVE_LIMITS } from './limits.ts';
import { type CountingType, type FlagType, levelOf } from './violation-types.ts';

/** What makes a person look at somebody who is writing, the worst first. */
export const ATTENTION_KINDS = [
  'last_chance',
  'high_flag',
  'silent',
  'violation',
  'offline',
  'low_flag',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface Attention {
  kind: AttentionKind;
  since: Date;
}

/** How an attempt under way stands, as far as attention goes. */
export interface LiveState {
  violationCount: number;
  violationLimit: number | null;
  fullscreenExits: number;
  fullscreenLimit: number | null;
  lastSignal: { type: CountingType | FlagType; at: Date; counted: boolean } | null;
  lastSeenAt: Date;
  /** Since when answers arrive without a word of the page's monitor. */
  silentSince: Date | null;
}

/** The worst thing about an attempt just now; `null`: nothing asks for attention. */
export function attentionOf(state: LiveState, now: Date): Attention | null {
  const found: Attention[] = [];
  const { lastSignal, lastSeenAt, silentSince } = state;
  const isLast = (count: number, limit: number | null) =>
    limit !== null && count > 0 && count >= limit - 1;
  if (
    isLast(state.violationCount, state.violationLimit) ||
    isLast(state.fullscreenExits, state.fullscreenLimit)
  ) {
    found.push({ kind: 'last_chance', since: lastSignal?.at ?? now });
  }
  if (lastSignal && now.getTime() - lastSignal.at.getTime() <= LIVE_LIMITS.attentionMs) {
    const kind = kindOf(lastSignal);
    if (kind) found.push({ kind, since: lastSignal.at });
  }
  if (silentSince) found.push({ kind: 'silent', since: silentSince });
  if (isOffline(lastSeenAt, now)) found.push({ kind: 'offline', since: lastSeenAt });
  return found.sort((a, b) => rank(a.kind) - rank(b.kind))[0] ?? null;
}

/** Whether the browser has missed more than two heartbeats. */
export function isOffline(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() > ATTEMPT_LIMITS.connectionGapMs;
}

function kindOf({ type, counted }: NonNullable<LiveState['lastSignal']>): AttentionKind | null {
  if (counted) return 'violation';
  const level = levelOf(type);
  if (level === 'info') return null;
  return level === 'high' ? 'high_flag' : 'low_flag';
}

const rank = (kind: AttentionKind) => ATTENTION_KINDS.indexOf(kind);

/** What the order of the board depends on; times as they are on the wire. */
export interface LiveRank {
  id: string;
  attention: { kind: AttentionKind; since: string } | null;
  violationCount: number;
  deadlineAt: string;
}

const waitingSince = ({ attention }: LiveRank) => (attention ? Date.parse(attention.since) : 0);

/** Worst first: kind, then whoever waits longest, then violations, then the least time left. */
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

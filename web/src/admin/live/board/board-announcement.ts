import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { signalWords } from '../../../lib/signal-words.ts';

/** Minimum time between announcements, so that many candidates do not flood a screen reader. */
export const QUIET_MS = 15_000;

export interface Announced {
  /** The last announcement; empty before the first. */
  text: string;
  atMs: number;
  /** Who needed attention at that time, and why. */
  reasons: ReadonlyMap<string, string>;
}

/**
 * Screen reader announcement of the board: only who newly needs attention, several at once in one
 * sentence. A return to normal is not announced. `null`: nothing to announce now.
 *
 * @param announced `null` at the first frame, which is not announced: it is on the screen
 */
export function nextAnnouncement(
  announced: Announced | null,
  needAttention: readonly LiveAttempt[],
  nowMs: number,
): Announced | null {
  const reasons = new Map(
    needAttention.map((attempt) => [attempt.id, attempt.attention?.kind ?? '']),
  );
  if (announced === null) return { text: '', atMs: nowMs - QUIET_MS, reasons };
  if (nowMs - announced.atMs < QUIET_MS) return null;
  const changed = needAttention.filter(
    ({ id, attention }) => announced.reasons.get(id) !== (attention?.kind ?? ''),
  );
  // Remove those who no longer need attention, so that the next time is announced.
  if (changed.length === 0)
    return reasons.size < announced.reasons.size ? { ...announced, reasons } : null;
  return { text: sentence(changed, needAttention.length), atMs: nowMs, reasons };
}

function sentence(changed: readonly LiveAttempt[], all: number): string {
  const [first] = changed;
  const count = `${all} ${all === 1 ? 'needs' : 'need'} attention.`;
  if (first === undefined || changed.length > 1) return `${count} ${changed.length} are new.`;
  return `${first.userEmail ?? 'Unknown'}: ${attentionWords(first)}. ${count}`;
}

/** A short reason for attention. */
export function attentionWords({ attention }: LiveAttempt): string {
  if (attention?.kind === 'offline') return 'Offline';
  if (attention?.kind === 'silent') return 'No monitoring data';
  const signal = attention?.signal ?? null;
  return signal === null ? 'Near the limit' : signalWords(signal.type);
}

/** The consequence. */
export function attentionMeaning({ attention }: LiveAttempt): string {
  switch (attention?.kind) {
    case 'last_chance':
      return 'One more violation ends this attempt.';
    case 'offline':
      return 'Still in progress; answers are kept on the device.';
    case 'silent':
      return 'Answers arrive, but no monitoring data.';
    default:
      return attention?.signal?.counted ? 'Counted.' : 'Recorded, not counted.';
  }
}

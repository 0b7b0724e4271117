import type { LiveAttempt } from '@invigil/core/contract/live';
import { signalWords } from '../../../lib/signal-words.ts';

/** At most one sentence in this time: a hall of people must not talk over the listener. */
export const QUIET_MS = 15_000;

export interface Said {
  /** What was said last; empty before the first time. */
  text: string;
  atMs: number;
  /** Who needed attention then, and why. */
  reasons: ReadonlyMap<string, string>;
}

/**
 * What a screen reader hears of the board: only who newly needs attention, several at once in one
 * sentence. Who comes to rest again is not news. `null`: nothing to say now.
 *
 * @param said `null` at the first frame, of which nothing is said: it is on the screen
 */
export function nextAnnouncement(
  said: Said | null,
  needAttention: readonly LiveAttempt[],
  nowMs: number,
): Said | null {
  const reasons = new Map(
    needAttention.map((attempt) => [attempt.id, attempt.attention?.kind ?? '']),
  );
  if (said === null) return { text: '', atMs: nowMs - QUIET_MS, reasons };
  if (nowMs - said.atMs < QUIET_MS) return null;
  const news = needAttention.filter(
    ({ id, attention }) => said.reasons.get(id) !== (attention?.kind ?? ''),
  );
  // Forgets who came to rest, so that the next time is news again.
  if (news.length === 0) return reasons.size < said.reasons.size ? { ...said, reasons } : null;
  return { text: sentence(news, needAttention.length), atMs: nowMs, reasons };
}

function sentence(news: readonly LiveAttempt[], all: number): string {
  const [first] = news;
  const count = `${all} ${all === 1 ? 'needs' : 'need'} attention.`;
  if (first === undefined || news.length > 1) return `${count} ${news.length} are new.`;
  return `${first.userEmail ?? 'Unknown'}: ${attentionWords(first)}. ${count}`;
}

/** Why somebody needs a look, in few words. */
export function attentionWords({ attention }: LiveAttempt): string {
  if (attention?.kind === 'offline') return 'Offline';
  if (attention?.kind === 'silent') return 'No monitoring data';
  const signal = attention?.signal ?? null;
  return signal === null ? 'Near the limit' : signalWords(signal.type);
}

/** What follows from it. */
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

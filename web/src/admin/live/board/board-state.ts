import type { LiveAttempt, LiveFrame } from '@invigil/core/contract/review/live';

/** The state of the board: frames contain only changes. */
export interface Board {
  attempts: ReadonlyMap<string, LiveAttempt>;
  /** When each attempt's time is up, by the server's clock in milliseconds. */
  endsAt: ReadonlyMap<string, number>;
  quizzes: NonNullable<LiveFrame['quizzes']>;
  ended: NonNullable<LiveFrame['ended']>;
  /** The time of the last frame. */
  at: string;
  /** Offset from this page's monotonic clock to the server's. */
  clockOffsetMs: number;
}

/** Latency varies between frames; a jumping clock would make every countdown stutter. */
const STEADY_MS = 500;

/**
 * The board after a frame. An attempt that did not change stays the same object, so that its tile
 * is not rendered again.
 *
 * @param board `null` before the first frame
 * @param receivedAtMs of this page's monotonic clock
 */
export function applyFrame(board: Board | null, frame: LiveFrame, receivedAtMs: number): Board {
  const serverMs = Date.parse(frame.at);
  const offset = serverMs - receivedAtMs;
  const before = frame.isWhole ? null : board;
  const attempts = new Map(before?.attempts);
  const endsAt = new Map(before?.endsAt);
  for (const attempt of frame.attempts) {
    attempts.set(attempt.id, attempt);
    endsAt.set(attempt.id, serverMs + attempt.remainingMs);
  }
  for (const id of frame.gone) {
    attempts.delete(id);
    endsAt.delete(id);
  }
  const known = board?.clockOffsetMs;
  return {
    attempts,
    endsAt,
    quizzes: frame.quizzes ?? board?.quizzes ?? [],
    ended: frame.ended ?? board?.ended ?? [],
    at: frame.at,
    clockOffsetMs: known !== undefined && Math.abs(known - offset) < STEADY_MS ? known : offset,
  };
}

import type {
  LiveAttempt,
  LiveEnded,
  LiveFrame,
  LiveQuiz,
} from '@invigil/core/contract/review/live';
import { remainingMs } from '@invigil/core/domain/attempt';
import { compareLive } from '@invigil/core/domain/live-order';

/** The state of the board at one poll. */
export interface BoardSnapshot {
  /** The number of the poll, counted across all processes. */
  number: number;
  at: Date;
  attempts: ReadonlyMap<string, LiveAttempt>;
  quizzes: readonly LiveQuiz[];
  ended: readonly LiveEnded[];
}

export const toJson = (frame: LiveFrame) => JSON.stringify(frame);

/** Everything on the board, the most urgent first. */
export function wholeFrame(snapshot: BoardSnapshot): LiveFrame {
  const attempts = [...snapshot.attempts.values()].sort(compareLive);
  return {
    ...summaryOf(snapshot),
    isWhole: true,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      // An unchanged attempt still has the value of an earlier poll.
      remainingMs: remainingMs(new Date(attempt.deadlineAt), snapshot.at),
    })),
    gone: [],
    quizzes: [...snapshot.quizzes],
    ended: [...snapshot.ended],
  };
}

/** What changed between two snapshots. */
export function changeFrame(before: BoardSnapshot, snapshot: BoardSnapshot): LiveFrame {
  return {
    ...summaryOf(snapshot),
    isWhole: false,
    attempts: [...snapshot.attempts.values()].filter((attempt) => {
      const earlier = before.attempts.get(attempt.id);
      return earlier === undefined || hasChanged(earlier, attempt);
    }),
    gone: [...before.attempts.keys()].filter((id) => !snapshot.attempts.has(id)),
    ...(isSame(before.quizzes, snapshot.quizzes) ? {} : { quizzes: [...snapshot.quizzes] }),
    ...(isSame(before.ended, snapshot.ended) ? {} : { ended: [...snapshot.ended] }),
  };
}

/** Rebuilds the snapshot of another process from the change that it published. */
export function applyChange(
  before: BoardSnapshot,
  number: number,
  change: LiveFrame,
): BoardSnapshot {
  const attempts = new Map(before.attempts);
  for (const id of change.gone) attempts.delete(id);
  for (const attempt of change.attempts) attempts.set(attempt.id, attempt);
  return {
    number,
    at: new Date(change.at),
    attempts,
    quizzes: change.quizzes ?? before.quizzes,
    ended: change.ended ?? before.ended,
  };
}

function summaryOf(snapshot: BoardSnapshot) {
  const attempts = [...snapshot.attempts.values()];
  return {
    at: snapshot.at.toISOString(),
    writing: attempts.length,
    needAttention: attempts.filter(({ attention }) => attention !== null).length,
  };
}

/** The remaining time is ignored: the page counts it down itself. */
function hasChanged(before: LiveAttempt, now: LiveAttempt): boolean {
  return !isSame({ ...before, remainingMs: 0 }, { ...now, remainingMs: 0 });
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

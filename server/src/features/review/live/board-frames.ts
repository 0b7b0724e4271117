import type { LiveAttempt, LiveEnded, LiveFrame, LiveQuiz } from '@invigil/core/contract/live';
import { remainingMs } from '@invigil/core/domain/attempt';
import { compareLive } from '@invigil/core/domain/live-order';

/** How the board stood at a look. */
export interface Look {
  /** Counted in the whole installation. */
  number: number;
  at: Date;
  attempts: ReadonlyMap<string, LiveAttempt>;
  quizzes: readonly LiveQuiz[];
  ended: readonly LiveEnded[];
}

export const written = (frame: LiveFrame) => JSON.stringify(frame);

/** All of it, worst first. */
export function wholeOf(look: Look): LiveFrame {
  const attempts = [...look.attempts.values()].sort(compareLive);
  return {
    ...figuresOf(look),
    isWhole: true,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      // One that did not change was written at an earlier look.
      remainingMs: remainingMs(new Date(attempt.deadlineAt), look.at),
    })),
    gone: [],
    quizzes: [...look.quizzes],
    ended: [...look.ended],
  };
}

/** What changed between two looks. */
export function changeFrom(before: Look, look: Look): LiveFrame {
  return {
    ...figuresOf(look),
    isWhole: false,
    attempts: [...look.attempts.values()].filter((attempt) => {
      const earlier = before.attempts.get(attempt.id);
      return earlier === undefined || hasChanged(earlier, attempt);
    }),
    gone: [...before.attempts.keys()].filter((id) => !look.attempts.has(id)),
    ...(isSame(before.quizzes, look.quizzes) ? {} : { quizzes: [...look.quizzes] }),
    ...(isSame(before.ended, look.ended) ? {} : { ended: [...look.ended] }),
  };
}

/** The look that a change leads to: what another process has seen. */
export function applyChange(before: Look, number: number, change: LiveFrame): Look {
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

function figuresOf(look: Look) {
  const attempts = [...look.attempts.values()];
  return {
    at: look.at.toISOString(),
    writing: attempts.length,
    needAttention: attempts.filter(({ attention }) => attention !== null).length,
  };
}

/** The time that is left runs down by itself; the page knows. */
function hasChanged(before: LiveAttempt, now: LiveAttempt): boolean {
  return !isSame({ ...before, remainingMs: 0 }, { ...now, remainingMs: 0 });
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

import type { LiveAttempt, LiveFrame } from '@invigil/core/contract/review/live';

/** An attempt in progress that needs no attention. */
export function liveAttempt(change: Partial<LiveAttempt> = {}): LiveAttempt {
  return {
    id: 'a',
    userEmail: 'a.rahman@example.org',
    quizId: 'q',
    quizTitle: 'Network Fundamentals',
    startedAt: '2026-05-14T10:00:00.000Z',
    deadlineAt: '2026-05-14T10:25:00.000Z',
    remainingMs: 900_000,
    answeredCount: 11,
    totalQuestions: 25,
    violationCount: 0,
    violationLimit: 3,
    fullscreenExits: 0,
    tabSwitches: 0,
    lastSignal: null,
    connection: 'online',
    isSilent: false,
    isPhone: false,
    hasCamera: true,
    attention: null,
    ...change,
  };
}

/** The same with a detection. */
export function detected(change: Partial<LiveAttempt> = {}): LiveAttempt {
  return liveAttempt({
    violationCount: 2,
    lastSignal: {
      id: 's',
      type: 'face_not_detected',
      at: '2026-05-14T10:09:48.000Z',
      counted: true,
    },
    attention: {
      kind: 'last_chance',
      since: '2026-05-14T10:09:48.000Z',
      signal: { type: 'face_not_detected', counted: true },
    },
    ...change,
  });
}

export function liveFrame(change: Partial<LiveFrame> = {}): LiveFrame {
  return {
    at: '2026-05-14T10:10:00.000Z',
    isWhole: false,
    attempts: [],
    gone: [],
    writing: 0,
    needAttention: 0,
    ...change,
  };
}

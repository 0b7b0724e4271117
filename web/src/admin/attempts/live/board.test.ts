import { describe, expect, test } from 'vitest';
import { detected, liveAttempt, liveFrame } from '../../../testing/live-rows.ts';
import {
  attentionMeaning,
  attentionText,
  keepPlaces,
  nextAnnouncement,
  QUIET_MS,
  sidesOf,
} from './board-hooks.ts';
import { applyFrame } from './use-live-board.ts';

const AT = Date.parse('2026-05-14T10:10:00.000Z');
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join('');

describe('frames', () => {
  const [a, b] = [liveAttempt(), liveAttempt({ id: 'b' })];
  const first = applyFrame(null, liveFrame({ isWhole: true, attempts: [a, b] }), 1_000);

  test('preserves the identity of unchanged attempts', () => {
    const change = liveAttempt({ id: 'b', answeredCount: 12, remainingMs: 60_000 });
    const at = '2026-05-14T10:10:01.000Z';
    const next = applyFrame(first, liveFrame({ at, attempts: [change] }), 2_000);
    expect(next.attempts.get('a')).toBe(a);
    expect(next.attempts.get('b')).toBe(change);
    expect(next.endsAt.get('b')).toBe(AT + 61_000);
    expect(next.endsAt.get('a')).toBe(AT + 900_000);
  });

  test('remove ended attempts, and a full frame all others', () => {
    expect([...applyFrame(first, liveFrame({ gone: ['a'] }), 0).attempts.keys()]).toEqual(['b']);
    const whole = applyFrame(first, liveFrame({ isWhole: true, attempts: [b] }), 0);
    expect([...whole.attempts.keys()]).toEqual(['b']);
    expect(whole.endsAt.has('a')).toBe(false);
  });

  test('keeps assessments and ends until a frame replaces them', () => {
    const quizzes = [
      { quizId: 'q', title: 'N', writing: 2, notStarted: 1, completed: 0, dismissed: 0 },
    ];
    const known = applyFrame(first, liveFrame({ quizzes }), 0);
    expect(applyFrame(known, liveFrame(), 0).quizzes).toBe(quizzes);
  });

  test('adjust the clock after a change of the server clock, not for latency', () => {
    const late = applyFrame(first, liveFrame({ at: '2026-05-14T10:10:01.000Z' }), 2_300);
    expect(late.clockOffsetMs).toBe(first.clockOffsetMs);
    const moved = applyFrame(first, liveFrame({ at: '2026-05-14T10:12:00.000Z' }), 2_000);
    expect(moved.clockOffsetMs).toBe(first.clockOffsetMs + 119_000);
  });
});

describe('the order', () => {
  const offline = liveAttempt({
    id: 'o',
    connection: 'offline',
    attention: { kind: 'offline', since: '2026-05-14T10:01:00.000Z', signal: null },
  });
  const last = detected({ id: 'l' });
  const calm = liveAttempt({ id: 'c' });
  const other = liveAttempt({ id: 'x', quizId: 'other' });

  test('sorts the most urgent first, separates the others, and filters by assessment', () => {
    const { needAttention, quiet } = sidesOf([calm, offline, other, last], 'q');
    expect(ids(needAttention)).toBe('lo');
    expect(ids(quiet)).toBe('c');
    expect(ids(sidesOf([calm, other], null).quiet)).toBe('cx');
  });

  test('is frozen under the pointer, with new ones appended and ended ones removed', () => {
    expect(ids(keepPlaces(['o', 'z', 'c'], [last, calm, offline]))).toBe('ocl');
  });
});

describe('screen reader announcements', () => {
  const one = detected();
  const two = detected({ id: 'b', userEmail: null });

  test('announces nothing at the first frame, and nothing twice', () => {
    const first = nextAnnouncement(null, [one], 0);
    expect(first?.text).toBe('');
    expect(nextAnnouncement(first, [one], 60_000)).toBe(null);
  });

  test('names a single candidate and counts several', () => {
    const calm = nextAnnouncement(null, [], 0);
    expect(nextAnnouncement(calm, [one], 10)?.text).toBe(
      'a.rahman@example.org: Face not detected. 1 needs attention.',
    );
    expect(nextAnnouncement(calm, [one, two], 10)?.text).toBe('2 need attention. 2 are new.');
  });

  test('announces at most once per interval, including what arrived during it', () => {
    const calm = nextAnnouncement(null, [], 0);
    const said = nextAnnouncement(calm, [one], 0);
    expect(nextAnnouncement(said, [one, two], QUIET_MS - 1)).toBe(null);
    expect(nextAnnouncement(said, [one, two], QUIET_MS)?.text).toBe(
      'Unknown: Face not detected. 2 need attention.',
    );
  });

  test('does not announce a return to normal, but the next time', () => {
    const said = nextAnnouncement(nextAnnouncement(null, [], 0), [one], 0);
    const rested = nextAnnouncement(said, [], QUIET_MS);
    expect(rested?.text).toBe(said?.text);
    expect(nextAnnouncement(rested, [one], 2 * QUIET_MS)?.text).toContain('Face not detected');
  });
});

test('describes why a candidate needs attention, and the consequence', () => {
  const said = (change: Parameters<typeof detected>[0]) => {
    const attempt = detected(change);
    return `${attentionText(attempt)}: ${attentionMeaning(attempt)}`;
  };
  const since = '2026-05-14T10:09:48.000Z';
  const face = { type: 'face_not_detected', counted: true };
  const faces = { type: 'multiple_faces', counted: false };
  expect(said({})).toBe('Face not detected: One more violation ends this attempt.');
  expect(said({ attention: { kind: 'violation', since, signal: face } })).toBe(
    'Face not detected: Counted.',
  );
  expect(said({ attention: { kind: 'offline', since, signal: null } })).toContain(
    'Offline: Still in progress',
  );
  expect(said({ attention: { kind: 'silent', since, signal: null } })).toContain(
    'No monitoring data: Answers arrive',
  );
  // The words are about the reason for attention, not about the latest detection.
  expect(said({ attention: { kind: 'high_flag', since, signal: faces } })).toBe(
    'More than one person in view: Recorded, not counted.',
  );
  expect(said({ attention: { kind: 'last_chance', since, signal: null } })).toMatch(
    /^Near the limit:/,
  );
});

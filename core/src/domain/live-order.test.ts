import { describe, expect, it } from 'vitest';
import {
  attentionOf,
  compareLive,
  isOffline,
  type LiveRank,
  type LiveState,
  type Signal,
} from './live-order.ts';

const NOW = new Date('2026-05-14T08:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
const calm: LiveState = {
  isLastChance: false,
  lastSignal: null,
  worstSignal: null,
  lastSeenAt: ago(3),
  silentSince: null,
  helpAt: null,
  isPaused: false,
};
const signal = (type: Signal['type'], seconds: number, durationMs: number | null = null) => ({
  type,
  at: ago(seconds),
  counted: type === 'face_not_detected',
  durationMs,
});

describe('attention on the live board', () => {
  it.each([
    ['nothing was detected', {}],
    ['only an informational event was detected', { lastSignal: signal('window_blur', 1) }],
    ['a flag is long past', { lastSignal: signal('multiple_faces', 121) }],
    ['no more than two heartbeats were missed', { lastSeenAt: ago(25) }],
  ] as [string, Partial<LiveState>][])('is null while %s', (_, change) => {
    expect(attentionOf({ ...calm, ...change }, NOW)).toBeNull();
  });

  it.each([
    ['last_chance', 4, { isLastChance: true, worstSignal: signal('face_not_detected', 4) }],
    // Even if the last signal is long past: one more ends it.
    ['last_chance', 900, { isLastChance: true, lastSignal: signal('face_not_detected', 900) }],
    ['high_flag', 120, { worstSignal: signal('multiple_faces', 120) }],
    ['violation', 8, { worstSignal: signal('face_not_detected', 8) }],
    ['low_flag', 8, { worstSignal: signal('clipboard', 8) }],
    ['silent', 40, { silentSince: ago(40) }],
    // Before what needs no answer, and after what one look may still catch.
    ['help', 70, { helpAt: ago(70), silentSince: ago(80), lastSeenAt: ago(60) }],
    ['high_flag', 8, { helpAt: ago(70), worstSignal: signal('multiple_faces', 8) }],
    ['offline', 26, { lastSeenAt: ago(26) }],
    // The most urgent of several.
    ['high_flag', 8, { worstSignal: signal('multiple_faces', 8), lastSeenAt: ago(60) }],
    ['offline', 60, { worstSignal: signal('clipboard', 8), lastSeenAt: ago(60) }],
    // A harmless event afterwards does not replace it.
    [
      'high_flag',
      30,
      { worstSignal: signal('multiple_faces', 30), lastSignal: signal('window_blur', 1) },
    ],
  ] as [string, number, Partial<LiveState>][])('is %s since %d s', (kind, since, change) => {
    const state = { ...calm, ...change };
    expect(attentionOf(state, NOW)).toMatchObject({ kind, since: ago(since) });
  });

  it('is raised for a picture that stays dark, not for a briefly dark one', () => {
    const kind = (durationMs: number | null) =>
      attentionOf({ ...calm, worstSignal: signal('camera_dark', 1, durationMs) }, NOW)?.kind;
    expect([null, 59_999, 60_000].map(kind)).toEqual([undefined, undefined, 'low_flag']);
  });

  it('names what was detected, and never a harmless event', () => {
    const face = signal('face_not_detected', 900);
    const blur = signal('window_blur', 1);
    const about = (change: Partial<LiveState>) =>
      attentionOf({ ...calm, lastSignal: blur, ...change }, NOW)?.signal;
    expect(about({ worstSignal: signal('clipboard', 8) })).toEqual(signal('clipboard', 8));
    expect(about({ isLastChance: true })).toBeNull();
    expect(about({ isLastChance: true, lastSignal: face })).toBe(face);
    expect(about({ lastSeenAt: ago(60) })).toBeNull();
  });

  it('treats a browser as offline after more than 25 s', () => {
    expect(isOffline(ago(25), NOW)).toBe(false);
    expect(isOffline(new Date(NOW.getTime() - 25_001), NOW)).toBe(true);
  });
});

describe('the order of the live board', () => {
  const deadlineAt = '2026-05-14T08:30:00.000Z';
  const row = (id: string, change: Partial<LiveRank> = {}): LiveRank => ({
    id,
    attention: null,
    violationCount: 0,
    deadlineAt,
    ...change,
  });
  const since = (seconds: number) => ago(seconds).toISOString();

  it('sorts by urgency, waiting time, violations and time left, without ties', () => {
    const sorted = [
      row('a', { attention: { kind: 'last_chance', since: since(5) } }),
      row('b', { attention: { kind: 'high_flag', since: since(90) } }),
      row('c', { attention: { kind: 'high_flag', since: since(10) } }),
      row('i', { attention: { kind: 'help', since: since(20) } }),
      row('j', { attention: { kind: 'help', since: since(9) } }),
      row('k', { attention: { kind: 'silent', since: since(200) } }),
      row('d', { attention: { kind: 'low_flag', since: since(100) } }),
      row('e', { violationCount: 2 }),
      row('f', { violationCount: 1, deadlineAt: '2026-05-14T08:10:00.000Z' }),
      row('g', { violationCount: 1 }),
      row('h', { violationCount: 1 }),
    ];
    expect([...sorted].reverse().sort(compareLive)).toEqual(sorted);
  });
});

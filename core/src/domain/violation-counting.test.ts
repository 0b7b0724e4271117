import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combinedCount,
  EMPTY_TALLY,
  judgeViolation,
  type ReportedViolation,
  remainingOf,
  type ViolationRules,
  type ViolationTally,
} from './violation-counting.ts';
import { OFF_POLICY, REVIEW_POLICY, STRICT_POLICY } from './violation-policy.ts';
import { COUNTING_TYPES, type CountingType } from './violation-types.ts';

const START = Date.parse('2026-05-14T08:00:00.000Z');
const at = (seconds: number) => new Date(START + seconds * 1_000);
const rules = (change: Partial<ViolationRules> = {}): ViolationRules => ({
  policy: STRICT_POLICY,
  cameraEnabled: true,
  microphoneEnabled: true,
  isPhone: false,
  ...change,
});

/** Plays violations in order; gives the tally and which of them counted and dismissed. */
function play(
  given: ViolationRules,
  violations: readonly [type: CountingType, seconds: number, durationMs?: number][],
) {
  let tally: ViolationTally = EMPTY_TALLY;
  const counted: boolean[] = [];
  const dismissed: boolean[] = [];
  for (const [type, seconds, durationMs] of violations) {
    const reported: ReportedViolation = {
      type,
      at: at(seconds),
      durationMs: durationMs ?? null,
    };
    const verdict = judgeViolation(given, tally, reported);
    tally = verdict.tally;
    counted.push(verdict.counted);
    dismissed.push(verdict.dismiss);
  }
  return { tally, counted, dismissed };
}

describe('counting violations', () => {
  it('ends the attempt at the third of face and voice together', () => {
    const { tally, dismissed } = play(rules(), [
      ['face_not_detected', 0],
      ['voice_detected', 5],
      ['face_not_detected', 20],
    ]);
    expect(dismissed).toEqual([false, false, true]);
    expect(combinedCount(STRICT_POLICY, tally)).toBe(3);
  });

  it('counts one of a kind in ten seconds, each kind for itself', () => {
    const { counted } = play(rules(), [
      ['face_not_detected', 0],
      ['voice_detected', 1],
      ['face_not_detected', 9.999],
      ['voice_detected', 10.999],
      ['face_not_detected', 10],
    ]);
    expect(counted).toEqual([true, true, false, false, true]);
  });

  it('goes by the time of the event, also when an older one arrives later', () => {
    const { counted } = play(rules(), [
      ['face_not_detected', 100],
      ['face_not_detected', 95],
      ['face_not_detected', 80],
    ]);
    expect(counted).toEqual([true, false, true]);
  });

  it('ends at the limit of one sensor where the two are not added up', () => {
    const policy = { ...STRICT_POLICY, combinedTypes: [] };
    const voices = [0, 20, 40, 60, 80].map((s) => ['voice_detected', s] as const);
    const { dismissed, tally } = play(
      rules({ policy }),
      voices.map(([t, s]) => [t, s]),
    );
    expect(dismissed).toEqual([false, false, false, false, true]);
    expect(combinedCount(policy, tally)).toBe(0);
  });

  it('warns at each fullscreen exit and ends at the fifth, without any pause between', () => {
    const exits: [CountingType, number][] = [0, 0, 1, 1, 2].map((s) => ['fullscreen_exit', s]);
    const { dismissed, tally } = play(rules(), exits);
    expect(dismissed).toEqual([false, false, false, false, true]);
    expect(tally.fullscreenExits).toBe(5);
  });

  it.each([
    ['computers, dismiss', rules(), [true]],
    ['phones count it with the warnings', rules({ isPhone: true }), [false]],
    ['warn', rules({ policy: { ...STRICT_POLICY, tabHidden: 'warn' } }), [false]],
    ['record', rules({ policy: { ...STRICT_POLICY, tabHidden: 'record' } }), [false]],
  ])('takes a hidden page as the policy says: %s', (_, given, dismissed) => {
    const result = play(given, [['tab_hidden', 0, 2_001]]);
    expect(result.counted).toEqual([true]);
    expect(result.dismissed).toEqual(dismissed);
    expect(result.tally.tabSwitches).toBe(1);
  });

  it('adds hidden pages to the fullscreen warnings on phones', () => {
    const { dismissed } = play(rules({ isPhone: true }), [
      ['fullscreen_exit', 0],
      ['tab_hidden', 1],
      ['tab_hidden', 2],
      ['fullscreen_exit', 3],
      ['tab_hidden', 4],
    ]);
    expect(dismissed).toEqual([false, false, false, false, true]);
  });

  it('only records a page that was hidden for a moment', () => {
    const { counted, dismissed } = play(rules(), [['tab_hidden', 0, 2_000]]);
    expect([counted, dismissed]).toEqual([[false], [false]]);
  });

  it.each([
    ['no camera', rules({ cameraEnabled: false }), 'face_not_detected'],
    ['no microphone', rules({ microphoneEnabled: false }), 'voice_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'face_not_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'voice_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'fullscreen_exit'],
  ] as const)('lets a sensor that is off raise nothing: %s, %s', (_, given, type) => {
    expect(play(given, [[type, 0]]).counted).toEqual([false]);
  });

  it('never ends an attempt under Review, whatever comes', () => {
    const all = COUNTING_TYPES.flatMap((type) =>
      Array.from({ length: 30 }, (_, i) => [type, i * 60] as [CountingType, number]),
    );
    const { dismissed, counted } = play(rules({ policy: REVIEW_POLICY }), all);
    expect(dismissed).not.toContain(true);
    expect(counted).not.toContain(false);
  });

  it('says how many remain: the least that any limit of the type leaves', () => {
    const { tally } = play(rules(), [
      ['voice_detected', 0],
      ['voice_detected', 20],
    ]);
    expect(remainingOf(rules(), tally, 'voice_detected')).toBe(1);
    expect(remainingOf(rules(), tally, 'face_not_detected')).toBe(1);
    expect(remainingOf(rules(), tally, 'fullscreen_exit')).toBe(5);
    expect(remainingOf(rules(), tally, 'tab_hidden')).toBe(1);
    expect(remainingOf(rules({ policy: REVIEW_POLICY }), tally, 'voice_detected')).toBeNull();
  });

  it('dismisses exactly when nothing of the type remains, for any policy and order', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 6 }), { nil: null });
    const anyRules = fc.record({
      policy: fc.record({
        limits: fc.record({ combined: limit, face: limit, voice: limit, fullscreen: limit }),
        combinedTypes: fc.subarray(['face_not_detected', 'voice_detected'] as const),
        tabHidden: fc.constantFrom('dismiss', 'warn', 'record'),
        camera: fc.boolean(),
        microphone: fc.boolean(),
        fullscreen: fc.boolean(),
      }),
      cameraEnabled: fc.boolean(),
      microphoneEnabled: fc.boolean(),
      isPhone: fc.boolean(),
    });
    const anyViolations = fc.array(
      fc.tuple(fc.constantFrom(...COUNTING_TYPES), fc.integer({ min: 0, max: 200 })),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(anyRules, anyViolations, (drawn, violations) => {
        const given: ViolationRules = {
          ...drawn,
          policy: {
            ...STRICT_POLICY,
            ...drawn.policy,
            combinedTypes: [...drawn.policy.combinedTypes],
          },
        };
        let tally = EMPTY_TALLY;
        for (const [type, seconds] of violations) {
          const verdict = judgeViolation(given, tally, { type, at: at(seconds), durationMs: null });
          if (verdict.counted) {
            expect(verdict.dismiss).toBe(remainingOf(given, verdict.tally, type) === 0);
          } else {
            expect(verdict).toEqual({ counted: false, tally, dismiss: false });
          }
          tally = verdict.tally;
        }
        expect(combinedCount(given.policy, tally)).toBeLessThanOrEqual(tally.face + tally.voice);
      }),
    );
  });
});

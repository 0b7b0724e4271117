import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combinedCount,
  EMPTY_TALLY,
  evaluateViolation,
  isLastChance,
  type LimitedCounts,
  type ReportedViolation,
  remainingOf,
  type ViolationRules,
  type ViolationTally,
} from './violation-counting.ts';
import {
  OFF_POLICY,
  type PolicySettings,
  REVIEW_POLICY,
  STRICT_POLICY,
} from './violation-policy.ts';
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

const NO_COUNTS: LimitedCounts = {
  combined: 0,
  face: 0,
  voice: 0,
  fullscreenExits: 0,
  tabSwitches: 0,
};
const bothWays = { fullscreenExits: 2, tabSwitches: 2 };
/** Only these limits. */
const apart = (
  limits: Partial<PolicySettings['limits']>,
  tabHidden: PolicySettings['tabHidden'] = 'warn',
) => {
  const none = { combined: null, face: null, voice: null, fullscreen: null };
  return rules({ policy: { ...STRICT_POLICY, limits: { ...none, ...limits }, tabHidden } });
};

/** Applies violations in order; returns the tally and which of them counted and dismissed. */
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
    const verdict = evaluateViolation(given, tally, reported);
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

  it('counts one per type in ten seconds', () => {
    const { counted } = play(rules(), [
      ['face_not_detected', 0],
      ['voice_detected', 1],
      ['face_not_detected', 9.999],
      ['voice_detected', 10.999],
      ['face_not_detected', 10],
    ]);
    expect(counted).toEqual([true, true, false, false, true]);
  });

  it('uses the time of the event, even if an older one arrives later', () => {
    const { counted } = play(rules(), [
      ['face_not_detected', 100],
      ['face_not_detected', 95],
      ['face_not_detected', 80],
    ]);
    expect(counted).toEqual([true, false, true]);
  });

  it('measures the cooldown from the latest event, even after an older one has counted', () => {
    for (const type of ['face_not_detected', 'voice_detected'] as const) {
      const { counted, tally } = play(rules({ policy: REVIEW_POLICY }), [
        [type, 100],
        [type, 50],
        [type, 105],
        [type, 110],
      ]);
      expect(counted).toEqual([true, true, false, true]);
      expect(type === 'face_not_detected' ? tally.lastFaceAt : tally.lastVoiceAt).toEqual(at(110));
    }
  });

  it.each([
    ['face_not_detected', { face: 2 }],
    ['face_not_detected', { combined: 2 }],
    ['voice_detected', { voice: 2 }],
    ['voice_detected', { combined: 2 }],
    ['fullscreen_exit', { fullscreen: 2 }],
  ] as const)('ends the attempt at each limit alone: %s, %j', (type, limit) => {
    const none = { combined: null, face: null, voice: null, fullscreen: null };
    const given = rules({ policy: { ...STRICT_POLICY, limits: { ...none, ...limit } } });
    const { dismissed, tally } = play(given, [
      [type, 0],
      [type, 20],
    ]);
    expect(dismissed).toEqual([false, true]);
    expect(remainingOf(given, tally, type)).toBe(0);
    for (const other of ['face_not_detected', 'voice_detected', 'fullscreen_exit'] as const) {
      if (other === type || 'combined' in limit) continue;
      expect(remainingOf(given, tally, other)).toBeNull();
    }
  });

  it('never counts a missing face of a person whose face may be covered', () => {
    const given = rules({ policy: { ...STRICT_POLICY, faceCovered: true } });
    const { counted, dismissed, tally } = play(given, [
      ['face_not_detected', 0],
      ['voice_detected', 0],
      ['face_not_detected', 20],
      ['voice_detected', 20],
    ]);
    expect(counted).toEqual([false, true, false, true]);
    expect(dismissed).not.toContain(true);
    expect(remainingOf(given, tally, 'face_not_detected')).toBeNull();
    expect(remainingOf(given, tally, 'voice_detected')).toBe(1);
  });

  it('applies the combined limit only to the combined types', () => {
    const given = rules({
      policy: {
        ...STRICT_POLICY,
        limits: { combined: 1, face: null, voice: null, fullscreen: null },
        combinedTypes: ['voice_detected'],
      },
    });
    const { dismissed, tally } = play(given, [
      ['voice_detected', 0],
      ['face_not_detected', 1],
    ]);
    expect(dismissed).toEqual([true, false]);
    expect(remainingOf(given, tally, 'face_not_detected')).toBeNull();
    expect(combinedCount(given.policy, tally)).toBe(1);
  });

  it('ends the attempt at the limit of one sensor where nothing is combined', () => {
    const policy = { ...STRICT_POLICY, combinedTypes: [] };
    const voices = [0, 20, 40, 60, 80].map((s) => ['voice_detected', s] as const);
    const { dismissed, tally } = play(
      rules({ policy }),
      voices.map(([t, s]) => [t, s]),
    );
    expect(dismissed).toEqual([false, false, false, false, true]);
    expect(combinedCount(policy, tally)).toBe(0);
  });

  it('ends the attempt at the fifth fullscreen exit, without a cooldown in between', () => {
    const exits: [CountingType, number][] = [0, 0, 1, 1, 2].map((s) => ['fullscreen_exit', s]);
    const { dismissed, tally } = play(rules(), exits);
    expect(dismissed).toEqual([false, false, false, false, true]);
    expect(tally.fullscreenExits).toBe(5);
  });

  it.each([
    ['dismiss, on a computer', rules(), [true]],
    ['dismiss, on a phone with the warnings', rules({ isPhone: true }), [false]],
    ['warn', rules({ policy: { ...STRICT_POLICY, tabHidden: 'warn' } }), [false]],
    ['record', rules({ policy: { ...STRICT_POLICY, tabHidden: 'record' } }), [false]],
  ])('applies the policy to a hidden page: %s', (_, given, dismissed) => {
    const result = play(given, [['tab_hidden', 0, 2_001]]);
    expect(result.counted).toEqual([true]);
    expect(result.dismissed).toEqual(dismissed);
    expect(result.tally.tabSwitches).toBe(1);
  });

  it('counts hidden pages with the fullscreen warnings on phones', () => {
    const { dismissed } = play(rules({ isPhone: true }), [
      ['fullscreen_exit', 0],
      ['tab_hidden', 1],
      ['tab_hidden', 2],
      ['fullscreen_exit', 3],
      ['tab_hidden', 4],
    ]);
    expect(dismissed).toEqual([false, false, false, false, true]);
  });

  it.each([
    ['on computers with warnings', false, 'warn', 0],
    ['on phones with warnings', true, 'warn', 0],
    ['on phones where a computer would be dismissed', true, 'dismiss', 0],
    ['on phones where a computer would be warned once', true, 'warn_once', 0],
    ['on computers that only record', false, 'record', null],
    ['on phones that only record', true, 'record', null],
  ] as const)(
    'counts hidden pages with the warnings or not at all %s',
    (_, isPhone, tabHidden, remaining) => {
      const given = rules({ isPhone, policy: { ...STRICT_POLICY, tabHidden } });
      const { dismissed, tally } = play(
        given,
        [0, 1, 2, 3, 4].map((s): [CountingType, number] => ['tab_hidden', s]),
      );
      expect(dismissed).toEqual([false, false, false, false, remaining === 0]);
      expect(remainingOf(given, tally, 'tab_hidden')).toBe(remaining);
      expect(remainingOf(given, tally, 'fullscreen_exit')).toBe(remaining ?? 5);
    },
  );

  it('warns of the first tab switch and ends at the second, apart from the fullscreen exits', () => {
    const given = rules({ policy: { ...STRICT_POLICY, tabHidden: 'warn_once' } });
    const { dismissed, tally } = play(given, [
      ['fullscreen_exit', 0],
      ['fullscreen_exit', 1],
      ['fullscreen_exit', 2],
      ['tab_hidden', 3],
      ['fullscreen_exit', 4],
    ]);
    expect(dismissed).toEqual([false, false, false, false, false]);
    expect(remainingOf(given, tally, 'tab_hidden')).toBe(1);
    expect(remainingOf(given, tally, 'fullscreen_exit')).toBe(1);
    const second = play(given, [
      ['tab_hidden', 0],
      ['tab_hidden', 60],
    ]);
    expect(second.dismissed).toEqual([false, true]);
  });

  it('only records a page that was hidden briefly', () => {
    const { counted, dismissed } = play(rules(), [['tab_hidden', 0, 2_000]]);
    expect([counted, dismissed]).toEqual([[false], [false]]);
  });

  it.each([
    ['no camera', rules({ cameraEnabled: false }), 'face_not_detected'],
    ['no microphone', rules({ microphoneEnabled: false }), 'voice_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'face_not_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'voice_detected'],
    ['the preset Off', rules({ policy: OFF_POLICY }), 'fullscreen_exit'],
  ] as const)('counts nothing of a sensor that is off: %s, %s', (_, given, type) => {
    expect(play(given, [[type, 0]]).counted).toEqual([false]);
  });

  it('never ends an attempt under Review', () => {
    const all = COUNTING_TYPES.flatMap((type) =>
      Array.from({ length: 30 }, (_, i) => [type, i * 60] as [CountingType, number]),
    );
    const { dismissed, counted } = play(rules({ policy: REVIEW_POLICY }), all);
    expect(dismissed).not.toContain(true);
    expect(counted).not.toContain(false);
  });

  it('returns how many remain: the lowest of all limits of the type', () => {
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

  it.each([
    ['nothing happened', rules(), {}, false],
    ['one of three combined', rules(), { combined: 1 }, false],
    ['two of three combined', rules(), { combined: 2 }, true],
    ['face alone is near', apart({ face: 3 }), { combined: 2, face: 2 }, true],
    ['voice alone is near', apart({ voice: 5 }), { voice: 4 }, true],
    ['voice is not, though both combined are two', apart({ voice: 5 }), { combined: 2 }, false],
    ['four of five exits', rules(), { fullscreenExits: 4 }, true],
    ['exits and tab switches on a phone', rules({ isPhone: true }), bothWays, true],
    ['tab switches that are only recorded', apart({ fullscreen: 5 }, 'record'), bothWays, false],
    ['a limit of one before the first', apart({ face: 1, fullscreen: 1 }), {}, false],
  ] as [string, ViolationRules, Partial<LimitedCounts>, boolean][])(
    'detects the last chance at every limit: %s',
    (_, given, change, isLast) => {
      expect(isLastChance(given, { ...NO_COUNTS, ...change })).toBe(isLast);
    },
  );

  it('dismisses exactly when none of the type remain, for any policy and order', () => {
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
          const verdict = evaluateViolation(given, tally, {
            type,
            at: at(seconds),
            durationMs: null,
          });
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combinedCount,
  EMPTY_TALLY,
  evaluateViolation,
  isLastChance,
  type LimitedCounts,
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
const TYPES: Record<string, CountingType> = {
  face: 'face_not_detected',
  voice: 'voice_detected',
  exit: 'fullscreen_exit',
  tab: 'tab_hidden',
};

/** Applies violations in order, each as `face 5`: type and second. Returns which of them counted and dismissed. */
function play(given: ViolationRules, violations: string, durationMs: number | null = null) {
  let tally: ViolationTally = EMPTY_TALLY;
  const counted: boolean[] = [];
  const dismissed: boolean[] = [];
  for (const violation of violations.split(', ')) {
    const [name = '', seconds] = violation.split(' ');
    const type = TYPES[name] ?? 'tab_hidden';
    const verdict = evaluateViolation(given, tally, { type, at: at(Number(seconds)), durationMs });
    tally = verdict.tally;
    counted.push(verdict.counted);
    dismissed.push(verdict.dismiss);
  }
  return { tally, counted, dismissed };
}

/** One digit for each violation. */
const digits = (all: boolean[]) => all.map(Number).join('');
const limited = (limits: Partial<PolicySettings['limits']>, more: Partial<PolicySettings> = {}) => {
  const none = { combined: null, face: null, voice: null, fullscreen: null };
  return rules({ policy: { ...STRICT_POLICY, limits: { ...none, ...limits }, ...more } });
};
const strict = (more: Partial<ViolationRules['policy']>) =>
  rules({ policy: { ...STRICT_POLICY, ...more } });

describe('counting violations', () => {
  it('ends the attempt at the third of face and voice together', () => {
    const { tally, dismissed } = play(rules(), 'face 0, voice 5, face 20');
    expect(digits(dismissed)).toBe('001');
    expect(combinedCount(STRICT_POLICY, tally)).toBe(3);
  });

  it.each([
    [
      'one per type in ten seconds',
      rules(),
      'face 0, voice 1, face 9.999, voice 10.999, face 10',
      '11001',
    ],
    [
      'by the time of the event, even if an older one arrives later',
      rules(),
      'face 100, face 95, face 80',
      '101',
    ],
    [
      'no missing face that may be covered',
      strict({ faceCovered: true }),
      'face 0, voice 0, face 20, voice 20',
      '0101',
    ],
    ['a hidden page', rules(), 'tab 0', '1'],
    ['no face without a camera', rules({ cameraEnabled: false }), 'face 0', '0'],
    ['no voice without a microphone', rules({ microphoneEnabled: false }), 'voice 0', '0'],
    ['nothing under Off', rules({ policy: OFF_POLICY }), 'face 0, voice 0, exit 0', '000'],
  ])('counts %s', (_, given, violations, counted) => {
    expect(digits(play(given, violations).counted)).toBe(counted);
  });

  it.each([
    [
      'of one sensor where nothing is combined',
      strict({ combinedTypes: [] }),
      'voice 0, voice 20, voice 40, voice 60, voice 80',
      '00001',
    ],
    [
      'of the combined types only',
      limited({ combined: 1 }, { combinedTypes: ['voice_detected'] }),
      'voice 0, face 1',
      '10',
    ],
    [
      'of five exits, without a cooldown',
      rules(),
      'exit 0, exit 0, exit 1, exit 1, exit 2',
      '00001',
    ],
    [
      'of exits and hidden pages on phones',
      rules({ isPhone: true }),
      'exit 0, tab 1, tab 2, exit 3, tab 4',
      '00001',
    ],
    ['of no hidden page on a computer', rules(), 'tab 0', '1'],
    [
      'of no limit where a missing face may be covered',
      strict({ faceCovered: true }),
      'face 0, face 20, face 40',
      '000',
    ],
  ])('ends the attempt at the limit %s', (_, given, violations, dismissed) => {
    expect(digits(play(given, violations).dismissed)).toBe(dismissed);
  });

  it('measures the cooldown from the latest event, even after an older one has counted', () => {
    for (const type of ['face', 'voice']) {
      const violations = [100, 50, 105, 110].map((second) => `${type} ${second}`).join(', ');
      const { counted, tally } = play(rules({ policy: REVIEW_POLICY }), violations);
      expect(digits(counted)).toBe('1101');
      expect(type === 'face' ? tally.lastFaceAt : tally.lastVoiceAt).toEqual(at(110));
    }
  });

  it.each([
    ['face', { face: 2 }],
    ['face', { combined: 2 }],
    ['voice', { voice: 2 }],
    ['voice', { combined: 2 }],
    ['exit', { fullscreen: 2 }],
  ] as const)('ends the attempt at each limit alone: %s, %j', (type, limit) => {
    const given = limited(limit);
    const { dismissed, tally } = play(given, `${type} 0, ${type} 20`);
    expect(digits(dismissed)).toBe('01');
    for (const other of ['face', 'voice', 'exit']) {
      const remaining = remainingOf(given, tally, TYPES[other] ?? 'tab_hidden');
      if (other === type) expect(remaining).toBe(0);
      else if (!('combined' in limit)) expect(remaining).toBeNull();
    }
  });

  it.each([
    ['dismiss, on a phone with the warnings', rules({ isPhone: true })],
    ['warn', strict({ tabHidden: 'warn' })],
    ['record', strict({ tabHidden: 'record' })],
  ])('only counts a hidden page where the policy says: %s', (_, given) => {
    const { counted, dismissed, tally } = play(given, 'tab 0', 2_001);
    expect([digits(counted), digits(dismissed), tally.tabSwitches]).toEqual(['1', '0', 1]);
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
      const { dismissed, tally } = play(given, 'tab 0, tab 1, tab 2, tab 3, tab 4');
      expect(digits(dismissed)).toBe(remaining === 0 ? '00001' : '00000');
      expect(remainingOf(given, tally, 'tab_hidden')).toBe(remaining);
      expect(remainingOf(given, tally, 'fullscreen_exit')).toBe(remaining ?? 5);
    },
  );

  it('warns of the first tab switch and ends at the second, apart from the fullscreen exits', () => {
    const given = strict({ tabHidden: 'warn_once' });
    const { dismissed, tally } = play(given, 'exit 0, exit 1, exit 2, tab 3, exit 4');
    expect(digits(dismissed)).toBe('00000');
    expect(remainingOf(given, tally, 'tab_hidden')).toBe(1);
    expect(remainingOf(given, tally, 'fullscreen_exit')).toBe(1);
    expect(digits(play(given, 'tab 0, tab 60').dismissed)).toBe('01');
  });

  it('only records a page that was hidden briefly', () => {
    const { counted, dismissed } = play(rules(), 'tab 0', 2_000);
    expect([digits(counted), digits(dismissed)]).toEqual(['0', '0']);
  });

  it('never ends an attempt under Review', () => {
    const all = Object.keys(TYPES).flatMap((type) =>
      Array.from({ length: 30 }, (_, i) => `${type} ${i * 60}`),
    );
    const { dismissed, counted } = play(rules({ policy: REVIEW_POLICY }), all.join(', '));
    expect(dismissed).not.toContain(true);
    expect(counted).not.toContain(false);
  });

  it('returns how many remain: the lowest of all limits of the type', () => {
    const { tally } = play(rules(), 'voice 0, voice 20');
    expect(remainingOf(rules(), tally, 'voice_detected')).toBe(1);
    expect(remainingOf(rules(), tally, 'face_not_detected')).toBe(1);
    expect(remainingOf(rules(), tally, 'fullscreen_exit')).toBe(5);
    expect(remainingOf(rules(), tally, 'tab_hidden')).toBe(1);
    expect(remainingOf(rules({ policy: REVIEW_POLICY }), tally, 'voice_detected')).toBeNull();
    expect(remainingOf(strict({ faceCovered: true }), tally, 'face_not_detected')).toBeNull();
    const voices = limited({ combined: 3 }, { combinedTypes: ['voice_detected'] });
    expect(remainingOf(voices, tally, 'face_not_detected')).toBeNull();
    expect(combinedCount(voices.policy, { ...tally, face: 5 })).toBe(2);
  });

  it.each([
    ['nothing happened', rules(), {}, false],
    ['one of three combined', rules(), { combined: 1 }, false],
    ['two of three combined', rules(), { combined: 2 }, true],
    ['face alone is near', limited({ face: 3 }), { combined: 2, face: 2 }, true],
    ['voice alone is near', limited({ voice: 5 }), { voice: 4 }, true],
    ['voice is not, though both combined are two', limited({ voice: 5 }), { combined: 2 }, false],
    ['four of five exits', rules(), { fullscreenExits: 4 }, true],
    ['exits and tab switches on a phone', rules({ isPhone: true }), bothWays, true],
    [
      'tab switches that are only recorded',
      limited({ fullscreen: 5 }, { tabHidden: 'record' }),
      bothWays,
      false,
    ],
    ['a limit of one before the first', limited({ face: 1, fullscreen: 1 }), {}, false],
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

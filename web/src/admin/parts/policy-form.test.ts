import { PolicySettings } from '@invigil/core/contract/assessments/policy';
import { POLICY_PRESETS, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { describe, expect, test } from 'vitest';
import { policyChanges } from '../assessment/form/stale-quiz-notice.tsx';
import {
  NUMBER_RULES,
  POLICY_NUMBERS,
  type PolicyFormValues,
  type PolicyNumber,
  policyFormOf,
  presetOf,
  validatePolicy,
} from './policy-form.ts';

const STRICT = policyFormOf(STRICT_POLICY);
const typed = (change: Partial<PolicyFormValues>) => ({ ...STRICT, ...change });

/** The values the form would send, without validation. */
const taken = (field: PolicyNumber, value: number, change: Partial<PolicyFormValues> = {}) => {
  const validated = validatePolicy(typed({ ...change, [field]: String(value) }));
  return validated.ok && PolicySettings.safeParse(validated.settings).success;
};

describe('a number of the policy', () => {
  test.each(POLICY_NUMBERS)('%s is refused at its own field, and says its range', (field) => {
    const { min, max } = NUMBER_RULES[field];
    for (const text of ['many', '-1', String(max + 1), '1e1', '0x1', '1.2.3']) {
      const validated = validatePolicy(typed({ [field]: text }));
      expect(validated, text).toMatchObject({ ok: false });
      expect(!validated.ok && Object.keys(validated.problems)).toEqual([field]);
      expect(!validated.ok && validated.problems[field]).toContain(`from ${min} to ${max}`);
    }
  });

  test.each(POLICY_NUMBERS)('%s accepts its minimum and maximum, as does the server', (field) => {
    const { min, max } = NUMBER_RULES[field];
    expect(taken(field, min)).toBe(true);
    expect(taken(field, max, field === 'faceAbsent' ? { faceEvery: '60' } : {})).toBe(true);
  });

  test('sends an absence as the number of checks', () => {
    const misses = (change: Partial<PolicyFormValues>) => {
      const validated = validatePolicy(typed(change));
      return validated.ok ? validated.settings.face.misses : validated.problems;
    };
    expect(misses({ faceAbsent: '6' })).toBe(6);
    expect(misses({ faceAbsent: '6', faceEvery: '0.5' })).toBe(12);
    expect(misses({ faceAbsent: '2.4' })).toBe(2);
    expect(misses({ faceAbsent: '1', faceEvery: '5' })).toBe(1);
    expect(misses({ faceAbsent: '61' })).toEqual({
      faceAbsent: 'At most 60 checks: 60 seconds here',
    });
  });

  test.each(['face', 'loudSamples', 'combined'] as const)('%s is a whole one', (field) => {
    expect(validatePolicy(typed({ [field]: '1.5' })).ok).toBe(false);
  });

  test.each(['combined', 'face', 'voice', 'exits'] as const)(
    '%s may be empty, meaning never',
    (field) => {
      const validated = validatePolicy(typed({ [field]: ' ' }));
      const limit = field === 'exits' ? 'fullscreen' : field;
      expect(validated.ok && validated.settings.limits[limit]).toBe(null);
    },
  );

  test('allows an empty interval of periodic stills', () => {
    expect(validatePolicy(typed({ stillEvery: '' }))).toMatchObject({
      ok: true,
      settings: { stillEveryMs: null },
    });
    expect(validatePolicy(typed({ stillEvery: '60' }))).toMatchObject({
      settings: { stillEveryMs: 60_000 },
    });
  });

  test.each(['cooldown', 'faceEvery', 'loudAbove'] as const)('%s may not', (field) => {
    expect(validatePolicy(typed({ [field]: '' })).ok).toBe(false);
  });

  test('accepts a decimal comma, and sends seconds as milliseconds and percent as a share', () => {
    const validated = validatePolicy(
      typed({ soundEvery: '0,25', speechShare: '57', cooldown: '2.5' }),
    );
    expect(validated).toMatchObject({
      ok: true,
      settings: { sound: { everyMs: 250, speechShare: 0.57 }, cooldownMs: 2_500, preset: 'custom' },
    });
  });
});

describe('presets', () => {
  test.each(Object.values(POLICY_PRESETS))('$preset comes back as it was stored', (settings) => {
    expect(validatePolicy(policyFormOf(settings))).toEqual({ ok: true, settings });
  });

  test('become Custom with a changed number, and the preset again when it is restored', () => {
    expect(presetOf(typed({ voice: '4' }))).toBe('custom');
    expect(presetOf(typed({ camera: false }))).toBe('custom');
    expect(presetOf(typed({ cameraRequired: true }))).toBe('custom');
    expect(presetOf(typed({ voice: '5' }))).toBe('strict');
    expect(presetOf(typed({ cooldown: '10,0' }))).toBe('strict');
  });

  test('remain Custom with the numbers of a preset', () => {
    expect(presetOf(typed({ preset: 'custom' }))).toBe('custom');
  });
});

describe('two versions side by side', () => {
  test('lists nothing when nothing differs', () => {
    expect(policyChanges(STRICT, typed({ cooldown: '10.0' }))).toEqual([]);
  });

  test('lists the preset first, then each number', () => {
    expect(
      policyChanges(STRICT, typed({ combined: '', tabHidden: 'warn', cameraRequired: true })),
    ).toEqual([
      { label: 'Violation policy', theirs: 'Strict', yours: 'Custom' },
      { label: 'Camera required', theirs: 'off', yours: 'on' },
      { label: 'A tab switch', theirs: 'End the attempt', yours: 'Give a warning' },
      { label: 'Face and voice combined', theirs: '3', yours: 'never' },
    ]);
  });
});

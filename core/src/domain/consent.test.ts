import { describe, expect, it } from 'vitest';
import { type ConsentTo, consentAskedBy, coversConsent } from './consent.ts';
import { OFF_POLICY, STRICT_POLICY } from './violations/violation-policy.ts';

const ALL: ConsentTo = { camera: true, microphone: true, stills: true };
const NONE: ConsentTo = { camera: false, microphone: false, stills: false };

describe('a consent', () => {
  it('is requested for what the policy monitors; stills need a camera', () => {
    const minutely = { stillEveryMs: 60_000 };
    expect(consentAskedBy({ ...STRICT_POLICY, ...minutely })).toEqual(ALL);
    expect(consentAskedBy({ ...STRICT_POLICY, stillEveryMs: null })).toEqual({
      ...ALL,
      stills: false,
    });
    expect(consentAskedBy({ ...OFF_POLICY, ...minutely })).toEqual(NONE);
  });

  it.each(['camera', 'microphone', 'stills'] as const)(
    'without the %s covers everything else',
    (one) => {
      const less = { ...ALL, [one]: false };
      expect(coversConsent(less, ALL)).toBe(false);
      expect(coversConsent(less, less)).toBe(true);
      expect(coversConsent(ALL, less)).toBe(true);
      expect(coversConsent(NONE, { ...NONE, [one]: true })).toBe(false);
    },
  );
});

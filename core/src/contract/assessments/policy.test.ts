import { describe, expect, it } from 'vitest';
import {
  needsCamera,
  OFF_POLICY,
  POLICY_PRESETS,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '../../domain/violations/violation-policy.ts';
import { Policy, PolicySettings } from './policy.ts';

describe('the violation policy', () => {
  it.each(Object.entries(POLICY_PRESETS))('accepts preset %s', (name, preset) => {
    expect(PolicySettings.parse(preset)).toEqual(preset);
    expect(Policy.parse({ version: 1, ...preset })).toEqual({ version: 1, ...preset });
    expect(preset.preset).toBe(name);
  });

  it('is strict by default, with the numbers of the specification', () => {
    expect(STRICT_POLICY).toEqual({
      preset: 'strict',
      camera: true,
      cameraRequired: false,
      microphone: true,
      fullscreen: true,
      limits: { combined: 3, face: 3, voice: 5, fullscreen: 5 },
      combinedTypes: ['face_not_detected', 'voice_detected'],
      tabHidden: 'dismiss',
      tabHiddenMs: 2_000,
      face: { everyMs: 1_000, misses: 2 },
      sound: {
        everyMs: 300,
        everyMsIos: 500,
        level: 120,
        samples: 2,
        speechShare: 0.6,
        speechWindowMs: 2_000,
        redAbove: 40,
      },
      cooldownMs: 10_000,
      dismissDelayMs: 1_000,
      stillEveryMs: null,
    });
  });

  it('never ends an attempt in Review and Off, and asks for no device in Off', () => {
    for (const preset of [REVIEW_POLICY, OFF_POLICY]) {
      expect(Object.values(preset.limits)).toEqual([null, null, null, null]);
      expect(preset.tabHidden).toBe('record');
    }
    const { camera, microphone, fullscreen } = OFF_POLICY;
    for (const preset of Object.values(POLICY_PRESETS)) expect(preset.cameraRequired).toBe(false);
    expect([camera, microphone, fullscreen]).toEqual([false, false, false]);
  });

  it('accepts a policy without the periodic stills setting: none are taken', () => {
    const { stillEveryMs: _, ...before } = STRICT_POLICY;
    expect(PolicySettings.parse(before)).toEqual(STRICT_POLICY);
  });

  it('accepts a policy without the required camera setting: none is required', () => {
    const { cameraRequired: _, ...before } = STRICT_POLICY;
    expect(PolicySettings.parse(before)).toEqual(STRICT_POLICY);
  });

  it('requires a camera only where the policy uses one', () => {
    expect(needsCamera({ camera: true, cameraRequired: true })).toBe(true);
    expect(needsCamera({ camera: false, cameraRequired: true })).toBe(false);
    expect(needsCamera(STRICT_POLICY)).toBe(false);
  });

  it.each([
    ['a limit of 0', { limits: { ...STRICT_POLICY.limits, face: 0 } }],
    ['half a limit', { limits: { ...STRICT_POLICY.limits, voice: 1.5 } }],
    ['a missing limit', { limits: { combined: 3, face: 3, voice: 5 } }],
    ['an unknown preset', { preset: 'lenient' }],
    ['an unknown combined type', { combinedTypes: ['tab_hidden'] }],
    ['an unknown reaction to a tab switch', { tabHidden: 'ignore' }],
    ['a face check every millisecond', { face: { everyMs: 1, misses: 2 } }],
    ['a share above 1', { sound: { ...STRICT_POLICY.sound, speechShare: 1.1 } }],
    ['a negative delay', { dismissDelayMs: -1 }],
    ['a still every second', { stillEveryMs: 1_000 }],
    ['a camera that is not yes or no', { camera: 'yes' }],
    ['a requirement that is not yes or no', { cameraRequired: null }],
  ])('refuses %s', (_, change) => {
    expect(PolicySettings.safeParse({ ...STRICT_POLICY, ...change }).success).toBe(false);
  });
});

import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { expect, test } from 'vitest';
import { levelEveryMs, monitorDelayMs, neededDevices, needsFullscreen } from './monitor-plan.ts';

test.each([
  ['assessment', false, 2_000],
  ['assessment', true, 5_000],
  ['review', false, 1_000],
  ['review', true, 3_000],
] as const)('starts monitoring after the %s opens, iOS %s: %i ms', (screen, ios, ms) => {
  expect(monitorDelayMs(screen, { ios })).toBe(ms);
});

test('samples sound every 300 ms, on iOS every 500 ms', () => {
  expect(levelEveryMs(STRICT_POLICY, { ios: false })).toBe(300);
  expect(levelEveryMs(STRICT_POLICY, { ios: true })).toBe(500);
});

test('needs no camera on phones, and no device that the policy omits', () => {
  expect(neededDevices(STRICT_POLICY, { mobile: true })).toEqual(['microphone']);
  expect(neededDevices(STRICT_POLICY, { mobile: false })).toEqual(['camera', 'microphone']);
  const without = { ...STRICT_POLICY, camera: false, microphone: false };
  expect(neededDevices(without, { mobile: false })).toEqual([]);
});

test('applies the fullscreen rule if the policy has it and the device supports it', () => {
  expect(needsFullscreen(STRICT_POLICY, { iphone: true }, true)).toBe(false);
  expect(needsFullscreen(STRICT_POLICY, { iphone: false }, false)).toBe(false);
  expect(needsFullscreen({ fullscreen: false }, { iphone: false }, true)).toBe(false);
  expect(needsFullscreen(STRICT_POLICY, { iphone: false }, true)).toBe(true);
});

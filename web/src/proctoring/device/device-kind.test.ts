import { expect, test } from 'vitest';
import { deviceKind, startDelayMs } from './device-kind.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';
const IPAD = 'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0';

const computer = { mobile: false, ios: false, iphone: false };

test.each([
  ['a Mac', { userAgent: MAC, maxTouchPoints: 0 }, computer],
  ['a Windows laptop with a touch screen', { userAgent: WINDOWS, maxTouchPoints: 10 }, computer],
  [
    'Chromium on a computer',
    { userAgent: WINDOWS, maxTouchPoints: 0, userAgentData: { mobile: false } },
    computer,
  ],
  [
    'an iPhone',
    { userAgent: IPHONE, maxTouchPoints: 5 },
    { mobile: true, ios: true, iphone: true },
  ],
  ['an iPad', { userAgent: IPAD, maxTouchPoints: 5 }, { mobile: true, ios: true, iphone: false }],
  [
    'an iPad with the user agent of a Mac',
    { userAgent: MAC, maxTouchPoints: 5 },
    { mobile: true, ios: true, iphone: false },
  ],
  [
    'Android by name',
    { userAgent: ANDROID, maxTouchPoints: 5 },
    { mobile: true, ios: false, iphone: false },
  ],
  [
    'Android with a reduced user agent, by its client hints',
    { userAgent: WINDOWS, maxTouchPoints: 5, userAgentData: { mobile: true } },
    { mobile: true, ios: false, iphone: false },
  ],
])('%s', (_name, hints, kind) => {
  expect(deviceKind(hints)).toEqual(kind);
});

test('delays the start by 100 ms on iOS only', () => {
  expect(startDelayMs({ ios: true })).toBe(100);
  expect(startDelayMs({ ios: false })).toBe(0);
});

import { describe, expect, test } from 'vitest';
import { lostDevice, mediaFailure, permissionsSentence, unblockAdvice } from './media-failure.ts';

describe('an error of getUserMedia', () => {
  test.each([
    ['NotAllowedError', 'refused'],
    ['NotFoundError', 'missing'],
    ['NotReadableError', 'busy'],
    ['AbortError', 'busy'],
    ['OverconstrainedError', 'unsuitable'],
    ['SecurityError', 'insecure'],
    ['SomethingNewError', 'unknown'],
  ])('%s', (name, cause) => {
    const failure = mediaFailure('camera', new DOMException('', name));
    expect(failure.cause).toBe(cause);
    expect(failure.message).toBe('Camera access is required for this assessment');
    expect(failure.advice).toContain('camera');
  });

  test('is insecure on a page without https', () => {
    expect(mediaFailure('microphone', new TypeError('undefined')).cause).toBe('insecure');
  });

  test('is unknown if it is not an Error', () => {
    expect(mediaFailure('microphone', 'no')).toMatchObject({
      cause: 'unknown',
      message: 'Microphone access is required for this assessment',
    });
  });
});

test("uses the seed's sentences", () => {
  expect(lostDevice('camera').message).toBe(
    'Camera or microphone connection lost. Please refresh and try again.',
  );
  expect(permissionsSentence(['microphone'], true)).toBe(
    'Microphone permission is required to continue',
  );
  expect(permissionsSentence(['camera'], true)).toBe(
    'Camera access is required for this assessment',
  );
  expect(permissionsSentence(['camera', 'microphone'], false)).toBe(
    'Please ensure camera and microphone permissions are granted',
  );
  expect(permissionsSentence(['camera', 'microphone'], true)).toBe(
    'Both camera and microphone permissions are required to continue',
  );
});

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['an unknown browser', 'Lynx', 'site settings beside the address'],
  ['Firefox', 'Mozilla/5.0 (X11; rv:144.0) Gecko/20100101 Firefox/144.0', 'crossed-out camera'],
  [
    'Chrome',
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36`,
    'beside the address, allow',
  ],
  [
    'Edge',
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Edg/140.0`,
    'beside the address, allow',
  ],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/140.0`, 'Permissions'],
  [
    'Safari',
    `Mozilla/5.0 (Macintosh; Intel) ${WEBKIT} Version/18 Safari/605`,
    'Settings for This Website',
  ],
  ['an iPhone', `Mozilla/5.0 (iPhone; CPU) ${WEBKIT} Safari/604`, 'Website Settings'],
])('%s: explains where to allow the device', (_name, userAgent, words) => {
  const advice = unblockAdvice('camera', userAgent);
  expect(advice).toContain(words);
  expect(advice).toMatch(/camera.*, then try again\.$/);
});

import { describe, expect, test } from 'vitest';
import { lostDevice, mediaFailure, permissionsSentence } from './media-failure.ts';

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

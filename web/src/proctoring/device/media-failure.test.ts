import { describe, expect, test } from 'vitest';
import { lostDevice, mediaFailure, permissionsSentence } from './media-failure.ts';

describe('what getUserMedia throws', () => {
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

  test('a page without https has no media devices at all', () => {
    expect(mediaFailure('microphone', new TypeError('undefined')).cause).toBe('insecure');
  });

  test('something that is no error', () => {
    expect(mediaFailure('microphone', 'no')).toMatchObject({
      cause: 'unknown',
      message: 'Microphone access is required for this assessment',
    });
  });
});

test('the sentences of the seed', () => {
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

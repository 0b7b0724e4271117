import { expect, test } from 'vitest';
import { ApiError, ConnectionError } from './api.ts';
import { refusalSentence } from './form-refusal.ts';

const refusal = (code: string, status = 400) =>
  new ApiError({ status, code, sentence: 'The words of the server' });
const FIXED = 'Please check your data and try again';

test('the fixed sentence stands where the server has none of its own', () => {
  expect(refusalSentence(refusal('INVALID_INPUT'), FIXED)).toBe(FIXED);
  expect(refusalSentence(refusal('UNKNOWN', 502), FIXED)).toBe(FIXED);
  expect(refusalSentence(new TypeError('no one sees this'), FIXED)).toBe(FIXED);
});

test('what the server says goes before it, and so does a broken connection', () => {
  expect(refusalSentence(refusal('NOT_FOUND', 404), FIXED)).toBe('The words of the server');
  const broken = new ConnectionError('unreachable', new Error('offline'));
  expect(refusalSentence(broken, FIXED)).toBe(broken.message);
});

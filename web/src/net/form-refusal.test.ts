import { expect, test } from 'vitest';
import { ApiError, ConnectionError } from './api.ts';
import { refusalSentence } from './form-refusal.ts';

const refusal = (code: string, status = 400) =>
  new ApiError({ status, code, sentence: 'The words of the server' });
const FIXED = 'Please check your data and try again';

test('uses the fixed sentence if the server sent none', () => {
  expect(refusalSentence(refusal('INVALID_INPUT'), FIXED)).toBe(FIXED);
  expect(refusalSentence(refusal('UNKNOWN', 502), FIXED)).toBe(FIXED);
  expect(refusalSentence(new TypeError('no one sees this'), FIXED)).toBe(FIXED);
});

test("prefers the server's sentence and that of a connection error", () => {
  expect(refusalSentence(refusal('NOT_FOUND', 404), FIXED)).toBe('The words of the server');
  const broken = new ConnectionError('unreachable', new Error('offline'));
  expect(refusalSentence(broken, FIXED)).toBe(broken.message);
});

import { beforeEach, expect, test, vi } from 'vitest';
import { copyCompletion } from './local-copies.ts';

const held = new Map<string, string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', {
    setItem: (name: string, value: string) => held.set(name, value),
  });
});

const summary = {
  status: 'completed',
  timeSpent: 1_241,
  answeredCount: 24,
  totalQuestions: 25,
  violationCount: 1,
  submissionType: 'auto',
} as const;

test('the completion summary is kept under the name of the seed, with the mark of an automatic end', () => {
  copyCompletion(summary, true);
  expect(JSON.parse(held.get('completionData') ?? '')).toEqual(summary);
  expect(held.get('autoSubmitted')).toBe('true');
});

test('an end by hand leaves no such mark', () => {
  copyCompletion({ ...summary, submissionType: 'manual' }, false);
  expect(held.has('autoSubmitted')).toBe(false);
});

import { OFF_POLICY, REVIEW_POLICY, STRICT_POLICY } from '@invigil/core/domain/violation-policy';
import { expect, test } from 'vitest';
import {
  everyText,
  guidelines,
  limitCells,
  limitLines,
  violationsAllowed,
} from './policy-words.ts';

const strict = { ...STRICT_POLICY, version: 1 };
const review = { ...REVIEW_POLICY, version: 1 };
const off = { ...OFF_POLICY, version: 1 };
const computer = { mobile: false, fullscreen: true };
const phone = { mobile: true, fullscreen: false };

const titles = (...call: Parameters<typeof guidelines>) => guidelines(...call).map((g) => g.title);

test('nothing is said that this policy does not do', () => {
  expect(titles(off, computer)).toEqual(['Strict security']);
  expect(limitCells(off, false)).toEqual([]);
  expect(limitLines(review, false)).toEqual([]);
  expect(limitCells(review, false)).toEqual([]);
  expect(violationsAllowed(off)).toBeNull();
  expect(violationsAllowed(review)).toBe('Recorded for review');
  const text = guidelines(review, computer)
    .map((g) => g.text)
    .join(' ');
  expect(text).not.toMatch(/ends the assessment|ends it/);
});

test('the default policy, in the words of the instructions', () => {
  expect(titles(strict, computer)).toEqual([
    'Camera',
    'Microphone',
    'Face detection',
    'Strict security',
    'Violation policy',
  ]);
  expect(guidelines(strict, computer)[3]?.text).toBe(
    'The assessment runs in fullscreen. Each time you leave fullscreen you get a warning; the fifth ends the assessment. Switching to another tab or app ends it at once.',
  );
  expect(guidelines(strict, computer)[4]?.text).toBe(
    'Maximum 3 violations. After the third, your answers are submitted automatically.',
  );
  expect(limitCells(strict, false)).toEqual([
    ['Face and voice', '3'],
    ['Face alone', '3'],
    ['Voice alone', '5'],
    ['Fullscreen exits', '5'],
    ['Tab switch', 'At once'],
  ]);
});

test('stills that are kept without a reason are not kept quiet about', () => {
  const camera = (stillEveryMs: number | null) =>
    guidelines({ ...strict, stillEveryMs }, computer)[0]?.text;
  expect(camera(null)).toMatch(/only when something is noticed/);
  expect(camera(60_000)).toMatch(/kept every minute/);
  expect(camera(60_000)).not.toMatch(/only/);
});

test('a phone has no camera rule, and a switch only warns', () => {
  expect(titles(strict, phone)).toEqual(['Microphone', 'Strict security', 'Violation policy']);
  expect(limitCells(strict, true).map(([label]) => label)).toEqual(['Voice', 'Fullscreen exits']);
});

test('the dismissed screen states the limits in the words of the seed', () => {
  expect(limitLines(strict, false)).toEqual([
    ['Face and voice together', '3 strikes'],
    ['Voice/sound', '5 strikes'],
    ['Face not detected', '3 strikes'],
    ['Fullscreen exit', '5 warnings'],
    ['Tab switching', 'Immediate'],
  ]);
});

test.each([
  [1_000, 'every second'],
  [250, 'every 0.25 seconds'],
  [30_000, 'every 30 seconds'],
  [60_000, 'every minute'],
  [90_000, 'every 90 seconds'],
  [120_000, 'every 2 minutes'],
])('how often is told as it is: %i ms', (ms, words) => {
  expect(everyText(ms)).toBe(words);
});

import { expect, test } from 'vitest';
import { combinedLimit } from '../domain/violations/applied-limits.ts';
import {
  BALANCED_POLICY,
  OFF_POLICY,
  REVIEW_POLICY,
  STRICT_POLICY,
} from '../domain/violations/violation-policy.ts';
import { everyText } from './amounts.ts';
import { guidelines, limitCells, limitLines, violationsAllowed } from './policy.ts';

const strict = { ...STRICT_POLICY, version: 1 };
const review = { ...REVIEW_POLICY, version: 1 };
const off = { ...OFF_POLICY, version: 1 };
const computer = { mobile: false, fullscreen: true };
const phone = { mobile: true, fullscreen: false };

const titles = (...call: Parameters<typeof guidelines>) => guidelines(...call).map((g) => g.title);

test('mentions nothing that the policy does not do', () => {
  expect(titles(off, computer)).toEqual(['This page']);
  expect(limitCells(off, computer)).toEqual([]);
  expect(limitLines(review, computer)).toEqual([]);
  expect(limitCells(review, computer)).toEqual([]);
  expect(violationsAllowed(off, computer)).toBeNull();
  expect(violationsAllowed(review, computer)).toBe('Recorded for review');
  const text = guidelines(review, computer)
    .map((g) => g.text)
    .join(' ');
  expect(text).not.toMatch(/ends the assessment|ends it/);
});

test('explains that a covered face never counts', () => {
  const covered = { ...strict, faceCovered: true as const };
  expect(limitCells(covered, computer)[0]).toEqual(['Voice', '3']);
  const face = guidelines(covered, computer).find(({ name }) => name === 'face');
  expect(face?.text).toMatch(
    /^Your face may be partly covered. If it is not detected, that never counts against you\. Looking away/,
  );
});

test('describes the default policy', () => {
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
  expect(limitCells(strict, computer)).toEqual([
    // Three faces or five voices alone are always preceded by three of both.
    ['Face or voice', '3'],
    ['Fullscreen exits', '5'],
    ['Tab switch', 'At once'],
  ]);
});

test('says under Balanced how each rule warns first', () => {
  const balanced = { ...BALANCED_POLICY, version: 1 };
  const text = (policy: typeof balanced) => guidelines(policy, computer).map((g) => g.text);
  expect(titles(balanced, computer)).toContain('Security');
  expect(text(balanced)[1]).toMatch(
    /When a voice is heard, you are warned first; it counts if it goes on for 4 seconds\.$/,
  );
  expect(text(balanced)[2]).toMatch(/^Keep your face in view: 6 seconds out of view count\. When/);
  expect(text({ ...balanced, mayUsePaper: true })[2]).toContain('looking down to write is fine');
  expect(text(balanced)[3]).toMatch(
    /Switching to another tab or app gets a warning the first time; the second time ends the assessment\.$/,
  );
  expect(limitCells(balanced, computer).at(-1)).toEqual(['Tab switch', 'The second']);
  expect(limitLines(balanced, computer).at(-1)).toEqual(['Tab switching', 'The second time']);
  // A phone has no tabs: as before.
  expect(limitCells(balanced, phone).at(-1)).toEqual(['Tab switches', '5']);
});

test('mentions periodic stills', () => {
  const camera = (stillEveryMs: number | null) =>
    guidelines({ ...strict, stillEveryMs }, computer)[0]?.text;
  expect(camera(null)).toMatch(/only if something is flagged/);
  expect(camera(60_000)).toMatch(/kept every minute/);
  expect(camera(60_000)).not.toMatch(/only/);
});

test('has no camera rule on a phone, where a tab switch only warns', () => {
  expect(titles(strict, phone)).toEqual(['Microphone', 'Strict security', 'Violation policy']);
  expect(limitCells(strict, phone)).toEqual([
    ['Voice', '3'],
    ['Tab switches', '5'],
  ]);
});

test('states the shared limit of tab switches and fullscreen exits', () => {
  const warn = { ...strict, tabHidden: 'warn' as const };
  const said = (...call: Parameters<typeof guidelines>) =>
    guidelines(...call).find(({ name }) => name === 'security')?.text;
  const android = { mobile: true, fullscreen: true };
  for (const [policy, device] of [
    [warn, computer],
    [strict, android],
  ] as const) {
    expect(said(policy, device)).toBe(
      'The assessment runs in fullscreen. Each time you leave fullscreen or switch to another tab or app you get a warning; the fifth ends the assessment.',
    );
    expect(limitCells(policy, device).at(-1)).toEqual(['Fullscreen exits and tab switches', '5']);
    expect(limitLines(policy, device).at(-1)).toEqual([
      'Fullscreen exit or tab switching',
      '5 warnings',
    ]);
  }
  // Only tab switches apply without a fullscreen rule or on an iPhone.
  for (const [policy, device] of [
    [{ ...warn, fullscreen: false }, computer],
    [strict, phone],
  ] as const) {
    expect(said(policy, device)).toBe(
      'Each switch to another tab or app counts as a warning; the fifth ends the assessment.',
    );
    expect(limitCells(policy, device).at(-1)).toEqual(['Tab switches', '5']);
    expect(limitLines(policy, device).at(-1)).toEqual(['Tab switching', '5 warnings']);
  }
  // A switch is only recorded if there is no limit.
  const open = { ...warn, limits: { ...warn.limits, fullscreen: null } };
  expect(said(open, phone)).toBe('Switching to another tab or app is recorded.');
  expect(limitLines(open, computer).map(([label]) => label)).not.toContain('Tab switching');
});

test('states a limit of tab switches without sensors and without a combined limit', () => {
  const page = { ...off, tabHidden: 'warn' as const, limits: strict.limits };
  expect(titles(page, computer)).toEqual(['Security', 'Violation policy']);
  expect(guidelines(page, computer)[1]?.text).toMatch(/^Each kind has its own limit/);
  expect(limitCells(page, computer)).toEqual([['Tab switches', '5']]);
});

test("states the limits on the dismissed screen in the seed's words", () => {
  expect(limitLines(strict, computer)).toEqual([
    ['Face and voice together', '3 strikes'],
    ['Voice/sound', '5 strikes'],
    ['Face not detected', '3 strikes'],
    ['Fullscreen exit', '5 warnings'],
    ['Tab switching', 'Immediate'],
  ]);
});

test('states the limit of a single sensor', () => {
  expect(limitLines(strict, phone)).toEqual([
    ['Voice/sound', '3 strikes'],
    ['Tab switching', '5 warnings'],
  ]);
  expect(limitCells(strict, phone)[0]).toEqual(['Voice', '3']);
  const apart = { ...strict, combinedTypes: ['face_not_detected' as const] };
  expect(limitLines(apart, computer).slice(0, 2)).toEqual([
    ['Voice/sound', '5 strikes'],
    ['Face not detected', '3 strikes'],
  ]);
  expect(limitLines(apart, phone)[0]).toEqual(['Voice/sound', '5 strikes']);
});

test('omits a limit that nothing counts towards', () => {
  const unused = { ...strict, combinedTypes: [] };
  expect(combinedLimit(strict, false)).toBe(strict.limits.combined);
  expect(combinedLimit(unused, false)).toBeNull();
  expect(violationsAllowed(unused, computer)).toBe('See the limits');
  // A phone has no camera here, so faces do not count.
  expect(combinedLimit({ ...strict, combinedTypes: ['face_not_detected'] }, true)).toBeNull();
});

test('refers to the limits if there are only separate ones', () => {
  const byKind = { ...strict, limits: { ...strict.limits, combined: null } };
  expect(violationsAllowed(byKind, computer)).toBe('See the limits');
  const rule = guidelines(byKind, computer).find(({ name }) => name === 'violations');
  expect(rule?.text).toMatch(/^Each kind has its own limit\. When one is reached/);
});

test.each([
  [1_000, 'every second'],
  [250, 'every 0.25 seconds'],
  [30_000, 'every 30 seconds'],
  [60_000, 'every minute'],
  [90_000, 'every 90 seconds'],
  [120_000, 'every 2 minutes'],
])('states an interval exactly: %i ms', (ms, words) => {
  expect(everyText(ms)).toBe(words);
});

test('states the tab rule on a phone if a computer was used before', () => {
  const moved = { ...phone, computerUsed: true };
  const security = (device: typeof moved) =>
    guidelines(strict, device).find(({ name }) => name === 'security')?.text;
  expect(security(moved)).toContain('Switching to another tab or app ends it at once.');
  expect(limitLines(strict, moved)).toContainEqual(['Tab switching', 'Immediate']);
  expect(limitCells(strict, moved)).toContainEqual(['Tab switch', 'At once']);
  expect(security({ ...moved, computerUsed: false })).not.toContain('ends it at once');
});

import { expect, it } from 'vitest';
import { localInputOf, UNREADABLE_DATE } from '../../lib/local-input.ts';
import { ownTimesIn, ownTimesValuesOf } from './own-times.tsx';

const OPENS = '2026-12-03T09:00:30.000Z';
const STORED = { window: { opensAt: OPENS, endDate: null }, minutes: 40 };
const NONE = {
  ...{ hasWindow: false, opensAt: '', endDate: '', startBy: '', minutes: '' },
  attempts: '',
};

const problemsOf = (typed: object, areNeeded = false) =>
  ownTimesIn(null, { areNeeded })
    .safeParse({ ...NONE, ...typed })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

it('keeps the seconds of times that were not changed', () => {
  const shown = ownTimesValuesOf(STORED);
  expect(shown.opensAt).toBe(localInputOf(OPENS));
  // The same object: it was not changed.
  expect(ownTimesIn(STORED).parse(shown)).toBe(STORED);
  expect(ownTimesIn(STORED).parse({ ...shown, minutes: '50' })).toEqual({ ...STORED, minutes: 50 });
  const other = localInputOf('2026-12-04T09:00:00.000Z');
  expect(ownTimesIn(STORED).parse({ ...shown, opensAt: other })?.window).toEqual({
    ...{ opensAt: '2026-12-04T09:00:00.000Z', endDate: null },
  });
});

it('reads no times, and only minutes or only a window', () => {
  expect(ownTimesIn(STORED).parse(NONE)).toBeNull();
  expect(ownTimesIn(null).parse({ ...NONE, minutes: '50' })).toEqual({ minutes: 50 });
  expect(ownTimesIn(null).parse({ ...NONE, attempts: '2' })).toEqual({ attempts: 2 });
  // At once, and without an end.
  expect(ownTimesIn(null).parse({ ...NONE, hasWindow: true })).toEqual({
    window: { opensAt: null, endDate: null },
  });
});

it('reads a latest start, and keeps it within the window', () => {
  const window = { hasWindow: true, opensAt: '2026-12-03T09:00', endDate: '2026-12-03T12:00' };
  const read = ownTimesIn(null).parse({ ...NONE, ...window, startBy: '2026-12-03T09:30' });
  expect(localInputOf(read?.window?.startBy ?? '')).toBe('2026-12-03T09:30');
  expect(ownTimesValuesOf(read).startBy).toBe('2026-12-03T09:30');
  expect(problemsOf({ ...window, startBy: '2026-12-03T12:01' })).toEqual([
    'startBy: Select a time after the opening and not after the end date',
  ]);
});

it('says at each field what is wrong', () => {
  const window = { hasWindow: true, opensAt: '2026-12-03T09:00', endDate: '2026-12-03T08:00' };
  expect(problemsOf(window)).toEqual(['opensAt: Select a time before the end date']);
  expect(problemsOf({ ...window, endDate: UNREADABLE_DATE, minutes: '0' })).toEqual([
    'endDate: Enter a valid date and time',
    'minutes: Duration must be 1 to 180 minutes',
  ]);
  expect(problemsOf({})).toBeUndefined();
  expect(problemsOf({}, true)).toEqual([
    'minutes: Enter other times, another duration or a number of attempts',
  ]);
  expect(problemsOf({ attempts: '11' })).toEqual(['attempts: Attempts must be 1 to 10']);
});

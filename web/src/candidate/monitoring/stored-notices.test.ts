import { expect, test, vi } from 'vitest';
import { stubStorage } from '../../testing/browser-stubs.ts';
import { readStoredNotices, storeNotices } from './seen-notices.ts';

const held = stubStorage();

const item = {
  id: 'a',
  type: 'voice_detected',
  at: new Date(1_000),
  durationMs: null,
  counted: { count: 1, limit: null },
  noted: true,
} as const;

test('ignores notices of another attempt', () => {
  storeNotices('p', [item]);
  expect(readStoredNotices('q')).toEqual([]);
});

test('logs and ignores invalid data', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  held.set(
    'detected',
    JSON.stringify({ participantId: 'p', detected: [{ id: 'a', type: 'lie' }] }),
  );
  expect(readStoredNotices('p')).toEqual([]);
  expect(warn).toHaveBeenCalledTimes(1);
});

test('restores all notices of the same attempt', () => {
  expect(readStoredNotices('p')).toEqual([]);
  storeNotices('p', [item, { ...item, id: 'b', noted: false }]);
  expect(readStoredNotices('p')).toEqual([item, { ...item, id: 'b', noted: false }]);
});

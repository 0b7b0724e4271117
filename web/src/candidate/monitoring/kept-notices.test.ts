import { beforeEach, expect, test, vi } from 'vitest';
import { keepNotices, readKeptNotices } from './kept-notices.ts';

const held = new Map<string, string>();
beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => held.get(name) ?? null,
    setItem: (name: string, value: string) => held.set(name, value),
  });
});

const item = {
  id: 'a',
  type: 'voice_detected',
  at: new Date(1_000),
  durationMs: null,
  counted: { count: 1, limit: null },
  noted: true,
} as const;

test('what another attempt has left is not shown', () => {
  keepNotices('p', [item]);
  expect(readKeptNotices('q')).toEqual([]);
});

test('what cannot be read is logged and ignored', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  held.set('noticed', JSON.stringify({ participantId: 'p', noticed: [{ id: 'a', type: 'lie' }] }));
  expect(readKeptNotices('p')).toEqual([]);
  expect(warn).toHaveBeenCalledTimes(1);
});

test('the same attempt finds all of it again', () => {
  expect(readKeptNotices('p')).toEqual([]);
  keepNotices('p', [item, { ...item, id: 'b', noted: false }]);
  expect(readKeptNotices('p')).toEqual([item, { ...item, id: 'b', noted: false }]);
});

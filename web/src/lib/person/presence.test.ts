import { expect, test, vi } from 'vitest';
import { LEFT_MS, Presence } from './presence.ts';

test('stops polling an idle page and polls once on the first activity', () => {
  let now = 1_000;
  const presence = new Presence(() => now);
  const look = vi.fn();
  const stop = presence.onReturn(look);
  expect(presence.whileThere(5_000)).toBe(5_000);
  now += LEFT_MS - 1;
  presence.touched();
  expect(look).not.toHaveBeenCalled();
  now += LEFT_MS;
  expect(presence.whileThere(5_000)).toBe(false);
  presence.touched();
  presence.touched();
  expect(look).toHaveBeenCalledTimes(1);
  expect(presence.whileThere(15_000)).toBe(15_000);
  stop();
  now += LEFT_MS;
  presence.touched();
  expect(look).toHaveBeenCalledTimes(1);
});

import { expect, test } from 'vitest';
import { cornerByKey, nearestCorner, nextCorner, OverlayCorner } from './overlay-corner.ts';

test('ignores keys other than arrows', () => {
  for (const key of ['Enter', ' ', 'a', 'Tab']) expect(cornerByKey('top-left', key)).toBeNull();
});

test('moves along the edges by arrow keys and stops at the corner', () => {
  expect(cornerByKey('bottom-right', 'ArrowUp')).toBe('top-right');
  expect(cornerByKey('top-right', 'ArrowLeft')).toBe('top-left');
  expect(cornerByKey('top-left', 'ArrowDown')).toBe('bottom-left');
  expect(cornerByKey('bottom-left', 'ArrowRight')).toBe('bottom-right');
  expect(cornerByKey('bottom-right', 'ArrowRight')).toBe('bottom-right');
});

test('cycles through all corners on press', () => {
  const seen = new Set<string>();
  let corner: OverlayCorner = 'bottom-right';
  for (let press = 0; press < 4; press += 1) {
    corner = nextCorner(corner);
    seen.add(corner);
  }
  expect(corner).toBe('bottom-right');
  expect([...seen].sort()).toEqual([...OverlayCorner.options].sort());
});

test('snaps to the nearest corner after a drag', () => {
  const view = { width: 1_440, height: 900 };
  expect(nearestCorner({ x: 100, y: 100 }, view)).toBe('top-left');
  expect(nearestCorner({ x: 800, y: 100 }, view)).toBe('top-right');
  expect(nearestCorner({ x: 719, y: 451 }, view)).toBe('bottom-left');
  expect(nearestCorner({ x: 1_400, y: 880 }, view)).toBe('bottom-right');
});

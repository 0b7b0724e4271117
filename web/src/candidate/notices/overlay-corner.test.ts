import { expect, test } from 'vitest';
import { cornerByKey, nearestCorner, nextCorner, OverlayCorner } from './overlay-corner.ts';

test('ignores keys other than arrows', () => {
  for (const key of ['Enter', ' ', 'a', 'Tab'])
    expect(cornerByKey('top-left', key, null)).toBeNull();
});

test('moves along the edges by arrow keys and stops at the corner', () => {
  expect(cornerByKey('bottom-right', 'ArrowUp', null)).toBe('top-right');
  expect(cornerByKey('top-right', 'ArrowLeft', 'back')).toBe('top-left');
  expect(cornerByKey('top-left', 'ArrowDown', null)).toBe('bottom-left');
  expect(cornerByKey('bottom-left', 'ArrowRight', 'forward')).toBe('bottom-right');
  expect(cornerByKey('bottom-right', 'ArrowRight', 'forward')).toBe('bottom-right');
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
  expect(nearestCorner({ x: 100, y: 100 }, view, false)).toBe('top-left');
  expect(nearestCorner({ x: 800, y: 100 }, view, false)).toBe('top-right');
  expect(nearestCorner({ x: 719, y: 451 }, view, false)).toBe('bottom-left');
  expect(nearestCorner({ x: 1_400, y: 880 }, view, false)).toBe('bottom-right');
  expect(nearestCorner({ x: 100, y: 100 }, view, true)).toBe('top-right');
  expect(nearestCorner({ x: 1_400, y: 880 }, view, true)).toBe('bottom-left');
});

test('arrow keys move it to where they point on a page from right to left', () => {
  expect(cornerByKey('top-left', 'ArrowRight', 'back')).toBe('top-left');
  expect(cornerByKey('top-left', 'ArrowLeft', 'forward')).toBe('top-right');
});

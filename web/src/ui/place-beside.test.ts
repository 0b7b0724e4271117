import { describe, expect, test } from 'vitest';
import { positionBeside } from './place-beside.ts';

const VIEW = { width: 1000, height: 600 };
const SIZE = { width: 200, height: 30 };
const at = (left: number, top: number) => ({ left, top, width: 32, height: 32 });

describe('positionBeside', () => {
  test('centers above the anchor, with the arrow at its middle', () => {
    expect(positionBeside(SIZE, at(500, 300), 'top', VIEW)).toEqual({
      side: 'top',
      top: 264,
      left: 416,
      arrow: 100,
    });
  });

  test('flips to the opposite side if there is no room', () => {
    expect(positionBeside(SIZE, at(500, 10), 'top', VIEW).side).toBe('bottom');
    expect(positionBeside(SIZE, at(960, 300), 'right', VIEW).side).toBe('left');
  });

  test('stays inside the edge with the arrow pointing at the anchor', () => {
    const placed = positionBeside(SIZE, at(960, 300), 'top', VIEW);
    expect(placed.left).toBe(1000 - 200 - 8);
    expect(placed.left + placed.arrow).toBe(976);
  });
});

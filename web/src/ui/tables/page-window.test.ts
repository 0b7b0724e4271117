import { describe, expect, test } from 'vitest';
import { pageWindow } from './pagination.tsx';

describe('pageWindow', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 25, [1, 2, 3, 'gap', 25]],
    [2, 25, [1, 2, 3, 'gap', 25]],
    [3, 25, [1, 2, 3, 4, 'gap', 25]],
    [4, 25, [1, 2, 3, 4, 5, 'gap', 25]],
    [5, 25, [1, 'gap', 4, 5, 6, 'gap', 25]],
    [22, 25, [1, 'gap', 21, 22, 23, 24, 25]],
    [25, 25, [1, 'gap', 23, 24, 25]],
    [3, 5, [1, 2, 3, 4, 5]],
  ] as const)('page %i of %i', (current, pages, expected) => {
    expect(pageWindow(current, pages)).toEqual(expected);
  });
});

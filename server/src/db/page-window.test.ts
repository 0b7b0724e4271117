import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from './page-window.ts';

/** A list as the database reads it: from either end, with a limit and an offset. */
function listOf(n: number) {
  const items = Array.from({ length: n }, (_, i) => i);
  let walked = 0;
  return {
    walked: () => walked,
    page: (page: { limit: number; offset: number }) =>
      readPage(
        page,
        async () => n,
        async ({ limit, offset, fromEnd }) => {
          walked = Math.min(n, offset + limit);
          const ordered = fromEnd ? items.toReversed() : items;
          return ordered.slice(offset, offset + limit);
        },
      ),
  };
}

describe('a page read from the nearer end', () => {
  it('equals one read from the front, wherever it is', async () => {
    const range = (max: number) => fc.integer({ min: 0, max });
    await fc.assert(
      fc.asyncProperty(range(60), range(20), range(80), async (n, size, offset) => {
        const limit = size + 1;
        const whole = Array.from({ length: n }, (_, i) => i);
        const { rows, total } = await listOf(n).page({ limit, offset });
        expect(rows).toEqual(whole.slice(offset, offset + limit));
        expect(total).toBe(n);
      }),
    );
  });

  it('skips half of the list at most', async () => {
    for (const offset of [0, 10, 49, 51, 90, 99]) {
      const list = listOf(100);
      await list.page({ limit: 10, offset });
      expect(list.walked()).toBeLessThanOrEqual(60);
    }
  });

  it('beyond the end is empty and reads nothing', async () => {
    const list = listOf(100);
    expect(await list.page({ limit: 10, offset: 100 })).toEqual({ rows: [], total: 100 });
    expect(await list.page({ limit: 10, offset: 5_000 })).toEqual({ rows: [], total: 100 });
    expect(list.walked()).toBe(0);
  });
});

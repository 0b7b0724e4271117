import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CachedCounts } from './cached-counts.ts';

describe('a figure over all attempts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Counts from `first`, one more at each read. */
  function counting(first: number) {
    let next = first;
    return vi.fn(async () => next++);
  }

  it('is read again each time while there are few', async () => {
    const figures = new CachedCounts();
    const read = counting(49_997);
    for (const n of [49_997, 49_998, 49_999, 50_000, 50_000]) {
      expect(await figures.count('all', read)).toBe(n);
    }
  });

  it('is at most five seconds old when there are many, and current when there are few again', async () => {
    const figures = new CachedCounts();
    const read = counting(60_000);
    expect(await figures.count('all', read)).toBe(60_000);
    vi.advanceTimersByTime(4_999);
    expect(await figures.count('all', read)).toBe(60_000);
    vi.advanceTimersByTime(1);
    expect(await figures.count('all', read)).toBe(60_001);
    vi.advanceTimersByTime(5_000);
    const fewer = counting(3);
    expect([await figures.count('all', fewer), await figures.count('all', fewer)]).toEqual([3, 4]);
  });

  it('is cached by its name and by what it covers', async () => {
    const figures = new CachedCounts();
    const mean = counting(1);
    expect(await figures.over(10, 'mean', mean)).toBe(1);
    expect(await figures.over(60_000, 'mean', mean)).toBe(2);
    expect(await figures.over(60_000, 'mean', mean)).toBe(2);
    expect(await figures.over(60_000, 'mean of another', mean)).toBe(3);
  });

  it('is read once for concurrent requests after it expires', async () => {
    const figures = new CachedCounts();
    const read = counting(70_000);
    await figures.count('all', read);
    vi.advanceTimersByTime(6_000);
    expect(await Promise.all([1, 2, 3].map(() => figures.count('all', read)))).toEqual(
      Array(3).fill(70_001),
    );
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is read once for those who ask at the same moment, the first time too', async () => {
    const figures = new CachedCounts();
    const read = counting(1);
    const asked = Array.from({ length: 100 }, () => figures.over(60_000, 'mean', read));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([1]));
    expect(read).toHaveBeenCalledTimes(1);
    const failing = vi.fn(() => Promise.reject(new Error('away')));
    const failed = await Promise.allSettled([1, 2].map(() => figures.over(60_000, 'x', failing)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failing).toHaveBeenCalledTimes(1);
    expect(await figures.over(60_000, 'x', read)).toBe(2);
  });

  it('is not cached when reading it failed', async () => {
    const figures = new CachedCounts();
    await figures.count('all', counting(60_000));
    vi.advanceTimersByTime(6_000);
    await expect(figures.count('all', () => Promise.reject(new Error('away')))).rejects.toThrow();
    expect(await figures.count('all', counting(80_000))).toBe(80_000);
  });

  it('is cached for the newest five hundred', async () => {
    const figures = new CachedCounts();
    const read = counting(60_000);
    for (let i = 0; i < 501; i += 1) await figures.count(String(i), read);
    expect(read).toHaveBeenCalledTimes(501);
    await figures.count('500', read);
    await figures.count('1', read);
    expect(read).toHaveBeenCalledTimes(501);
    await figures.count('0', read);
    expect(read).toHaveBeenCalledTimes(502);
  });
});

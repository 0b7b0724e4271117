import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CachedCounts } from './cached-counts.ts';

describe('a figure over all attempts', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Counts from `first` on, one more at each look. */
  function counting(first: number) {
    let next = first;
    return vi.fn(async () => next++);
  }

  it('is read again each time as long as there are few', async () => {
    const figures = new CachedCounts();
    const look = counting(49_997);
    for (const n of [49_997, 49_998, 49_999, 50_000, 50_000]) {
      expect(await figures.count('all', look)).toBe(n);
    }
  });

  it('is five seconds old at most where there are many, and again when they became few', async () => {
    const figures = new CachedCounts();
    const look = counting(60_000);
    expect(await figures.count('all', look)).toBe(60_000);
    vi.advanceTimersByTime(4_999);
    expect(await figures.count('all', look)).toBe(60_000);
    vi.advanceTimersByTime(1);
    expect(await figures.count('all', look)).toBe(60_001);
    vi.advanceTimersByTime(5_000);
    const fewer = counting(3);
    expect([await figures.count('all', fewer), await figures.count('all', fewer)]).toEqual([3, 4]);
  });

  it('is kept by its own name and by how many it is over', async () => {
    const figures = new CachedCounts();
    const mean = counting(1);
    expect(await figures.over(10, 'mean', mean)).toBe(1);
    expect(await figures.over(60_000, 'mean', mean)).toBe(2);
    expect(await figures.over(60_000, 'mean', mean)).toBe(2);
    expect(await figures.over(60_000, 'mean of another', mean)).toBe(3);
  });

  it('is looked up once for all who ask when its time is over', async () => {
    const figures = new CachedCounts();
    const look = counting(70_000);
    await figures.count('all', look);
    vi.advanceTimersByTime(6_000);
    expect(await Promise.all([1, 2, 3].map(() => figures.count('all', look)))).toEqual(
      Array(3).fill(70_001),
    );
    expect(look).toHaveBeenCalledTimes(2);
  });

  it('that could not be read is not kept', async () => {
    const figures = new CachedCounts();
    await figures.count('all', counting(60_000));
    vi.advanceTimersByTime(6_000);
    await expect(figures.count('all', () => Promise.reject(new Error('away')))).rejects.toThrow();
    expect(await figures.count('all', counting(80_000))).toBe(80_000);
  });

  it('keeps the newest five hundred', async () => {
    const figures = new CachedCounts();
    const look = counting(60_000);
    for (let i = 0; i < 501; i += 1) await figures.count(String(i), look);
    expect(look).toHaveBeenCalledTimes(501);
    await figures.count('500', look);
    await figures.count('1', look);
    expect(look).toHaveBeenCalledTimes(501);
    await figures.count('0', look);
    expect(look).toHaveBeenCalledTimes(502);
  });
});

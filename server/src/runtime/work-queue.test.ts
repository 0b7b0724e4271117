import { WORK_LIMITS } from '@invigil/core/domain/limits';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue } from './work-queue.ts';

const left = new Error('left');
const sender = (caller: string) => {
  const controller = new AbortController();
  return { caller, signal: controller.signal, leave: () => controller.abort(left) };
};
/** Work that lasts until the test ends it, with the names of what has begun. */
function work() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    of: (name: string) => async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    },
    endNext: async () => {
      await new Promise(setImmediate);
      ends.shift()?.();
      await new Promise(setImmediate);
    },
  };
}
const BUSY = { code: 'UNAVAILABLE', retryAfterSeconds: WORK_LIMITS.againAfterSeconds };

describe('a queue of work', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is full for one caller while others still get in, and for all beyond its length', async () => {
    const queue = new WorkQueue({ waiting: 3, perCaller: 2 });
    const { of, endNext, begun } = work();
    const some = ['a', 'a', 'b', 'c'].map((who, i) => queue.run(sender(who), of(`${who}${i}`)));
    await expect(queue.run(sender('a'), of('too many'))).rejects.toMatchObject(BUSY);
    await expect(queue.run(sender('d'), of('too long'))).rejects.toMatchObject(BUSY);
    for (let i = 0; i < 4; i += 1) await endNext();
    expect(await Promise.all(some)).toEqual(['a0', 'a1', 'b2', 'c3']);
    expect(begun).not.toContain('too many');
    expect(queue.size).toBe(0);
    // All places were given back.
    const again = queue.run(sender('a'), of('again'));
    await endNext();
    expect(await again).toBe('again');
  });

  it('takes callers in turns', async () => {
    const queue = new WorkQueue({ waiting: 10, perCaller: 5 });
    const { of, endNext, begun } = work();
    const all = ['a', 'a', 'a', 'a', 'b', 'b'].map((who) => queue.run(sender(who), of(who)));
    for (let i = 0; i < 6; i += 1) await endNext();
    await Promise.all(all);
    expect(begun.join('')).toBe('ababaa');
  });

  it('drops what waits for someone who left, and ends what has begun, before the next begins', async () => {
    const queue = new WorkQueue({ waiting: 10, perCaller: 5 });
    const { of, endNext, begun } = work();
    const ended = Promise.withResolvers<void>();
    const one = sender('a');
    const working = queue.run(one, async (signal) => {
      await ended.promise;
      signal.throwIfAborted();
    });
    const two = sender('a');
    const waiting = queue.run(two, of('left'));
    const three = queue.run(sender('b'), of('three'));
    two.leave();
    await expect(waiting).rejects.toBe(left);
    one.leave();
    await new Promise(setImmediate);
    expect([begun, queue.size]).toEqual([[], 2]);
    ended.resolve();
    await expect(working).rejects.toBe(left);
    await expect.poll(() => begun).toEqual(['three']);
    await endNext();
    expect(await three).toBe('three');
    expect(begun).toEqual(['three']);
    await expect(queue.run(one, of('after it left'))).rejects.toBe(left);
    expect(queue.size).toBe(0);
  });

  it('rests after work whose sender left, and only then', async () => {
    vi.useFakeTimers();
    const queue = new WorkQueue({ waiting: 10, perCaller: 5 });
    const begun: number[] = [];
    const work = async () => {
      begun.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const one = sender('a');
    const all = [queue.run(one, work), queue.run(sender('a'), work), queue.run(sender('a'), work)];
    one.leave();
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(all);
    const [first = 0, ...others] = begun;
    const rested = 100 * (1 + WORK_LIMITS.restFactor);
    expect(others.map((at) => at - first)).toEqual([rested, rested + 100]);
  });

  it('refuses after half a minute of waiting', async () => {
    vi.useFakeTimers();
    const queue = new WorkQueue({ waiting: 10, perCaller: 5 });
    const { of } = work();
    void queue.run(sender('a'), of('long'));
    const waiting = queue.run(sender('b'), of('never'));
    vi.advanceTimersByTime(WORK_LIMITS.waitMaxMs);
    await expect(waiting).rejects.toMatchObject(BUSY);
    expect(queue.size).toBe(1);
  });

  it('gives its place back when work fails', async () => {
    const queue = new WorkQueue({ waiting: 1, perCaller: 5 });
    const failing = async () => Promise.reject(new Error('no'));
    await expect(queue.run(sender('a'), failing)).rejects.toThrow('no');
    await expect(queue.run(sender('a'), failing, 'key')).rejects.toThrow('no');
    expect(await queue.run(sender('a'), async () => 'next', 'key')).toBe('next');
  });

  describe('with a key', () => {
    it('does once what several wait for, and again what has begun', async () => {
      const queue = new WorkQueue({ waiting: 1, perCaller: 2 });
      const { of, endNext, begun } = work();
      const first = queue.run(sender('a'), of('first'), 'key');
      await new Promise(setImmediate);
      // Any number of callers with the same key needs one place.
      const others = Array.from({ length: 50 }, (_, i) =>
        queue.run(sender(`${i}`), of(`other ${i}`), 'key'),
      );
      await endNext();
      await endNext();
      expect(await first).toBe('first');
      expect(new Set(await Promise.all(others))).toEqual(new Set(['other 0']));
      expect(begun).toEqual(['first', 'other 0']);
    });

    it('goes on while one is left who waits, and ends with the last', async () => {
      const queue = new WorkQueue({ waiting: 2, perCaller: 5 });
      const { of, endNext, begun } = work();
      const other = queue.run(sender('z'), of('other'));
      const [one, two] = [sender('a'), sender('b')];
      const results = [one, two].map((who) => queue.run(who, of('shared'), 'key'));
      one.leave();
      await expect(results[0]).rejects.toBe(left);
      expect(queue.size).toBe(2);
      two.leave();
      await expect(results[1]).rejects.toBe(left);
      expect(queue.size).toBe(1);
      // Who comes then does not get what was given up.
      const again = queue.run(sender('c'), of('again'), 'key');
      await endNext();
      await endNext();
      expect([await other, await again]).toEqual(['other', 'again']);
      expect(begun).toEqual(['other', 'again']);
    });

    it('has its signal abort only when all who wait for it have left', async () => {
      const queue = new WorkQueue({ waiting: 2, perCaller: 5 });
      const [one, two] = [sender('a'), sender('b')];
      let given: AbortSignal | undefined;
      const shared = async (signal: AbortSignal) => {
        given = signal;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      };
      const results = [one, two].map((who) => queue.run(who, shared, 'key'));
      await new Promise(setImmediate);
      one.leave();
      expect(given?.aborted).toBe(false);
      two.leave();
      expect(given?.aborted).toBe(true);
      for (const result of results) await expect(result).rejects.toBe(left);
    });
  });
});

import { describe, expect, it } from 'vitest';
import { BatchWriter } from './batch-writer.ts';

interface Item {
  key: string;
  value: number;
}

const item = (key: string, value = 0): Item => ({ key, value });

/** A write that stays open until the test ends it. */
interface OpenWrite {
  items: Item[];
  succeed(): void;
  fail(error: Error): void;
}

function makeWriter(options: { most?: number; isForAll?: (error: unknown) => boolean } = {}) {
  const { most = 100, isForAll } = options;
  const writes: OpenWrite[] = [];
  const writer = new BatchWriter<Item, string>({
    keyOf: (i) => i.key,
    most,
    ...(isForAll ? { isForAll } : {}),
    write: (items) =>
      new Promise((resolve, reject) => {
        writes.push({
          items,
          succeed: () => resolve(items.map((i) => `${i.key}${i.value}`)),
          fail: reject,
        });
      }),
  });
  /** The write that is open now; everything before it has been settled. */
  const open = async () => {
    await settled();
    const write = writes.at(-1);
    if (!write) throw new Error('nothing is being written');
    return write;
  };
  return { writer, writes, open };
}

/** Lets everything that can go on do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const keys = (write: OpenWrite | undefined) => write?.items.map((i) => i.key).join('');

describe('group commit', () => {
  it('writes at once when nothing is running, and the rest together after it', async () => {
    const { writer, writes, open } = makeWriter();
    const first = writer.add(item('a'));
    expect(writes.map(keys)).toEqual(['a']);
    const others = ['b', 'c', 'd'].map((key) => writer.add(item(key)));
    await settled();
    expect(writes.map(keys)).toEqual(['a']);
    (await open()).succeed();
    expect(await first).toBe('a0');
    (await open()).succeed();
    expect(writes.map(keys)).toEqual(['a', 'bcd']);
    expect(await Promise.all(others)).toEqual(['b0', 'c0', 'd0']);
  });

  it('acknowledges nothing before its write has ended', async () => {
    const { writer, open } = makeWriter();
    let answered = 0;
    const done = [1, 2].map((n) => writer.add(item('a', n)).then(() => (answered += 1)));
    await settled();
    expect(answered).toBe(0);
    (await open()).succeed();
    await settled();
    expect(answered).toBe(1);
    (await open()).succeed();
    await Promise.all(done);
    expect(answered).toBe(2);
  });

  it('never puts two items of one key into one batch, and keeps their order', async () => {
    const { writer, writes, open } = makeWriter();
    const all = [
      item('x'),
      ...[1, 2, 3].map((n) => item('a', n)),
      item('b', 1),
      item('b', 2),
      item('c', 1),
    ].map((i) => writer.add(i));
    for (let i = 0; i < 4; i += 1) (await open()).succeed();
    expect(await Promise.all(all)).toEqual(['x0', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
    expect(writes.map((w) => w.items.map((i) => `${i.key}${i.value}`))).toEqual([
      ['x0'],
      ['a1', 'b1', 'c1'],
      ['a2', 'b2'],
      ['a3'],
    ]);
  });

  it('puts no more into a batch than it may hold', async () => {
    const { writer, writes, open } = makeWriter({ most: 2 });
    const all = 'abcdef'.split('').map((key) => writer.add(item(key)));
    for (let i = 0; i < 4; i += 1) (await open()).succeed();
    await Promise.all(all);
    expect(writes.map(keys)).toEqual(['a', 'bc', 'de', 'f']);
  });

  it('tries each item of a failed batch alone, so that one bad item fails alone', async () => {
    const { writer, writes, open } = makeWriter();
    const all = 'abcd'.split('').map((key) => writer.add(item(key)));
    const results = Promise.allSettled(all);
    (await open()).succeed();
    (await open()).fail(new Error('one of you is bad'));
    (await open()).succeed();
    (await open()).fail(new Error('you are bad'));
    (await open()).succeed();
    expect(
      (await results).map((r) => (r.status === 'fulfilled' ? r.value : r.reason.message)),
    ).toEqual(['a0', 'b0', 'you are bad', 'd0']);
    expect(writes.map(keys)).toEqual(['a', 'bcd', 'b', 'c', 'd']);
  });

  it('gives up on the whole batch once a single try meets what concerns everybody', async () => {
    const { writer, writes, open } = makeWriter({ isForAll: (e) => String(e).includes('away') });
    const all = 'abcde'.split('').map((key) => writer.add(item(key)));
    const results = Promise.allSettled(all);
    (await open()).succeed();
    // The connection broke: a new one may do.
    (await open()).fail(new Error('away'));
    (await open()).succeed();
    (await open()).fail(new Error('still away'));
    expect(
      (await results).map((r) => (r.status === 'fulfilled' ? r.value : r.reason.message)),
    ).toEqual(['a0', 'b0', 'still away', 'still away', 'still away']);
    expect(writes.map(keys)).toEqual(['a', 'bcde', 'b', 'c']);
    const later = writer.add(item('f'));
    (await open()).succeed();
    expect(await later).toBe('f0');
  });

  it('goes on after a failure', async () => {
    const { writer, open } = makeWriter();
    const bad = writer.add(item('a', 1));
    const good = writer.add(item('a', 2));
    (await open()).fail(new Error('bad'));
    await expect(bad).rejects.toThrow('bad');
    (await open()).succeed();
    expect(await good).toBe('a2');
  });

  it('is idle when everything that was added has been answered', async () => {
    const { writer, open } = makeWriter();
    await writer.idle();
    let answered = 0;
    for (const key of 'abc') void writer.add(item(key)).then(() => (answered += 1));
    let idle = false;
    const whenIdle = writer.idle().then(() => {
      idle = true;
    });
    (await open()).succeed();
    await settled();
    expect(idle).toBe(false);
    (await open()).succeed();
    await whenIdle;
    expect(answered).toBe(3);
  });

  it('keeps one key in order and answers every item once, however many come', async () => {
    const seen = new Map<string, number>();
    let batches = 0;
    const writer = new BatchWriter<Item, string>({
      keyOf: (i) => i.key,
      most: 7,
      async write(items) {
        batches += 1;
        await settled();
        expect(new Set(items.map((i) => i.key)).size).toBe(items.length);
        for (const i of items) {
          expect(i.value).toBe((seen.get(i.key) ?? -1) + 1);
          seen.set(i.key, i.value);
        }
        return items.map((i) => `${i.key}${i.value}`);
      },
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => writer.add(item(`k${n % 10}`, Math.floor(n / 10)))),
    );
    expect(answers).toEqual(
      Array.from({ length: 200 }, (_, n) => `k${n % 10}${Math.floor(n / 10)}`),
    );
    expect(batches).toBeLessThan(60);
  });
});

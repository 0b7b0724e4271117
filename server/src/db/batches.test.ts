import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ALONE, Batches, type BatchWork } from './batches.ts';

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

interface WriterOptions {
  most?: number;
  isForAll?: (error: unknown) => boolean;
  timeoutMs?: number;
  gatherMs?: number;
}

function makeWriter({ most = 100, isForAll, timeoutMs, gatherMs }: WriterOptions = {}) {
  const writes: OpenWrite[] = [];
  const waited: number[][] = [];
  let failed = 0;
  const writer = new Batches<Item, string>({
    keyOf: (i) => i.key,
    most,
    ...(isForAll ? { isForAll } : {}),
    ...(gatherMs === undefined ? {} : { gatherMs }),
    ...(timeoutMs === undefined
      ? {}
      : { timeout: { ms: timeoutMs, tooSlow: () => new Error('too slow') } }),
    onDone: (ms) => waited.push(ms),
    onFailed: () => {
      failed += 1;
    },
    run: (items) =>
      new Promise((resolve, reject) => {
        writes.push({
          items,
          succeed: () => resolve(items.map((i) => `${i.key}${i.value}`)),
          fail: reject,
        });
      }),
  });
  /** The write that is open now, after waiting for everything before it to settle. */
  const open = async () => {
    await settled();
    const write = writes.at(-1);
    if (!write) throw new Error('no write is open');
    return write;
  };
  return { writer, writes, open, waited, failures: () => failed };
}

/** Leaves items with a value of 1 alone, and fails on a lock where one has a value of 2. */
function makeWorker(timeoutMs?: number) {
  const alone = new Map<string, { succeed(): void; fail(error: Error): void }>();
  const ran: string[] = [];
  let failed = 0;
  const worker = new Batches<Item, string>({
    keyOf: ({ key }) => key,
    most: 100,
    ...(timeoutMs === undefined
      ? {}
      : { timeout: { ms: timeoutMs, tooSlow: () => new Error('too slow') } }),
    onFailed: () => {
      failed += 1;
    },
    run: async (items) => {
      ran.push(items.map(({ key }) => key).join(''));
      await settled();
      if (items.length > 1 && items.some(({ value }) => value === 2)) {
        throw Object.assign(new Error('held'), { code: '55P03' });
      }
      return items.map(({ key, value }) => (value === 1 ? ALONE : key));
    },
    alone: ({ key }) =>
      new Promise((resolve, reject) => {
        alone.set(key, { succeed: () => resolve(`${key} alone`), fail: reject });
      }),
  });
  return { worker, alone, ran, failures: () => failed };
}

/** Lets everything continue that can. */
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

  it('refuses items after the timeout, in the hanging write and behind it, and continues', async () => {
    const { writer, writes, open } = makeWriter({ timeoutMs: 100 });
    const hanging = writer.add(item('a'));
    const behind = writer.add(item('b'));
    await expect(hanging).rejects.toThrow('too slow');
    await expect(behind).rejects.toThrow('too slow');
    const later = writer.add(item('c'));
    (await open()).succeed();
    (await open()).succeed();
    expect(await later).toBe('c0');
    // No one waits for it any longer.
    expect(writes.map(keys)).toEqual(['a', 'c']);
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

  it('limits the size of a batch', async () => {
    const { writer, writes, open } = makeWriter({ most: 2 });
    const all = 'abcdef'.split('').map((key) => writer.add(item(key)));
    for (let i = 0; i < 4; i += 1) (await open()).succeed();
    await Promise.all(all);
    expect(writes.map(keys)).toEqual(['a', 'bc', 'de', 'f']);
  });

  it('retries each item of a failed batch alone, so that one bad item fails alone', async () => {
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

  it('fails the rest of the batch once a retry fails for a reason that affects all', async () => {
    const { writer, writes, open } = makeWriter({ isForAll: (e) => String(e).includes('away') });
    const all = 'abcde'.split('').map((key) => writer.add(item(key)));
    const results = Promise.allSettled(all);
    (await open()).succeed();
    // The connection broke: a new one may work.
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

  it('reports each failed item once, and how long each of the others waited', async () => {
    const { writer, open, waited, failures } = makeWriter();
    const all = Promise.allSettled('abc'.split('').map((key) => writer.add(item(key))));
    (await open()).succeed();
    (await open()).fail(new Error('one of you is bad'));
    (await open()).fail(new Error('you are bad'));
    (await open()).succeed();
    await all;
    expect(failures()).toBe(1);
    expect(waited.map((ms) => ms.length)).toEqual([1, 1]);
    for (const ms of waited.flat()) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(60_000);
    }
  });

  it('needs no callbacks', async () => {
    const writer = new Batches<Item, string>({
      keyOf: (i) => i.key,
      most: 1,
      run: ([i]) => (i?.key === 'b' ? Promise.reject(new Error('bad')) : Promise.resolve(['done'])),
    });
    expect(await writer.add(item('a'))).toBe('done');
    await expect(writer.add(item('b'))).rejects.toThrow('bad');
    expect(await writer.add(item('c'))).toBe('done');
  });

  it('continues after a failure', async () => {
    const { writer, open } = makeWriter();
    const bad = writer.add(item('a', 1));
    const good = writer.add(item('a', 2));
    (await open()).fail(new Error('bad'));
    await expect(bad).rejects.toThrow('bad');
    (await open()).succeed();
    expect(await good).toBe('a2');
  });

  it('waits before each batch when given a time to gather', async () => {
    const { writer, writes, open } = makeWriter({ gatherMs: 20 });
    const first = writer.add(item('a'));
    await settled();
    expect(writes).toEqual([]);
    const second = writer.add(item('b'));
    await expect.poll(() => writes.length).toBe(1);
    (await open()).succeed();
    expect(await Promise.all([first, second])).toEqual(['a0', 'b0']);
    expect(writes.map(({ items }) => items.length)).toEqual([2]);
  });

  it('is idle once every item has been answered', async () => {
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

  it('is not idle while an item is done alone', async () => {
    const { worker, alone } = makeWorker();
    const left = worker.add(item('a', 1));
    let idle = false;
    const whenIdle = worker.idle().then(() => {
      idle = true;
    });
    await expect.poll(() => [...alone.keys()]).toEqual(['a']);
    await settled();
    expect(idle).toBe(false);
    alone.get('a')?.succeed();
    expect(await left).toBe('a alone');
    await whenIdle;
  });

  it('does four alone at a time, in order, while batches continue', async () => {
    const { worker, alone } = makeWorker();
    const left = [...'abcdef'].map((key) => worker.add(item(key, 1)));
    await expect.poll(() => [...alone.keys()].join('')).toBe('abcd');
    expect(await worker.add(item('x'))).toBe('x');
    expect([...alone.keys()].join('')).toBe('abcd');
    alone.get('b')?.fail(new Error('refused'));
    await expect(left[1]).rejects.toThrow('refused');
    await settled();
    expect([...alone.keys()].join('')).toBe('abcde');
    for (const key of 'acde') alone.get(key)?.succeed();
    await expect.poll(() => alone.has('f')).toBe(true);
    alone.get('f')?.succeed();
    expect(await Promise.all(left.filter((_, i) => i !== 1))).toEqual(
      [...'acdef'].map((key) => `${key} alone`),
    );
  });

  it('does all items of a batch alone when a row of one is locked', async () => {
    const { worker, alone, ran } = makeWorker();
    const first = worker.add(item('x'));
    const batch = [worker.add(item('a')), worker.add(item('b', 2)), worker.add(item('c'))];
    expect(await first).toBe('x');
    await expect.poll(() => [...alone.keys()].join('')).toBe('abc');
    // A later item does not wait for the locked one.
    expect(await worker.add(item('d'))).toBe('d');
    expect(ran).toEqual(['x', 'abc', 'd']);
    for (const key of 'abc') alone.get(key)?.succeed();
    expect(await Promise.all(batch)).toEqual(['a alone', 'b alone', 'c alone']);
  });

  it('keeps the items of a key in order and answers each once, whatever the load', async () => {
    const seen = new Map<string, number>();
    let batches = 0;
    const writer = new Batches<Item, string>({
      keyOf: (i) => i.key,
      most: 7,
      async run(items) {
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

describe('a waiting item', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  /** The state of a promise. */
  const follow = (promise: Promise<string>) => {
    const seen = { became: 'waiting' };
    promise.then(
      (value) => Object.assign(seen, { became: value }),
      (error: Error) => Object.assign(seen, { became: error.message }),
    );
    return seen;
  };

  it('is refused at its timeout and not before', async () => {
    const { writer, failures } = makeWriter({ timeoutMs: 2_000 });
    const first = follow(writer.add(item('a')));
    await pass(1_000);
    const second = follow(writer.add(item('b')));
    await pass(500);
    expect([first.became, second.became]).toEqual(['waiting', 'waiting']);
    await pass(500);
    expect([first.became, second.became]).toEqual(['too slow', 'waiting']);
    await pass(500);
    expect(second.became).toBe('waiting');
    await pass(500);
    expect(second.became).toBe('too slow');
    expect(failures()).toBe(2);
  });

  it('that was refused is not answered again, and not retried alone', async () => {
    const { writer, writes, open, failures } = makeWriter({ timeoutMs: 2_000 });
    const opener = follow(writer.add(item('x')));
    const [a, b] = [follow(writer.add(item('a'))), follow(writer.add(item('b')))];
    (await open()).succeed();
    const hanging = await open();
    expect(keys(hanging)).toBe('ab');
    await pass(2_000);
    expect([opener.became, a.became, b.became]).toEqual(['x0', 'too slow', 'too slow']);
    hanging.fail(new Error('away at last'));
    await settled();
    expect(writes.map(keys)).toEqual(['x', 'ab']);
    expect([a.became, b.became, failures()]).toEqual(['too slow', 'too slow', 2]);
    const later = follow(writer.add(item('c')));
    (await open()).succeed();
    await settled();
    expect(later.became).toBe('c0');
  });

  it('that was refused when done alone is reported once, whatever its write does', async () => {
    const { writer, open, failures } = makeWriter({ timeoutMs: 2_000 });
    const one = follow(writer.add(item('a')));
    await pass(2_500);
    (await open()).fail(new Error('away at last'));
    await settled();
    expect([one.became, failures()]).toEqual(['too slow', 1]);
  });

  it('is refused at its timeout while done alone, or queued for it', async () => {
    const { worker, alone, failures } = makeWorker(2_000);
    const left = [...'abcdef'].map((key) => follow(worker.add(item(key, 1))));
    await expect.poll(() => alone.size).toBe(4);
    alone.get('a')?.succeed();
    await pass(2_500);
    expect(left.map(({ became }) => became)).toEqual(['a alone', ...Array(5).fill('too slow')]);
    expect(failures()).toBe(5);
    // Work that is running may complete; none is started for refused items.
    for (const key of 'bcde') alone.get(key)?.succeed();
    await settled();
    expect([...alone.keys()].join('')).toBe('abcde');
    expect(failures()).toBe(5);
  });

  it('is not counted when refused, however long the others take', async () => {
    const { writer, open, failures } = makeWriter({ timeoutMs: 2_000 });
    const opener = follow(writer.add(item('x')));
    const [a, b] = [follow(writer.add(item('a'))), follow(writer.add(item('b')))];
    (await open()).succeed();
    (await open()).fail(new Error('one of them is bad'));
    (await open()).succeed();
    await settled();
    await pass(3_000);
    expect([opener.became, a.became, b.became]).toEqual(['x0', 'a0', 'too slow']);
    expect(failures()).toBe(1);
  });

  it('is watched by one timer, which stops when idle and starts again', async () => {
    const { writer, open } = makeWriter({ timeoutMs: 2_000 });
    expect(vi.getTimerCount()).toBe(0);
    for (let round = 0; round < 2; round += 1) {
      const done = [writer.add(item('a')), writer.add(item('b'))];
      expect(vi.getTimerCount()).toBe(1);
      await pass(500);
      expect(vi.getTimerCount()).toBe(1);
      (await open()).succeed();
      (await open()).succeed();
      await Promise.all(done);
      await writer.idle();
      // Kept running briefly: the next save will most likely arrive soon.
      expect(vi.getTimerCount()).toBe(1);
      await pass(500);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it('has no timer without a timeout', async () => {
    const { writer, open } = makeWriter();
    const one = follow(writer.add(item('a')));
    expect(vi.getTimerCount()).toBe(0);
    await pass(3_600_000);
    expect(one.became).toBe('waiting');
    (await open()).succeed();
    await settled();
    expect(one.became).toBe('a0');
  });
});

it('refuses each item in the context of its caller, by itself or alone', async () => {
  const caller = new AsyncLocalStorage<string>();
  const refuse = () => Promise.reject(new Error(`refused to ${caller.getStore()}`));
  const refused = async (work: Pick<BatchWork<Item, string>, 'run' | 'alone'>) => {
    const batches = new Batches<Item, string>({ keyOf: ({ key }) => key, most: 100, ...work });
    const asked = ['a', 'b', 'c'].map((key) =>
      caller.run(key, () => batches.add(item(key)).catch((error: Error) => error.message)),
    );
    return Promise.all(asked);
  };
  const own = ['refused to a', 'refused to b', 'refused to c'];
  expect(await refused({ run: refuse })).toEqual(own);
  expect(await refused({ run: async (items) => items.map(() => ALONE), alone: refuse })).toEqual(
    own,
  );
});

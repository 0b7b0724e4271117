import { expect, test, vi } from 'vitest';
import { stopTime } from '../testing/browser-stubs.ts';
import { type Locks, TabLock, type TabState } from './tab-lock.ts';

stopTime();

/** A minimal lock manager of one browser: one holder, a queue, stealing. */
function browserLocks(): Locks {
  interface Entry {
    run(): void;
    fail(): void;
  }
  let holder: Entry | null = null;
  const line: Entry[] = [];
  const next = () => {
    holder = line.shift() ?? null;
    holder?.run();
  };
  return {
    request(_name, { steal = false, signal }, held) {
      return new Promise((resolve, reject) => {
        const entry: Entry = {
          run: () =>
            void held().then(() => {
              if (holder !== entry) return;
              resolve(undefined);
              next();
            }),
          fail: () => reject(new DOMException('stolen', 'AbortError')),
        };
        signal?.addEventListener('abort', () => {
          if (!line.includes(entry)) return;
          line.splice(line.indexOf(entry), 1);
          reject(signal.reason);
        });
        if (steal) {
          holder?.fail();
          holder = entry;
          entry.run();
        } else if (holder === null) {
          holder = entry;
          entry.run();
        } else line.push(entry);
      });
    },
  };
}

function tab(locks: Locks | undefined) {
  const closing = new AbortController();
  const states: TabState[] = [];
  const lock = new TabLock({
    locks,
    name: 'attempt',
    signal: closing.signal,
    onState: (state) => states.push(state),
  });
  lock.start();
  return { lock, states, close: () => closing.abort() };
}

const pass = () => vi.advanceTimersByTimeAsync(1_000);

test('blocks the second tab after the timeout', async () => {
  const locks = browserLocks();
  const first = tab(locks);
  const second = tab(locks);
  expect(second.states).toEqual([]);
  await pass();
  expect(first.states).toEqual(['mine']);
  expect(second.states).toEqual(['elsewhere']);
});

test('notifies the other tab of a takeover and lets it take the lock back', async () => {
  const locks = browserLocks();
  const first = tab(locks);
  const second = tab(locks);
  await pass();
  second.lock.takeOver();
  await pass();
  expect(second.states.at(-1)).toBe('mine');
  expect(first.states).toEqual(['mine', 'elsewhere']);
  first.lock.takeOver();
  await pass();
  expect(first.states.at(-1)).toBe('mine');
  expect(second.states.at(-1)).toBe('elsewhere');
});

test('hands the lock over when the first tab closes', async () => {
  const locks = browserLocks();
  const first = tab(locks);
  const second = tab(locks);
  await pass();
  first.close();
  await pass();
  expect(second.states).toEqual(['elsewhere', 'mine']);
  expect(first.states).toEqual(['mine']);
});

test('shows no notice on a reload whose old page releases the lock late', async () => {
  const locks = browserLocks();
  const before = tab(locks);
  const after = tab(locks);
  await vi.advanceTimersByTimeAsync(200);
  before.close();
  await pass();
  expect(after.states).toEqual(['mine']);
});

test('treats a browser without locks as a single tab', () => {
  expect(tab(undefined).states).toEqual(['mine']);
});

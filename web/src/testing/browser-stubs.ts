import * as fakeIndexedDb from 'fake-indexeddb';
import { beforeEach, vi } from 'vitest';

/** A `localStorage` for the tests of a file, empty before each; returns what it holds. */
export function stubStorage(): Map<string, string> {
  const held = new Map<string, string>();
  beforeEach(() => {
    held.clear();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => held.get(name) ?? null,
      setItem: (name: string, value: string) => held.set(name, value),
      removeItem: (name: string) => held.delete(name),
    });
  });
  return held;
}

/** Gives each test of a file an empty IndexedDB, which Node does not have. */
export function provideIndexedDb(): void {
  const { IDBFactory, default: _, ...constructors } = fakeIndexedDb;
  beforeEach(() => {
    for (const [name, value] of Object.entries(constructors)) vi.stubGlobal(name, value);
    vi.stubGlobal('indexedDB', new IDBFactory());
  });
}

/** Stops the clock for each test of a file or group until it is advanced. */
export function stopTime(options?: Parameters<typeof vi.useFakeTimers>[0]): void {
  beforeEach(() => {
    vi.useFakeTimers(options);
    return () => vi.useRealTimers();
  });
}

/** The events of a window for the tests of a file or group; returns what dispatches them. */
export function stubWindowEvents(): EventTarget {
  const window = new EventTarget();
  beforeEach(() => {
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  });
  return window;
}

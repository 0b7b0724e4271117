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

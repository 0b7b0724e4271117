import * as fakeIndexedDb from 'fake-indexeddb';
import { beforeEach, vi } from 'vitest';

/** Gives each test of a file an empty IndexedDB, which Node does not have. */
export function provideIndexedDb(): void {
  const { IDBFactory, default: _, ...constructors } = fakeIndexedDb;
  beforeEach(() => {
    for (const [name, value] of Object.entries(constructors)) vi.stubGlobal(name, value);
    vi.stubGlobal('indexedDB', new IDBFactory());
  });
}

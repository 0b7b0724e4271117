import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violation-types';
import { type DBSchema, openDB } from 'idb';
import { z } from 'zod';
import { withTimeout } from '../../lib/timeout.ts';

const StoredReport = z.object({
  id: z.string(),
  participantId: z.string(),
  type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
  /** When it happened, milliseconds since 1970 by this device: only ever compared with itself. */
  wallAt: z.number(),
  durationMs: z.number().nullable(),
  notes: z.string().nullable(),
  engine: z.string().nullable(),
});

/** A finding on its way to the server. */
export type StoredReport = z.infer<typeof StoredReport>;

/** Where reports wait until the server has them. */
export interface ViolationStore {
  /** What an earlier visit left of this attempt, oldest first. */
  load(participantId: string): Promise<StoredReport[]>;
  put(report: StoredReport): Promise<void>;
  remove(id: string): Promise<void>;
  close(): void;
}

interface Schema extends DBSchema {
  reports: { key: string; value: StoredReport };
}

const DATABASE = 'invigil-violations';

/** The durable store. Rejects where this browser has no usable IndexedDB, or gives no answer. */
export async function openViolationStore(): Promise<ViolationStore> {
  const opening = openDB<Schema>(DATABASE, 1, {
    upgrade(opened) {
      opened.createObjectStore('reports', { keyPath: 'id' });
    },
    // A tab with a later version must not wait for this one.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
  const database = await withTimeout(opening, 'opening the database of reports');
  return {
    async load(participantId) {
      const rows = await withTimeout(database.getAll('reports'), 'reading stored reports');
      const kept: StoredReport[] = [];
      for (const row of rows) {
        const read = StoredReport.safeParse(row).data;
        const old = read === undefined || Date.now() - read.wallAt > VIOLATION_LIMITS.ageMaxMs;
        if (old) await database.delete('reports', row.id);
        else if (read.participantId === participantId) kept.push(read);
      }
      return kept.sort((a, b) => a.wallAt - b.wallAt);
    },
    async put(report) {
      await database.put('reports', report);
    },
    async remove(id) {
      await database.delete('reports', id);
    },
    close: () => database.close(),
  };
}

/** The stand-in where the browser stores nothing: reports wait in the page only. */
export function memoryViolationStore(): ViolationStore {
  return {
    load: () => Promise.resolve([]),
    put: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    close: () => undefined,
  };
}

import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { COUNTING_TYPES, FLAG_TYPES } from '@invigil/core/domain/violations/violation-types';
import { type DBSchema, openDB } from 'idb';
import { z } from 'zod';
import { OPENING_TIMEOUT_MS, withTimeout } from '../../lib/timeout.ts';

const StoredReport = z.object({
  id: z.string(),
  participantId: z.string(),
  type: z.enum([...COUNTING_TYPES, ...FLAG_TYPES]),
  /** When it happened, milliseconds since 1970 by this device; only compared with the same clock. */
  wallAt: z.number(),
  durationMs: z.number().nullable(),
  notes: z.string().nullable(),
  engine: z.string().nullable(),
  /** The page could not show a warning. */
  unseen: z.boolean().optional(),
});

/** A detected event that the server has not acknowledged. */
export type StoredReport = z.infer<typeof StoredReport>;

/** Storage of unacknowledged reports. */
export interface ViolationStore {
  /** The stored reports of this attempt, oldest first. */
  load(participantId: string): Promise<StoredReport[]>;
  put(report: StoredReport): Promise<void>;
  remove(id: string): Promise<void>;
  close(): void;
}

interface Schema extends DBSchema {
  reports: { key: string; value: StoredReport };
}

const DATABASE = 'invigil-violations';

/** Opens the durable store. Rejects if IndexedDB is not usable or does not respond. */
export async function openViolationStore(): Promise<ViolationStore> {
  const opening = openDB<Schema>(DATABASE, 1, {
    upgrade(opened) {
      opened.createObjectStore('reports', { keyPath: 'id' });
    },
    // Do not block a tab with a later version.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
  const database = await withTimeout(
    opening,
    'opening the database of reports',
    OPENING_TIMEOUT_MS,
  );
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

/** Fallback without storage: reports are queued in memory only. */
export function memoryViolationStore(): ViolationStore {
  return {
    load: () => Promise.resolve([]),
    put: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    close: () => undefined,
  };
}

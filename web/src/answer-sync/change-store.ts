import type { DBSchema, IDBPDatabase, IDBPObjectStore } from 'idb';
import { z } from 'zod';
import { openDatabase, withTimeout } from '../lib/database.ts';
import { tabKey } from '../lib/person/local-keys.ts';
import type { AnswerChange } from './answer-sheet.ts';

/** Storage of unacknowledged changes. One row per participant and question. */
export interface ChangeStore {
  /** The pending changes of an earlier visit. */
  load(participantId: string): Promise<AnswerChange[]>;
  /** Resolves once the change would survive a browser crash. Never replaces a higher revision. */
  put(participantId: string, change: AnswerChange): Promise<void>;
  /** Deletes a question's change unless it has a higher revision. */
  remove(participantId: string, questionId: string, revision: number): Promise<void>;
  /** Stores the submit request, so that a reload continues sending it. */
  putEnd(participantId: string, request: EndRequest): Promise<void>;
  loadEnd(participantId: string): Promise<EndRequest | null>;
  /** The submit was withdrawn: the attempt continues. */
  removeEnd(participantId: string): Promise<void>;
  /** Deletes everything of the attempt. */
  clear(participantId: string): Promise<void>;
  close(): void;
}

/** A submit as it was asked for. */
const EndRequest = z.object({
  /** The time ran out on this page; no button was pressed. */
  auto: z.boolean(),
  /** The deadline last received: a later extension prevents an automatic submit. */
  deadlineAt: z.string().nullable().default(null),
  feedback: z
    .object({ emoji: z.enum(['smile', 'neutral', 'sad']), skipped: z.boolean() })
    .nullable(),
  /** The highest revision of each question that this device knew. */
  known: z.record(z.string(), z.int()).nullable().default(null),
});
export type EndRequest = z.infer<typeof EndRequest>;

const Change = z.object({
  questionId: z.string(),
  answer: z.string(),
  isFlagged: z.boolean(),
  revision: z.int().min(1),
});
const Row = Change.extend({ participantId: z.string() });
type Row = z.infer<typeof Row>;

interface Schema extends DBSchema {
  changes: { key: [string, string]; value: Row };
  submissions: { key: string; value: EndRequest };
}

/** The durable store. Rejects if this browser has none. */
export async function openChangeStore(name = 'invigil-answers'): Promise<ChangeStore> {
  const database = await openDatabase<Schema>(name, (created) => {
    created.createObjectStore('changes', { keyPath: ['participantId', 'questionId'] });
    created.createObjectStore('submissions');
  });
  return new IndexedChangeStore(database);
}

/** Changes that a page holds when it is left, for the page that a reload opens. */
export interface LastMoment {
  read(): AnswerChange[];
  /** Stores the changes at once: a reload can be quicker than the database. */
  write(changes: readonly AnswerChange[]): void;
}

/** Changes in the storage of the tab, whose values last as long as the tab; without one nothing is kept. */
export function lastMomentOf(participantId: string): LastMoment {
  const key = tabKey(`invigil-left-${participantId}`, z.array(Change));
  return {
    read: () => key.read() ?? [],
    write: (changes) => (changes.length === 0 ? key.remove() : key.write([...changes])),
  };
}

class IndexedChangeStore implements ChangeStore {
  readonly #database: IDBPDatabase<Schema>;

  constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  async load(participantId: string): Promise<AnswerChange[]> {
    const rows = await withTimeout(
      this.#database.getAll('changes', everyQuestionOf(participantId)),
      'reading stored changes',
    );
    // Rows may be from an earlier version or tampered with: skip unreadable ones.
    return rows.flatMap((row) => {
      const read = Row.safeParse(row);
      if (!read.success) return [];
      const { questionId, answer, isFlagged, revision } = read.data;
      return [{ questionId, answer, isFlagged, revision }];
    });
  }

  async put(participantId: string, change: AnswerChange): Promise<void> {
    await withTimeout(
      this.#write(async (changes) => {
        const held = await changes.get([participantId, change.questionId]);
        if (held === undefined || held.revision <= change.revision) {
          await changes.put({ participantId, ...change });
        }
      }),
      'storing a change',
    );
  }

  async remove(participantId: string, questionId: string, revision: number): Promise<void> {
    await this.#write(async (changes) => {
      const held = await changes.get([participantId, questionId]);
      if (held !== undefined && held.revision <= revision) {
        await changes.delete([participantId, questionId]);
      }
    });
  }

  async putEnd(participantId: string, request: EndRequest): Promise<void> {
    await withTimeout(
      this.#database.put('submissions', request, participantId),
      'storing the submit',
    );
  }

  async loadEnd(participantId: string): Promise<EndRequest | null> {
    const stored = await withTimeout(this.#database.get('submissions', participantId), 'reading');
    return EndRequest.safeParse(stored).data ?? null;
  }

  async removeEnd(participantId: string): Promise<void> {
    await withTimeout(this.#database.delete('submissions', participantId), 'forgetting the submit');
  }

  async clear(participantId: string): Promise<void> {
    await withTimeout(
      this.#write((changes) => changes.delete(everyQuestionOf(participantId))),
      'forgetting the changes',
    );
    await this.removeEnd(participantId);
  }

  close(): void {
    this.#database.close();
  }

  /** One transaction, flushed to disk when it resolves. */
  async #write(work: (changes: Changes) => Promise<void>): Promise<void> {
    const transaction = this.#database.transaction('changes', 'readwrite', {
      durability: 'strict',
    });
    await Promise.all([work(transaction.store), transaction.done]);
  }
}

type Changes = IDBPObjectStore<Schema, ['changes'], 'changes', 'readwrite'>;

function everyQuestionOf(participantId: string): IDBKeyRange {
  return IDBKeyRange.bound([participantId], [participantId, []]);
}

/**
 * Fallback if the browser cannot store: in memory, so that a later visit of the same page finds it.
 */
export function memoryChangeStore(): ChangeStore {
  const changes = new Map<string, Map<string, AnswerChange>>();
  const submissions = new Map<string, EndRequest>();
  const heldBy = (id: string) => {
    const held = changes.get(id) ?? new Map<string, AnswerChange>();
    changes.set(id, held);
    return held;
  };
  return {
    load: async (id) => [...heldBy(id).values()],
    async put(id, change) {
      const held = heldBy(id).get(change.questionId)?.revision ?? 0;
      if (held <= change.revision) heldBy(id).set(change.questionId, change);
    },
    async remove(id, questionId, revision) {
      const held = heldBy(id).get(questionId)?.revision ?? 0;
      if (held <= revision) heldBy(id).delete(questionId);
    },
    putEnd: async (id, request) => void submissions.set(id, request),
    loadEnd: async (id) => submissions.get(id) ?? null,
    removeEnd: async (id) => void submissions.delete(id),
    async clear(id) {
      changes.delete(id);
      submissions.delete(id);
    },
    close: () => undefined,
  };
}

import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { z } from 'zod';
import type { AnswerChange } from './answer-sheet.ts';

/** Where changes wait until the server has acknowledged them. One row per participant and question. */
export interface ChangeStore {
  /** What an earlier visit left for this attempt. */
  load(participantId: string): Promise<AnswerChange[]>;
  /** Resolves once the change survives the death of the browser. Never replaces a higher revision. */
  put(participantId: string, change: AnswerChange): Promise<void>;
  /** Forgets a question's change unless a higher revision has arrived since. */
  remove(participantId: string, questionId: string, revision: number): Promise<void>;
  /** Remembers that the candidate asked to submit, so that a reload goes on sending. */
  putSubmission(participantId: string, request: SubmissionRequest): Promise<void>;
  loadSubmission(participantId: string): Promise<SubmissionRequest | null>;
  /** Forgets the attempt. */
  clear(participantId: string): Promise<void>;
  close(): void;
}

const SubmissionRequest = z.object({
  /** The time ran out on this page; nobody pressed a button. */
  auto: z.boolean(),
  feedback: z
    .object({ emoji: z.enum(['smile', 'neutral', 'sad']), skipped: z.boolean() })
    .nullable(),
});
export type SubmissionRequest = z.infer<typeof SubmissionRequest>;

const Row = z.object({
  participantId: z.string(),
  questionId: z.string(),
  selectedOption: z.string(),
  isFlagged: z.boolean(),
  revision: z.int().min(1),
});
type Row = z.infer<typeof Row>;

interface Schema extends DBSchema {
  changes: { key: [string, string]; value: Row };
  submissions: { key: string; value: SubmissionRequest };
}

const DATABASE = 'invigil-answers';

/** Some browsers neither open a database nor say why (private windows, a hung profile). */
const PATIENCE_MS = 4_000;

/**
 * The durable store.
 *
 * @throws when this browser has no usable IndexedDB: private windows of some browsers, blocked
 * storage, a full disk
 */
export async function openChangeStore(name = DATABASE): Promise<ChangeStore> {
  const opening = openDB<Schema>(name, 1, {
    upgrade(database) {
      database.createObjectStore('changes', { keyPath: ['participantId', 'questionId'] });
      database.createObjectStore('submissions');
    },
    // A tab with a later version must not wait for this one.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
    },
  });
  const database = await inTime(opening, 'opening the database');
  return new IndexedChangeStore(database);
}

class IndexedChangeStore implements ChangeStore {
  readonly #database: IDBPDatabase<Schema>;

  constructor(database: IDBPDatabase<Schema>) {
    this.#database = database;
  }

  async load(participantId: string): Promise<AnswerChange[]> {
    const rows = await inTime(
      this.#database.getAll('changes', everyQuestionOf(participantId)),
      'reading stored changes',
    );
    // What is on disk may come from an earlier version or another hand: unreadable rows are left out.
    return rows.flatMap((row) => {
      const read = Row.safeParse(row);
      if (!read.success) return [];
      const { questionId, selectedOption, isFlagged, revision } = read.data;
      return [{ questionId, selectedOption, isFlagged, revision }];
    });
  }

  async put(participantId: string, change: AnswerChange): Promise<void> {
    await inTime(
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

  async putSubmission(participantId: string, request: SubmissionRequest): Promise<void> {
    await inTime(this.#database.put('submissions', request, participantId), 'storing the submit');
  }

  async loadSubmission(participantId: string): Promise<SubmissionRequest | null> {
    const stored = await inTime(this.#database.get('submissions', participantId), 'reading');
    return SubmissionRequest.safeParse(stored).data ?? null;
  }

  async clear(participantId: string): Promise<void> {
    await inTime(
      this.#write((changes) => changes.delete(everyQuestionOf(participantId))),
      'forgetting the changes',
    );
    await inTime(this.#database.delete('submissions', participantId), 'forgetting the submit');
  }

  close(): void {
    this.#database.close();
  }

  /** One transaction that is on the disk, not only in the operating system, when it resolves. */
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

function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took too long`)), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The stand-in where the browser stores nothing: the page alone keeps the changes. */
export function memoryChangeStore(): ChangeStore {
  return {
    load: () => Promise.resolve([]),
    put: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    putSubmission: () => Promise.resolve(),
    loadSubmission: () => Promise.resolve(null),
    clear: () => Promise.resolve(),
    close: () => undefined,
  };
}

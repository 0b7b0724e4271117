import { Worker } from 'node:worker_threads';
import type { ExportFormat, FileFormat } from '@invigil/core/domain/questions/question-files';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { ExportedQuestion } from '../../../formats/exported-question.ts';
import type { ImportedItem } from '../../../formats/imported-file.ts';
import { AppError } from '../../../runtime/app-error.ts';

/** What the thread answers; each answer is one turn, so that the event loop is never held up. */
export type FromThread =
  | { kind: 'progress'; items: number }
  | { kind: 'image'; hash: string; bytes: Uint8Array }
  | { kind: 'items'; items: ImportedItem[] }
  | { kind: 'end'; format: FileFormat; problems: string[] }
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'error'; message: string };

/** What the thread is asked to do. */
export type ThreadJob =
  | { kind: 'read'; name: string; bytes: Uint8Array }
  | {
      kind: 'write';
      format: ExportFormat;
      questions: ExportedQuestion[];
      images: Map<string, Uint8Array>;
    };

const TOO_LARGE = 'This file needs too much memory to read. Split it into smaller ones';
const TOO_SLOW = 'This file takes too long to read. Split it into smaller ones';

let isBusy = false;

/**
 * Runs one job on a thread of its own with a bounded heap, one at a time in each process: question files
 * come from other systems and may be hostile, and candidates are saving meanwhile. The thread sends its
 * next answer only once the one before was taken. Ends the thread when the caller stops reading.
 *
 * Throws IMPORT_BUSY.
 */
export async function* runOnThread(job: ThreadJob): AsyncGenerator<FromThread> {
  if (isBusy) throw new AppError('IMPORT_BUSY', { retryAfterSeconds: 2 });
  isBusy = true;
  const worker = new Worker(new URL('./file-thread-main.ts', import.meta.url), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: IMPORT_LIMITS.heapMaxMebibytes },
  });
  try {
    const answers = new Answers(worker);
    const until = performance.now() + IMPORT_LIMITS.readMaxMs;
    let isAsked = false;
    for (;;) {
      if (!isAsked) worker.postMessage('next');
      const answer = await answers.next(until - performance.now());
      // Progress comes unasked: what was asked for is still to come.
      isAsked = answer.kind === 'progress';
      yield answer;
      if (answer.kind === 'end' || answer.kind === 'file' || answer.kind === 'error') return;
    }
  } finally {
    isBusy = false;
    void worker.terminate();
  }
}

/** What a thread sent and no one has taken yet: one answer that was asked for, and progress. */
class Answers {
  readonly #waiting: FromThread[] = [];
  #onAnswer: (() => void) | undefined;

  constructor(worker: Worker) {
    worker.on('message', (answer: FromThread) => this.#add(answer));
    worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#add({ kind: 'error', message: isMemory ? TOO_LARGE : 'This file could not be read' });
    });
  }

  #add(answer: FromThread): void {
    this.#waiting.push(answer);
    this.#onAnswer?.();
  }

  /** The next one; an error when there is none in time. */
  async next(withinMs: number): Promise<FromThread> {
    if (this.#waiting.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#onAnswer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#waiting.shift() ?? { kind: 'error', message: TOO_SLOW };
  }
}

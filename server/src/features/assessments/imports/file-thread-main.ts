import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { readQuestionFile } from '../../../formats/any/detect-format.ts';
import { writeQuestionFile } from '../../../formats/any/write-format.ts';
import { UnreadableFile } from '../../../formats/imported-file.ts';
import type { FromThread, ThreadJob } from './file-thread.ts';

const ITEMS_PER_ANSWER = 100;
const PROGRESS_EVERY = 200;

/** The thread of one question file: reads or writes it, and sends an answer for each request. */
async function main(port: MessagePort, job: ThreadJob): Promise<void> {
  for await (const answer of answersTo(job)) {
    await once(port, 'message');
    port.postMessage(answer);
  }
}

async function* answersTo(job: ThreadJob): AsyncGenerator<FromThread> {
  try {
    if (job.kind === 'write') {
      const bytes = writeQuestionFile(
        job.format,
        job.questions,
        (hash) => job.images.get(hash) ?? null,
      );
      yield { kind: 'file', bytes };
      return;
    }
    const file = await readQuestionFile(job, reportProgress);
    for (const [hash, bytes] of file.images) yield { kind: 'image', hash, bytes };
    for (let i = 0; i < file.items.length; i += ITEMS_PER_ANSWER) {
      yield { kind: 'items', items: file.items.slice(i, i + ITEMS_PER_ANSWER) };
    }
    yield { kind: 'end', format: file.format, problems: file.problems };
  } catch (error) {
    const message = error instanceof UnreadableFile ? error.message : 'This file could not be read';
    yield { kind: 'error', message };
  }
}

/** Not waited for: the reader goes on. */
function reportProgress(count: number): void {
  if (count % PROGRESS_EVERY === 0) parentPort?.postMessage({ kind: 'progress', items: count });
}

if (parentPort) await main(parentPort, workerData as ThreadJob);

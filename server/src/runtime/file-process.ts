import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import type { readPeopleSheet } from '@invigil/core/contract/invitations/people';
import { WORK_LIMITS } from '@invigil/core/domain/limits';
import { currentLanguage } from '@invigil/core/domain/locale';
import { type ExportFormat, IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { confinedArguments } from '../formats/confined.ts';
import type { UntitledQuestion } from '../formats/exported-question.ts';
import type { ImportedItem, ReadSummary, UploadedFile } from '../formats/imported-file.ts';
import { AppError } from './app-error.ts';
import type { Place } from './work-queue.ts';

/** A line of what the process found in a file, in the order of the file. */
export type FromReader =
  | { kind: 'item'; item: ImportedItem }
  | { kind: 'image'; hash: string; base64: string }
  | ({ kind: 'end' } & ReadSummary)
  | { kind: 'error'; message: string };

/** A job of the process. A file to be read follows on its standard input. */
export type ProcessJob =
  | ({ kind: 'read'; size: number } & Omit<UploadedFile, 'bytes'>)
  | { kind: 'rows'; size: number }
  | { kind: 'write' };

/** The same as the process gets it, with the language of what it says about the file. */
export type ProcessOrder = ProcessJob & { language: string };

/** The rows of a sheet as texts, and what is to be known of it. */
export type ReadRows = ResponseOf<typeof readPeopleSheet>;

/** The content of a file to be written; images in base64, by their hash. */
export interface WriteInput {
  format: ExportFormat;
  questions: UntitledQuestion[];
  images: Record<string, string>;
}

const tooLargeText = (): string =>
  t('import.tooLarge', 'This file needs too much memory to read. Split it into smaller ones');
const tooSlowText = (): string =>
  t('import.tooSlow', 'This file takes too long to read. Split it into smaller ones');
const tooLargeToWriteText = (): string =>
  t('server.export.tooLarge', 'These questions are too large for one file. Narrow the list');

/**
 * Reads a question file in a process of its own with a bounded heap and time: files come from other systems
 * and may be hostile. A thread would do but for its memory: when it runs out of that, V8 may end the whole
 * process. It needs a place in the queue of files, here and below, because candidates are saving.
 *
 * The process waits while the caller does not take what it found. Only the time that it works counts, but
 * a caller who takes nothing for too long loses it. Ends it when the caller stops, or at once by the
 * signal of its place: a file can keep it busy without any output.
 *
 * Throws IMPORT_BUSY.
 */
export async function* readInProcess(
  { name, bytes, encoding, columns, firstRow }: UploadedFile,
  place: Place,
): AsyncGenerator<FromReader, void> {
  const choices = { name, encoding, columns, firstRow };
  using child = startProcess({ kind: 'read', size: bytes.length, ...choices }, place.signal);
  child.stdin.end(bytes);
  const lines = linesOf(child.stdout);
  let workedMs = 0;
  for (;;) {
    const from = performance.now();
    const working = setTimeout(() => child.kill(), IMPORT_LIMITS.readMaxMs - workedMs);
    const { value: line } = await lines.next();
    clearTimeout(working);
    workedMs += performance.now() - from;
    if (line === undefined) {
      const message = workedMs >= IMPORT_LIMITS.readMaxMs ? tooSlowText() : tooLargeText();
      yield { kind: 'error', message };
      return;
    }
    const found = JSON.parse(line) as FromReader;
    const waiting = setTimeout(() => {
      child.kill();
      // While its reader takes nothing, it is not given back by whoever holds it.
      place[Symbol.dispose]();
    }, IMPORT_LIMITS.idleMaxMs);
    yield found;
    clearTimeout(waiting);
    if (found.kind === 'end' || found.kind === 'error') return;
  }
}

/** Writes a question file in such a process. Throws IMPORT_BUSY, TOO_LARGE. */
export async function writeInProcess(
  { images, ...input }: Omit<WriteInput, 'images'> & { images: ReadonlyMap<string, Buffer> },
  { signal }: Place,
): Promise<Uint8Array> {
  using child = startProcess({ kind: 'write' }, signal);
  const base64 = [...images].map(([hash, bytes]) => [hash, bytes.toString('base64')]);
  child.stdin.end(JSON.stringify({ ...input, images: Object.fromEntries(base64) }));
  const working = setTimeout(() => child.kill(), IMPORT_LIMITS.writeMaxMs);
  const [bytes, code] = await Promise.all([buffer(child.stdout), child.ended]);
  clearTimeout(working);
  if (code !== 0) throw new AppError('TOO_LARGE', { message: tooLargeToWriteText() });
  return bytes;
}

/**
 * Reads the rows of an Excel workbook in such a process. Throws IMPORT_BUSY, and INVALID_INPUT for a file
 * that cannot be read.
 */
export async function readRowsInProcess(bytes: Uint8Array, { signal }: Place): Promise<ReadRows> {
  using child = startProcess({ kind: 'rows', size: bytes.length }, signal);
  child.stdin.end(bytes);
  let message = tooLargeText();
  const working = setTimeout(() => {
    message = tooSlowText();
    child.kill();
  }, IMPORT_LIMITS.readMaxMs);
  const [text, code] = await Promise.all([buffer(child.stdout), child.ended]);
  clearTimeout(working);
  if (code !== 0) throw new AppError('INVALID_INPUT', { message });
  const result = JSON.parse(text.toString()) as ReadRows | { problem: string };
  if ('problem' in result) throw new AppError('INVALID_INPUT', { message: result.problem });
  return result;
}

interface FileProcess extends Disposable {
  stdin: Writable;
  stdout: Readable;
  /** The exit code of the process; null when it was ended. */
  ended: Promise<number | null>;
  kill(): void;
}

/** @param signal ends the process; its work is for someone who has left */
function startProcess(job: ProcessJob, signal: AbortSignal): FileProcess {
  signal.throwIfAborted();
  const { heapMaxMebibytes, writeHeapMaxMebibytes } = IMPORT_LIMITS;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [
      ...confinedArguments(),
      `--max-old-space-size=${job.kind === 'write' ? writeHeapMaxMebibytes : heapMaxMebibytes}`,
      // New objects are let go early, instead of using more memory than the file.
      '--max-semi-space-size=2',
      fileURLToPath(new URL('./file-process-main.ts', import.meta.url)),
      JSON.stringify({ ...job, language: currentLanguage() } satisfies ProcessOrder),
    ],
    // Nothing of ours in the environment. What V8 prints when its memory is used up says nothing about
    // the file.
    { env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', resolve).on('error', () => resolve(null));
  });
  // The machine has no memory, process or file left for it: then it has no standard input either.
  if (child.pid === undefined) {
    throw new AppError('IMPORT_BUSY', { retryAfterSeconds: WORK_LIMITS.againAfterSeconds });
  }
  // Candidates first, whatever is in the file.
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    kill,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', kill);
      kill();
    },
  };
}

/** The lines of a stream, read only as fast as they are taken. */
async function* linesOf(stream: Readable): AsyncGenerator<string, undefined> {
  // An image is a line of megabytes, in many pieces.
  let pieces: string[] = [];
  for await (const piece of stream.setEncoding('utf8')) {
    const [first = '', ...others] = String(piece).split('\n');
    pieces.push(first);
    for (const next of others) {
      yield pieces.join('');
      pieces = [next];
    }
  }
}

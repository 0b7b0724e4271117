import { writeSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { t } from '@invigil/core/texts/i18n';
import { readQuestionFile } from '../formats/any/detect-format.ts';
import { writeQuestionFile } from '../formats/any/write-format.ts';
import { boundedItem, boundedSummary, UnreadableFile } from '../formats/imported-file.ts';
import { isArchive } from '../formats/read-archive.ts';
import { notExcelText, readXlsxRows } from '../formats/sheets/read-xlsx.ts';
import type { FromReader, ProcessJob, ProcessOrder, ReadRows, WriteInput } from './file-process.ts';
import { inLanguage } from './language.ts';

/*
 * The process of one question file (file-process.ts starts it): reads the file on its standard input, or
 * writes one from what is there. It holds no secret and no connection, and can be stopped at any time.
 */

const clock = new Int32Array(new SharedArrayBuffer(4));

const { language, ...job } = JSON.parse(process.argv[2] ?? '') as ProcessOrder;
await inLanguage(language, async () => {
  if (job.kind === 'read') await read(job);
  else if (job.kind === 'rows') await readRows(job);
  else write(JSON.parse(await text()) as WriteInput);
});

async function read({
  kind: _,
  size,
  ...file
}: Extract<ProcessJob, { kind: 'read' }>): Promise<void> {
  try {
    const summary = await readQuestionFile(
      { ...file, bytes: await bytesOf(size) },
      {
        item: (item) => send({ kind: 'item', item: boundedItem(item) }),
        image: (hash, bytes) =>
          send({ kind: 'image', hash, base64: Buffer.from(bytes).toString('base64') }),
      },
    );
    send({ kind: 'end', ...boundedSummary(summary) });
  } catch (error) {
    send({ kind: 'error', message: messageOf(error) });
  }
}

function messageOf(error: unknown): string {
  return error instanceof UnreadableFile
    ? error.message
    : t('import.unreadable', 'This file could not be read');
}

async function readRows({ size }: Extract<ProcessJob, { kind: 'rows' }>): Promise<void> {
  const read = async (): Promise<ReadRows> => {
    const bytes = await bytesOf(size);
    if (!isArchive(bytes)) throw new UnreadableFile(notExcelText());
    const { rows, problems, notes } = await readXlsxRows(bytes, { isoDates: true });
    return {
      rows: rows.map(({ fields }) => [...fields]),
      lines: rows.map(({ line }) => line),
      notes: [...problems, ...notes],
    };
  };
  const result = await read().catch((error: unknown) => ({ problem: messageOf(error) }));
  output(Buffer.from(JSON.stringify(result)));
}

function write({ format, questions, images }: WriteInput): void {
  const bytesOfImage = (hash: string) => {
    const base64 = images[hash];
    return base64 === undefined ? null : Buffer.from(base64, 'base64');
  };
  output(writeQuestionFile(format, questions, bytesOfImage));
}

/** The file, of a known size: pieces joined at the end would be in memory twice. */
async function bytesOf(size: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const piece of process.stdin) at += piece.copy(bytes, at);
  return bytes;
}

async function text(): Promise<string> {
  return (await buffer(process.stdin)).toString();
}

function send(message: FromReader): void {
  output(Buffer.from(`${JSON.stringify(message)}\n`));
}

/** Waits until all of it is taken: what a slow author has not read yet must not pile up here. */
function output(bytes: Uint8Array): void {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(process.stdout.fd, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(clock, 0, 0, 5);
    }
  }
}

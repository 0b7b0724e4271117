import {
  type ImportEnd,
  type ImportItem,
  ImportLine,
  type ImportOrder,
  importFile,
  readImport,
} from '@invigil/core/contract/assessments/imports';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { listWorks } from '@invigil/core/contract/installation/works';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { newId } from '../../../lib/new-id.ts';
import { sendOnce, sentenceOf } from '../../../net/api.ts';
import { ConnectionError } from '../../../net/api-error.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { useQuestionWrite } from '../../data/questions.ts';
import { BEGINS_WORK, useForgetWork, useWorks } from '../../data/works.ts';

const SHOWN_EVERY_MS = 100;

/** How a person wants the file to be read; what is absent is as it is likeliest. */
export type FileChoices = Pick<z.output<typeof ImportOrder>, 'encoding' | 'columns' | 'firstRow'>;

/** A file that was read; nothing of it is stored. */
export interface FileRead {
  id: string;
  file: File;
  choices: FileChoices;
  end: ImportEnd;
  items: readonly ImportItem[];
  images: PreviewImages;
}

export type Reading =
  | { phase: 'none'; problem: string | null }
  | { phase: 'reading'; name: string; count: number }
  /** Also while the file is read again, by other choices. */
  | { phase: 'read'; read: FileRead; isReading: boolean; problem: string | null };

const tooLarge = ({ size }: File) =>
  size > IMPORT_LIMITS.fileMaxBytes
    ? t('import.fileTooLarge', 'The file is too large. At most {mebibytes} MiB', {
        mebibytes: IMPORT_LIMITS.fileMaxBytes / 1_048_576,
      })
    : null;

/**
 * Reads a question file on the server, without storing anything.
 *
 * @param choices how the file is read at first
 * @param refuse why a file is not sent at all
 */
export function useReading(
  choices: FileChoices = {},
  refuse: (file: File) => string | null = tooLarge,
) {
  const [reading, setReading] = useState<Reading>({ phase: 'none', problem: null });
  const current = useRef<{ abort: AbortController; images: PreviewImages } | null>(null);
  const drop = useCallback(() => {
    current.current?.abort.abort();
    current.current?.images.revoke();
    current.current = null;
  }, []);
  useEffect(() => drop, [drop]);
  const close = () => {
    drop();
    setReading({ phase: 'none', problem: null });
  };
  const start = () => {
    current.current?.abort.abort();
    const started = { abort: new AbortController(), images: new PreviewImages() };
    current.current = started;
    const show = (next: Reading) => current.current === started && setReading(next);
    return { started, show };
  };
  /** Returns the sentence about a file that was not read, or that has no question. */
  const open = async (file: File): Promise<string | undefined> => {
    drop();
    const refusal = refuse(file);
    if (refusal !== null) {
      setReading({ phase: 'none', problem: refusal });
      return refusal;
    }
    const { started, show } = start();
    show({ phase: 'reading', name: file.name, count: 0 });
    try {
      const read = await readFile(file, choices, started, (count) =>
        show({ phase: 'reading', name: file.name, count }),
      );
      show({ phase: 'read', read, isReading: false, problem: null });
      return read.items.some(({ definition }) => definition) ? undefined : read.end.problems[0];
    } catch (error) {
      const problem = problemOf(error);
      return show({ phase: 'none', problem }) === false ? undefined : problem;
    }
  };
  /** Reads the file again; what was read stays until then, and when that fails. */
  const choose = async (read: FileRead, other: FileChoices) => {
    const { started, show } = start();
    show({ phase: 'read', read, isReading: true, problem: null });
    try {
      const next = await readFile(read.file, other, started, () => undefined);
      read.images.revoke();
      show({ phase: 'read', read: next, isReading: false, problem: null });
    } catch (error) {
      if (current.current !== started) return;
      current.current = { ...started, images: read.images };
      setReading({ phase: 'read', read, isReading: false, problem: problemOf(error) });
    }
  };
  return { reading, open, choose, close };
}

function problemOf(error: unknown): string {
  const fallback = t('import.readFailed', 'The file could not be read. Try again.');
  return error instanceof NotReadable ? error.message : sentenceOf(error, fallback);
}

class NotReadable extends Error {}

async function readFile(
  file: File,
  choices: FileChoices,
  { abort: { signal }, images }: { abort: AbortController; images: PreviewImages },
  onProgress: (count: number) => void,
): Promise<FileRead> {
  const response = await sendOnce(readImport, {
    query: { name: file.name, ...choices },
    body: file,
    signal,
  });
  const items: ImportItem[] = [];
  let showing: ReturnType<typeof setTimeout> | undefined;
  const showSoon = () => {
    showing ??= setTimeout(() => {
      showing = undefined;
      onProgress(items.length);
    }, SHOWN_EVERY_MS);
  };
  if (response.body === null) throw new ConnectionError('unreadable', 'no body');
  try {
    for await (const line of importLines(response.body, signal)) {
      if (line.item) items.push(line.item);
      if (line.image) images.add(line.image);
      if (line.error !== undefined) throw new NotReadable(line.error);
      if (line.end) return { id: newId(), file, choices, end: line.end, items, images };
      showSoon();
    }
  } finally {
    clearTimeout(showing);
  }
  throw new ConnectionError('unreadable', 'no last line');
}

export type Imported = ResponseOf<typeof importFile>;

/**
 * Imports a file. With an id in `order.work` it goes on when the page is left or loaded again, and `work` is how far
 * it is.
 */
export function useImport() {
  const abort = useRef<AbortController | null>(null);
  const client = useQueryClient();
  const forget = useForgetWork();
  const importing = useQuestionWrite(
    async ({ file, order }: { file: File; order: z.input<typeof ImportOrder> }) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      const body = new Blob([JSON.stringify(order), '\n', file]);
      try {
        const response = await sendOnce(importFile, { body, signal });
        return importFile.responses[201].parse(await response.json());
      } finally {
        // It ended or, where no answer came, may go on: the next page finds it.
        void client.invalidateQueries({ queryKey: endpointKey(listWorks) });
      }
    },
    { mutationKey: BEGINS_WORK },
  );
  const id = importing.variables?.order.work;
  const works = useWorks();
  const cancel = () => {
    abort.current?.abort();
    if (id !== undefined) forget.mutate(id);
  };
  return { importing, work: works.find((one) => one.id === id), cancel };
}

/** A pause for the page after so much work: half of a frame. */
const WORK_MS = 8;

/**
 * The lines of a streamed response, each a JSON object, as they arrive. Other work of the page goes on
 * in between, however much arrives at once. Throws when a line is not what the contract says.
 */
export async function* importLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ImportLine> {
  let pausedAt = performance.now();
  for await (const line of textLines(body)) {
    signal.throwIfAborted();
    yield ImportLine.parse(JSON.parse(line));
    if (performance.now() - pausedAt < WORK_MS) continue;
    await new Promise((resume) => setTimeout(resume));
    pausedAt = performance.now();
  }
}

async function* textLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  /** The beginning of a line, in pieces: joining them at each chunk would copy a long line often. */
  let pieces: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const [first = '', ...rest] = decoder.decode(value, { stream: !done }).split('\n');
      pieces.push(first);
      for (const next of rest) {
        const line = pieces.join('');
        pieces = [next];
        if (line.trim() !== '') yield line;
      }
      if (!done) continue;
      const last = pieces.join('');
      if (last.trim() !== '') yield last;
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Shown for an image that the preview does not have: its alternative text appears. */
const NO_IMAGE = 'data:,';

/** The images of a file that is being reviewed, by the hash that its texts name. */
export class PreviewImages {
  readonly #stored = new Map<string, { mediaType: string; base64: string }>();
  readonly #addresses = new Map<string, string>();

  add({ hash, ...image }: { hash: string; mediaType: string; base64: string }): void {
    this.#stored.set(hash, image);
  }

  /** Decoded when it is first shown: a file may have thousands. */
  addressOf(hash: string): string {
    const known = this.#addresses.get(hash);
    if (known !== undefined) return known;
    const image = this.#stored.get(hash);
    if (image === undefined) return NO_IMAGE;
    const bytes = Uint8Array.from(atob(image.base64), (character) => character.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: image.mediaType }));
    this.#addresses.set(hash, address);
    return address;
  }

  revoke(): void {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
  }
}

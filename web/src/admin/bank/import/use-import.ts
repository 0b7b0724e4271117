import { listBank } from '@invigil/core/contract/assessments/bank';
import {
  type ImportEnd,
  type ImportItem,
  type ImportOrder,
  importFile,
  readImport,
} from '@invigil/core/contract/assessments/imports';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { answerWasLost, ConnectionError, isAbort, sentenceOf } from '../../../net/api.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { sendFile } from '../../../net/file-upload.ts';
import { importLines } from './import-stream.ts';
import { PreviewImages } from './preview-images.ts';

/** How often the progress is shown. */
const SHOWN_EVERY_MS = 100;

/** How a person wants the file to be read; what is absent is as it is likeliest. */
export type FileChoices = Pick<z.output<typeof ImportOrder>, 'encoding' | 'columns'>;

/** A file that was read; nothing of it is stored. */
export interface FileRead {
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

const TOO_LARGE = `The file is too large. At most ${IMPORT_LIMITS.fileMaxBytes / 1_048_576} MiB`;

/** Reads a question file on the server, without storing anything. */
export function useReading() {
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
  const open = async (file: File) => {
    drop();
    if (file.size > IMPORT_LIMITS.fileMaxBytes) {
      return setReading({ phase: 'none', problem: TOO_LARGE });
    }
    const { started, show } = start();
    show({ phase: 'reading', name: file.name, count: 0 });
    try {
      const read = await readFile(file, {}, started, (count) =>
        show({ phase: 'reading', name: file.name, count }),
      );
      show({ phase: 'read', read, isReading: false, problem: null });
    } catch (error) {
      show({ phase: 'none', problem: problemOf(error) });
    }
  };
  /** Reads the file again; what was read stays until then, and when that fails. */
  const choose = async (read: FileRead, choices: FileChoices) => {
    const { started, show } = start();
    show({ phase: 'read', read, isReading: true, problem: null });
    try {
      const next = await readFile(read.file, choices, started, () => undefined);
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
  const fallback = 'The file could not be read. Try again.';
  return error instanceof NotReadable ? error.message : sentenceOf(error, fallback);
}

/** The server's sentence about a file that cannot be read. */
class NotReadable extends Error {}

async function readFile(
  file: File,
  choices: FileChoices,
  { abort: { signal }, images }: { abort: AbortController; images: PreviewImages },
  onProgress: (count: number) => void,
): Promise<FileRead> {
  const response = await sendFile(readImport, {
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
      if (line.end) return { file, choices, end: line.end, items, images };
      showSoon();
    }
  } finally {
    clearTimeout(showing);
  }
  throw new ConnectionError('unreadable', 'no last line');
}

export type Imported = ResponseOf<typeof importFile>;

/** Adds items of a file, all or nothing. */
export function useImport() {
  const client = useQueryClient();
  const abort = useRef<AbortController | null>(null);
  const readAgain = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: endpointKey(listBank) }),
      client.invalidateQueries({ queryKey: ['api', 'quizzes'] }),
      client.invalidateQueries({ queryKey: ['api', 'categories'] }),
    ]);
  const importing = useMutation({
    mutationFn: async ({ file, order }: { file: File; order: z.input<typeof ImportOrder> }) => {
      abort.current = new AbortController();
      const { signal } = abort.current;
      const body = new Blob([JSON.stringify(order), '\n', file]);
      const response = await sendFile(importFile, { body, signal });
      return importFile.responses[201].parse(await response.json());
    },
    onSuccess: readAgain,
    onError: async (error) => {
      if (answerWasLost(error) || isAbort(error)) await readAgain();
    },
  });
  return { importing, cancel: () => abort.current?.abort() };
}

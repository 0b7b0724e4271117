import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { numberText, percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useSyncExternalStore } from 'react';
import { SnapshotStore } from '../../lib/snapshot.ts';
import { type CallArguments, callForFile } from '../../net/api.ts';
import { fileNameFrom, saveFile } from '../../net/file-download.ts';

/** The address line of the browser shows nothing of a file that a script fetches: after this, we do. */
const SHOWN_AFTER_MS = 1_000;
const NEW_LINE = 10;

/** A file that is fetched; the page that asked for it may be left, not the portal. */
export interface Download {
  /** Begins a sentence: `Report`. */
  name: string;
  /** The page that asked for it, to go back to. */
  address: string;
  bytes: number;
  /** Rows that have come, and how many there are; null: the file has no lines, or it is not known. */
  rows: number;
  of: number | null;
}

class Downloads extends SnapshotStore<{ shown: ReadonlyMap<object, Download> }> {
  #underWay = 0;

  /** Fetches a file and saves it under the server's name, or `fallback`. Throws what the call throws. */
  async save(
    { name, fallback }: { name: string; fallback: string },
    call: () => Promise<Response>,
  ): Promise<void> {
    const address = `${window.location.pathname}${window.location.search}`;
    let download: Download = { name, address, bytes: 0, rows: 0, of: null };
    const key = {};
    const show = () => this.update({ shown: new Map(this.snapshot.shown).set(key, download) });
    const change = (set: Partial<Download>) => {
      download = { ...download, ...set };
      if (this.snapshot.shown.has(key)) show();
    };
    const shows = setTimeout(show, SHOWN_AFTER_MS);
    this.#warn(1);
    try {
      const response = await call();
      const { headers } = response;
      const hasLines = headers.get('content-type')?.startsWith('text/csv');
      if (hasLines) change({ of: Number(headers.get('x-total-count') ?? 0) || null });
      const blob = await read(response, (chunk) => {
        const lines = chunk.reduce((sum, byte) => (byte === NEW_LINE ? sum + 1 : sum), 0);
        change({ bytes: download.bytes + chunk.length, rows: download.rows + lines });
      });
      saveFile(blob, fileNameFrom(headers.get('content-disposition'), fallback));
    } finally {
      clearTimeout(shows);
      this.#warn(-1);
      const others = new Map(this.snapshot.shown);
      others.delete(key);
      this.update({ shown: others });
    }
  }

  /** Asks before the tab is closed or loaded again, which would lose what has come. */
  #warn(by: 1 | -1): void {
    const before = this.#underWay;
    this.#underWay += by;
    if (before === 0) window.addEventListener('beforeunload', ask);
    if (this.#underWay === 0) window.removeEventListener('beforeunload', ask);
  }
}

const downloads = new Downloads({ shown: new Map() });

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

async function read(response: Response, onChunk: (chunk: Uint8Array) => void): Promise<Blob> {
  const type = response.headers.get('content-type') ?? '';
  const reader = response.body?.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) return new Blob(parts, { type });
    parts.push(next.value);
    onChunk(next.value);
  }
}

/** Downloads a file of an endpoint, which goes on when its page is left; the navigation shows how far it is. */
export function downloadFile<E extends Endpoint>(
  file: Parameters<Downloads['save']>[0],
  endpoint: E,
  ...call: CallArguments<E>
): Promise<void> {
  return downloads.save(file, () => callForFile(endpoint, ...call));
}

/** The latest of the files that take longer than a moment; null: none. */
export function useDownload(): Download | null {
  const { shown } = useSyncExternalStore(downloads.subscribe, downloads.getSnapshot);
  return [...shown.values()].at(-1) ?? null;
}

/** How far a file is: `40 %`, or `1.2 MB` where its size is not known; blank before it comes. */
export function shareOfDownload({ bytes, rows, of }: Download): string {
  if (bytes === 0) return '';
  if (of) return percentText(Math.min(99, Math.floor((100 * rows) / of)));
  return t(/* megabytes */ 'list.megabytes', '{size} MB', {
    size: numberText(Math.ceil(bytes / 100_000) / 10),
  });
}

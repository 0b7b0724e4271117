import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

/** Size above which the log of earlier starts is moved aside, once. It contains warnings only. */
const SET_ASIDE_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** PostgreSQL's own log, a file and not a pipe: a pipe would break when the process reading it dies. */
export interface ServerLog {
  path: string;
  /** Opens it for a child to append to. The caller closes it. */
  open(): number;
  /** The text written since `open`, at most the last 16 KiB. */
  tail(): string;
}

export function serverLog(path: string): ServerLog {
  let openedAt = 0;
  return {
    path,
    open() {
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > SET_ASIDE_BYTES) renameSync(path, `${path}.1`);
      const file = openSync(path, 'a', 0o600);
      openedAt = fstatSync(file).size;
      return file;
    },
    tail() {
      const file = openSync(path, 'r');
      try {
        const { size } = fstatSync(file);
        const from = Math.max(openedAt, size - TAIL_BYTES);
        const bytes = Buffer.alloc(Math.max(0, size - from));
        readSync(file, bytes, 0, bytes.length, from);
        return bytes.toString('utf8');
      } finally {
        closeSync(file);
      }
    },
  };
}

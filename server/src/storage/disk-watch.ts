import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';

const READ_EVERY_MS = 1_000;
/** A read takes microseconds. After this long it hangs, and so would any write there. */
const HANGS_AFTER_MS = 10_000;
const MIB = 1024 * 1024;
/** Default reserve: enough to recycle a gigabyte of write-ahead log in. */
const USUAL_RESERVE_BYTES = 512 * MIB;
/** A small disk would otherwise be short of space from the first day. */
const MOST_OF_DISK = 0.1;
/** The alarm ends this far above the reserve, so that a value at the edge does not toggle it. */
const WELL_AGAIN = 1.1;

/** The free space for other writers on a file system, and its size. */
export interface Room {
  freeBytes: number;
  totalBytes: number;
}

/**
 * Monitors the free space of the folders with all stored data. A full disk stops the database, and then
 * no one can save; so nothing new begins before that.
 */
export class DiskWatch {
  readonly #folders: readonly string[];
  readonly #reserveBytes: number | null;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  readonly #read: (folder: string) => Promise<Room>;
  #timer: NodeJS.Timeout | undefined;
  /** When the read in progress started. */
  #lookingSince: number | null = null;
  #freeBytes: number | null = null;
  #isLow = false;
  #isNearlyFull = false;

  /**
   * @param reserveBytes the space that must stay free; `null`: 512 MiB, or a tenth of a smaller disk
   * @param read how a folder's space is read; tests pass their own
   */
  constructor(
    folders: readonly string[],
    reserveBytes: number | null,
    log: Pick<Logger, 'error' | 'warn'>,
    read: (folder: string) => Promise<Room> = readRoom,
  ) {
    this.#folders = folders;
    this.#reserveBytes = reserveBytes;
    this.#log = log;
    this.#read = read;
  }

  /** The free bytes of the fullest folder at the last read; `null` before it, or when nothing can be read. */
  get freeBytes(): number | null {
    return this.#freeBytes;
  }

  /** Less than the reserve is free, or the disk does not answer: no new attempt begins. */
  get isLow(): boolean {
    return this.#isLow;
  }

  /** Less than half of the reserve: no evidence is accepted either, the rest is for answers. */
  get isNearlyFull(): boolean {
    return this.#isNearlyFull;
  }

  /** Reads once. A folder that cannot be read raises no alarm. */
  async read(): Promise<void> {
    const found = await Promise.all(this.#folders.map((folder) => this.#ask(folder)));
    const known = found.filter((one) => one !== null);
    this.#freeBytes = known.length === 0 ? null : Math.min(...known.map((one) => one.freeBytes));
    const factor = this.#isLow ? WELL_AGAIN : 1;
    const isLow = known.some((one) => one.freeBytes < one.reserveBytes * factor);
    this.#isNearlyFull = known.some((one) => one.freeBytes < one.reserveBytes / 2);
    const freeMib = Math.round((this.#freeBytes ?? 0) / MIB);
    if (isLow && !this.#isLow) {
      this.#log.error({ freeMib }, 'disk alarm: little room is left; no new attempt begins');
    } else if (!isLow && this.#isLow) {
      this.#log.warn({ freeMib }, 'disk alarm over: attempts begin again');
    }
    this.#isLow = isLow;
  }

  /** Reads once a second from now on. */
  start(): void {
    if (this.#timer) return;
    void this.#readAgain();
    this.#timer = setInterval(() => void this.#readAgain(), READ_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * One read at a time: on a network mount whose server is away each of them blocks one of the four
   * threads that password hashing and file reading need as well, until nothing works.
   */
  async #readAgain(): Promise<void> {
    if (this.#lookingSince === null) {
      this.#lookingSince = performance.now();
      await this.read();
      this.#lookingSince = null;
      return;
    }
    const waitsMs = performance.now() - this.#lookingSince;
    if (waitsMs < HANGS_AFTER_MS || this.#isLow) return;
    this.#freeBytes = null;
    this.#isLow = true;
    const seconds = Math.round(waitsMs / 1_000);
    this.#log.error({ seconds }, 'disk alarm: a folder does not answer; no new attempt begins');
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #ask(folder: string): Promise<{ freeBytes: number; reserveBytes: number } | null> {
    try {
      const { freeBytes, totalBytes } = await this.#read(folder);
      const usual = Math.min(USUAL_RESERVE_BYTES, totalBytes * MOST_OF_DISK);
      return { freeBytes, reserveBytes: this.#reserveBytes ?? usual };
    } catch {
      return null;
    }
  }
}

async function readRoom(folder: string): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

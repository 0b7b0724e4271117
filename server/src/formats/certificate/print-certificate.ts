import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The texts of a certificate for its template, as they are printed. */
export interface CertificateTexts {
  number: string;
  name: string;
  title: string;
  institution: string;
  /** '27 November 2026 · Grade A · 92.5 %' */
  result: string;
  /** The address in the QR code, and that of the page where the number can be typed. */
  link: string;
  place: string;
  /** WebP */
  logo: Uint8Array | null;
}

/** How long the thread waits for another certificate, and the last ones are kept. */
const IDLE_MS = 60_000;
const MOST_KEPT = 50;

/**
 * Prints certificates as PDF/UA with embedded fonts, on one page, in a thread of its own. One at a time: its
 * callers wait in a queue. The same texts again are the same PDF for a while.
 */
export class CertificatePrinter {
  readonly #kept = new Map<string, Uint8Array>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  async print({ logo, ...texts }: CertificateTexts): Promise<Uint8Array> {
    const key = JSON.stringify([texts, logo && createHash('sha256').update(logo).digest('base64')]);
    const known = this.#kept.get(key);
    if (known) return known;
    clearTimeout(this.#idle);
    this.#thread ??= new Worker(new URL('./print-thread-main.ts', import.meta.url));
    this.#thread.unref();
    try {
      const answered = once(this.#thread, 'message');
      this.#thread.postMessage({ ...texts, logo } satisfies CertificateTexts);
      const [pdf] = await answered;
      this.#kept.set(key, pdf);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
      return pdf;
    } catch (error) {
      this.#thread = undefined;
      throw error;
    } finally {
      this.#idle = setTimeout(() => this.stop(), IDLE_MS).unref();
    }
  }

  /** Ends the thread; the next certificate starts another. */
  stop(): void {
    clearTimeout(this.#idle);
    void this.#thread?.terminate();
    this.#thread = undefined;
    this.#kept.clear();
  }
}

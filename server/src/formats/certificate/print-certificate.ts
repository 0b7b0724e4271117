import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What the template says of a certificate; texts as they are printed. */
export interface CertificateTexts {
  number: string;
  name: string;
  title: string;
  institution: string;
  /** '27 November 2026 · Grade A · 92.5 %' */
  result: string;
  /** Where the QR code leads to, and where it can be typed. */
  link: string;
  place: string;
  /** WebP */
  logo: Uint8Array | null;
}

/** How long the thread waits for another certificate. */
const IDLE_MS = 60_000;

let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
/** One at a time: the processors are the candidates'. */
let last: Promise<unknown> = Promise.resolve();

/** A certificate as PDF/UA with embedded fonts, on one page. It is set in a thread of its own. */
export function printCertificate(texts: CertificateTexts): Promise<Uint8Array> {
  const pdf = last.then(() => print(texts));
  last = pdf.catch(() => undefined);
  return pdf;
}

async function print(texts: CertificateTexts): Promise<Uint8Array> {
  clearTimeout(idle);
  thread ??= new Worker(new URL('./print-thread-main.ts', import.meta.url));
  thread.unref();
  try {
    const answered = once(thread, 'message');
    thread.postMessage(texts);
    const [pdf] = await answered;
    return pdf;
  } catch (error) {
    thread = undefined;
    throw error;
  } finally {
    idle = setTimeout(() => {
      void thread?.terminate();
      thread = undefined;
    }, IDLE_MS).unref();
  }
}

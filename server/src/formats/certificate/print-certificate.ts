import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { currentLanguage, isRightToLeft } from '@invigil/core/domain/locale';
import { inOrder } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';

/** The texts of one certificate, as they are printed. */
export interface CertificateFacts {
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

/** All that its template needs. */
export type CertificateTexts = ReturnType<typeof textsFor>;

/** Adds to the texts of one certificate those that all have, in the language in use. */
function textsFor({ link, place, logo, ...facts }: CertificateFacts) {
  const language = currentLanguage();
  const { number } = facts;
  return {
    ...{ language, isFromRight: isRightToLeft(), link, logo },
    shown: {
      ...facts,
      heading: t('certificate.certificate', 'Certificate').toLocaleUpperCase(language),
      passed: t(
        /* on a certificate: the line between the name of a person and the title of the assessment */ 'certificate.hasPassed',
        'has passed the assessment',
      ),
      numberLabel: t('certificate.number', 'Certificate number'),
      check: t(
        /* on a certificate, to whoever sees it. it: the certificate; code: the QR code on it; place: the address of a page */ 'certificate.checkAt',
        'Check it with the code, or at {place}',
        { place: inOrder(place) },
      ),
    },
    /** Said to who reads the file without seeing it. */
    heard: {
      file: t(/* title of a file */ 'certificate.file', 'Certificate {number}', { number }),
      logo: t(/* says what a picture is */ 'certificate.logo', 'Logo'),
      code: t(
        /* says what a picture is; link: an address */ 'certificate.codeTo',
        'QR code that leads to {link}',
        { link },
      ),
    },
  };
}

/** How long the thread waits for another certificate, and the last ones are kept. */
const IDLE_MS = 60_000;
const MOST_KEPT = 50;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The last character of those that the first font certainly has. */
const LAST_OF_LATIN = 0x17f;

/**
 * Prints certificates as PDF/UA with embedded fonts, on one page, in a thread of its own, one at a time. The same
 * texts again are the same PDF for a while. A letter that no font has is drawn as a box.
 */
export class CertificatePrinter {
  readonly #kept = new Map<string, Uint8Array>();
  /** Whether there is a font with a letter and its marks. */
  readonly #letters = new Map<string, boolean>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Prints in the language in use, from the side where it begins. */
  async print(facts: CertificateFacts): Promise<Uint8Array> {
    const { logo, ...texts } = textsFor(facts);
    const key = JSON.stringify([texts, logo && createHash('sha256').update(logo).digest('base64')]);
    const known = this.#kept.get(key);
    if (known) return known;
    const pdf = await this.#ask<Uint8Array>({ ...texts, logo } satisfies CertificateTexts);
    this.#kept.set(key, pdf);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return pdf;
  }

  /** The letters of each of some texts that are drawn as a box, each once. */
  async unprintable(texts: readonly string[]): Promise<string[][]> {
    const lettersOf = texts.map((text) => [
      ...new Set(Array.from(segmenter.segment(text.normalize('NFC')), ({ segment }) => segment)),
    ]);
    const isSimple = (letter: string) =>
      [...letter].every((one) => (one.codePointAt(0) ?? 0) <= LAST_OF_LATIN);
    const unknown = [...new Set(lettersOf.flat())].filter(
      (letter) => !(isSimple(letter) || this.#letters.has(letter)),
    );
    if (unknown.length > 0) {
      const missing = new Set(await this.#ask<string[]>({ letters: unknown }));
      for (const letter of unknown) this.#letters.set(letter, !missing.has(letter));
    }
    return lettersOf.map((letters) => letters.filter((one) => this.#letters.get(one) === false));
  }

  #ask<T>(message: object): Promise<T> {
    const asked = this.#last.then(() => this.#askNow(message));
    this.#last = asked.catch(() => undefined);
    return asked as Promise<T>;
  }

  async #askNow(message: object): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#thread ??= new Worker(new URL('./print-thread-main.ts', import.meta.url));
    this.#thread.unref();
    try {
      const answered = once(this.#thread, 'message');
      this.#thread.postMessage(message);
      const [answer] = await answered;
      return answer;
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

import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { SealedName } from './sealed-kinds.ts';
import { type KnownHead, type NoTrust, readTrustFile, writeTrustFile } from './trust-file.ts';

/**
 * What is trusted even if an attacker can write to the database: the end of the audit chain that this
 * process and this machine have seen. It only ever moves forward.
 */
export class TrustRoot {
  /** Broken seals since the start. */
  readonly brokenSeals: Record<SealedName, number> = {
    administrator: 0,
    sign_in_policy: 0,
    session: 0,
    pending_sign_in: 0,
    result: 0,
    evidence: 0,
    question: 0,
  };
  readonly #dataDir: string;
  readonly #key: KeyObject;
  readonly #log: Pick<Logger, 'error' | 'warn'>;
  #seen: KnownHead | null = null;
  #chainProblem: string | null = null;

  constructor(dataDir: string, key: KeyObject, log: Pick<Logger, 'error' | 'warn'>) {
    this.#dataDir = dataDir;
    this.#key = key;
    this.#log = log;
  }

  /** The later one of this process and the file; or why there is none. */
  read(): KnownHead | NoTrust {
    const stored = readTrustFile(this.#dataDir, this.#key);
    if (stored === 'forged') return stored;
    if (stored !== 'none' && stored.number > (this.#seen?.number ?? 0)) this.#seen = stored;
    return this.#seen ?? 'none';
  }

  /** From now on the chain ends there or later. A failed write is logged and retried. */
  keepHead(head: KnownHead): void {
    try {
      const seen = this.read();
      // Replacing a forged file would hide it.
      if (seen === 'forged') return;
      if (seen === 'none' || head.number > seen.number) this.#seen = head;
      const latest = this.#seen ?? head;
      const stored = readTrustFile(this.#dataDir, this.#key);
      if (typeof stored !== 'string' && stored.number === latest.number) return;
      writeTrustFile(this.#dataDir, [this.#key], latest);
    } catch (error) {
      this.#log.error({ err: error }, 'the trust file cannot be written to DATA_DIR');
    }
  }

  /** A row that does not match its seal: it was changed in the database, or partly lost. */
  reportBroken(kind: SealedName, id: string): void {
    this.brokenSeals[kind] += 1;
    this.#log.error({ kind, id }, 'broken seal: a row was changed outside of Invigil');
  }

  /** Why the audit chain is not extended, or `null`. */
  get chainProblem(): string | null {
    return this.#chainProblem;
  }

  set chainProblem(problem: string | null) {
    if (problem === this.#chainProblem) return;
    this.#chainProblem = problem;
    if (problem === null) this.#log.warn('audit chain alarm over');
    else
      this.#log.error({ problem }, 'audit chain alarm: nothing is sealed until this is resolved');
  }
}

import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { SealedName } from './sealed-kinds.ts';
import {
  type KnownHead,
  type NoTrust,
  readTrustFile,
  STAGES,
  type Stage,
  type Trust,
  writeTrustFile,
} from './trust-file.ts';

/**
 * What is trusted even if an attacker can write to the database: the end of the audit chain that this
 * process and this machine have seen, and that rows are sealed. It only ever moves forward.
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
  #seen: Trust | null = null;
  #chainProblem: string | null = null;

  constructor(dataDir: string, key: KeyObject, log: Pick<Logger, 'error' | 'warn'>) {
    this.#dataDir = dataDir;
    this.#key = key;
    this.#log = log;
  }

  /** The later one of this process and the file; or why there is none. */
  read(): Trust | NoTrust {
    const kept = readTrustFile(this.#dataDir, this.#key);
    if (typeof kept !== 'string') this.#seen = this.#seen ? further(this.#seen, kept) : kept;
    return kept === 'forged' ? kept : (this.#seen ?? 'none');
  }

  /** Whether the rows of the installation were ever sealed, as far as this machine knows. */
  get knowsSeals(): boolean {
    const trust = this.read();
    if (typeof trust === 'string') return trust === 'forged';
    return trust.stage !== null;
  }

  /** From now on the chain ends there or later. A failed write is logged and retried. */
  keepHead(head: KnownHead): void {
    this.#keep((trust) => ({ ...trust, head }));
  }

  /** From now on at least this is sealed. */
  keepStage(stage: Stage): void {
    this.#keep((trust) => ({ ...trust, stage }));
  }

  #keep(change: (trust: Trust) => Trust): void {
    try {
      const before = this.read();
      // Replacing a forged file would hide it.
      if (before === 'forged') return;
      const base: Trust = before === 'none' ? { head: null, stage: null } : before;
      const next = further(base, change(base));
      this.#seen = next;
      const kept = readTrustFile(this.#dataDir, this.#key);
      if (typeof kept !== 'string' && isSame(kept, next)) return;
      writeTrustFile(this.#dataDir, [this.#key], next);
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

function further(one: Trust, other: Trust): Trust {
  const isHigher = (other.head?.number ?? 0) > (one.head?.number ?? 0);
  const placeOf = ({ stage }: Trust) => (stage === null ? -1 : STAGES.indexOf(stage));
  const isLater = placeOf(other) > placeOf(one);
  return { head: isHigher ? other.head : one.head, stage: isLater ? other.stage : one.stage };
}

function isSame(one: Trust, other: Trust): boolean {
  const headOf = ({ head }: Trust) => `${head?.number}:${head?.hash.toString('hex')}`;
  return one.stage === other.stage && headOf(one) === headOf(other);
}

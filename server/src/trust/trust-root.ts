import { type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { codeOf } from '../runtime/app-error.ts';
import { flushFolder } from '../runtime/data-dir.ts';
import { fitsSeal, sealFields } from './row-seal.ts';
import { SEALED_NAMES, type SealedName } from './table-list.ts';

/**
 * The facts that hold even if an attacker can write to the database: the end of the audit chain that this
 * process and this machine have seen. It only ever moves forward.
 */
export class TrustRoot {
  /** Broken seals since the start. */
  readonly brokenSeals = Object.fromEntries(SEALED_NAMES.map((name) => [name, 0])) as Record<
    SealedName,
    number
  >;
  /**
   * Rows of a former version have no seals, as the audit log was not intact: no attempt starts, no mail
   * leaves.
   */
  isUnsealed = false;
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

  /** Stores the latest end of the chain, which only moves forward. A failed write is logged and retried. */
  storeHead(head: KnownHead): void {
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

const FILE = 'trust.json';
const CONTEXT = 'trust.json';

export interface KnownHead {
  number: number;
  hash: Buffer;
}

const Hex = z.string().regex(/^[0-9a-f]{64}$/);
const Content = z.object({
  head: z.object({ number: z.int().positive(), hash: Hex }),
  /** One, or two during a key rotation. */
  seals: z.array(Hex),
});

/** Why nothing is known: `none`, there is no file; `forged`, it matches no seal of this key. */
export type NoTrust = 'none' | 'forged';

/** Throws when the file exists and cannot be read. */
function readTrustFile(dataDir: string, key: KeyObject): KnownHead | NoTrust {
  let text: string;
  try {
    text = readFileSync(join(dataDir, FILE), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'none';
    throw error;
  }
  const content = Content.safeParse(parseJson(text));
  if (!content.success) return 'forged';
  const { head, seals } = content.data;
  const isGenuine = seals.some((seal) =>
    fitsSeal(key, CONTEXT, [head.number, head.hash], Buffer.from(seal, 'hex')),
  );
  return isGenuine ? { ...head, hash: Buffer.from(head.hash, 'hex') } : 'forged';
}

/**
 * Replaces the file atomically; it is on disk when this returns.
 *
 * @param keys of the installation; two during a rotation
 */
export function writeTrustFile(dataDir: string, keys: readonly KeyObject[], head: KnownHead): void {
  const { number } = head;
  const hash = head.hash.toString('hex');
  const content: z.infer<typeof Content> = {
    head: { number, hash },
    seals: keys.map((key) => sealFields(key, CONTEXT, [number, hash]).toString('hex')),
  };
  const path = join(dataDir, FILE);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      writeSync(file, `${JSON.stringify(content)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    flushFolder(dataDir);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Discards what was known, for a restored database, which is in an earlier state. */
export function removeTrustFile(dataDir: string): void {
  rmSync(join(dataDir, FILE), { force: true });
  flushFolder(dataDir);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

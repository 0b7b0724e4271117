import { type KeyObject, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { flushFolder } from '../runtime/data-dir.ts';
import { fitsSeal, type SealedField, sealFields } from '../security/row-seal.ts';

const FILE = 'trust.json';
const CONTEXT = 'trust.json';
/** Exists while the rows of an earlier version are about to get their first seals. */
const UPGRADE_FILE = 'trust.upgrade';

/** An end of the audit chain that was seen. */
export interface KnownHead {
  number: number;
  hash: Buffer;
}

/**
 * Which rows of an earlier version are being sealed, after the credentials. In this order; `all`
 * is what versions that did not seal questions ended with, `questions` that these are sealed too.
 */
export const STAGES = ['results', 'evidence', 'all', 'questions'] as const;
export type Stage = (typeof STAGES)[number];

/** What this machine knows of the installation independently of the database. */
export interface Trust {
  head: KnownHead | null;
  /** `null`: not known, on a machine that joined an existing installation. */
  stage: Stage | null;
}

const Hex = z.string().regex(/^[0-9a-f]{64}$/);
const Content = z.object({
  head: z.object({ number: z.int().positive(), hash: Hex }).nullable(),
  stage: z.enum(STAGES).nullable(),
  /** One, or two during a key rotation. */
  seals: z.array(Hex),
});

/** Why nothing is known: `none`, there is no file; `forged`, it matches no seal of this key. */
export type NoTrust = 'none' | 'forged';

/** Throws when the file exists and cannot be read. */
export function readTrustFile(dataDir: string, key: KeyObject): Trust | NoTrust {
  let text: string;
  try {
    text = readFileSync(join(dataDir, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none';
    throw error;
  }
  const content = Content.safeParse(parseJson(text));
  if (!content.success) return 'forged';
  const { head, stage, seals } = content.data;
  const trust = { head: head && { ...head, hash: Buffer.from(head.hash, 'hex') }, stage };
  const isGenuine = seals.some((seal) =>
    fitsSeal(key, CONTEXT, fieldsOf(trust), Buffer.from(seal, 'hex')),
  );
  return isGenuine ? trust : 'forged';
}

/**
 * Replaces the file atomically; it is on disk when this returns.
 *
 * @param keys of the installation; two during a rotation
 */
export function writeTrustFile(dataDir: string, keys: readonly KeyObject[], trust: Trust): void {
  const content: z.infer<typeof Content> = {
    head: trust.head && { number: trust.head.number, hash: trust.head.hash.toString('hex') },
    stage: trust.stage,
    seals: keys.map((key) => sealFields(key, CONTEXT, fieldsOf(trust)).toString('hex')),
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

/** Records that the database is one of a version without seals, before it is migrated. */
export function markUpgrade(dataDir: string): void {
  closeSync(openSync(join(dataDir, UPGRADE_FILE), 'w', 0o600));
  flushFolder(dataDir);
}

export function isUpgradeMarked(dataDir: string): boolean {
  return existsSync(join(dataDir, UPGRADE_FILE));
}

export function unmarkUpgrade(dataDir: string): void {
  rmSync(join(dataDir, UPGRADE_FILE), { force: true });
}

function fieldsOf({ head, stage }: Trust): SealedField[] {
  return [head && [head.number, head.hash.toString('hex')], stage];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

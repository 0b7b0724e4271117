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
import { z } from 'zod';
import { flushFolder } from '../runtime/data-dir.ts';
import { fitsSeal, sealFields } from '../security/row-seal.ts';

const FILE = 'trust.json';
const CONTEXT = 'trust.json';

/** An end of the audit chain that was seen. */
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
export function readTrustFile(dataDir: string, key: KeyObject): KnownHead | NoTrust {
  let text: string;
  try {
    text = readFileSync(join(dataDir, FILE), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'none';
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

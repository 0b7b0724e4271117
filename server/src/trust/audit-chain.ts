import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

export interface ChainedEntry {
  id: string;
  at: Date;
  adminId: string | null;
  action: string;
  subjectType: string | null;
  subjectId: string | null;
  details: unknown;
}

export interface SealedEntry extends ChainedEntry {
  number: number;
  hash: Buffer;
}

export interface ChainHead {
  number: number;
  hash: Buffer;
  seal: Buffer;
}

/** The hash that the first entry follows. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

/** The hash of an entry: over its number, its content in one fixed order, and the hash before it. */
export function chainHash(before: Buffer, number: number, entry: ChainedEntry): Buffer {
  const content = JSON.stringify([
    number,
    entry.id,
    entry.at.toISOString(),
    entry.adminId,
    entry.action,
    entry.subjectType,
    entry.subjectId,
    sorted(entry.details),
  ]);
  return createHash('sha256').update(before).update(content).digest();
}

/** The head's own seal: access to the database does not suffice to make one. */
export function sealHead(key: KeyObject, number: number, hash: Buffer): Buffer {
  return createHmac('sha256', key).update(`${number}\n`).update(hash).digest();
}

/** Whether a head was sealed with this key. */
function isHeadGenuine(key: KeyObject, head: ChainHead): boolean {
  const expected = sealHead(key, head.number, head.hash);
  return head.seal.length === expected.length && timingSafeEqual(head.seal, expected);
}

/** A walk along the chain that stops at the first entry that does not match. */
export class ChainWalk {
  #number: number;
  #hash: Buffer;
  #problem: string | null = null;

  /** @param after the entry to start after, known to be genuine; without it the first one */
  constructor(after: { number: number; hash: Buffer } = { number: 0, hash: CHAIN_START }) {
    this.#number = after.number;
    this.#hash = after.hash;
  }

  /** Accepts the entries in the order of their numbers. */
  take(entry: SealedEntry): void {
    if (this.#problem !== null) return;
    const number = this.#number + 1;
    if (entry.number !== number) {
      this.#problem = `entry ${number} is missing`;
      return;
    }
    const hash = chainHash(this.#hash, number, entry);
    if (!hash.equals(entry.hash)) {
      this.#problem = `entry ${number} (${entry.id}) was changed, or one before it was moved`;
      return;
    }
    this.#number = number;
    this.#hash = hash;
  }

  /** The first problem, or `null` when the chain is whole up to its head. */
  end(key: KeyObject, head: ChainHead | undefined): string | null {
    if (this.#problem !== null) return this.#problem;
    if (!head) return this.#number === 0 ? null : 'the head of the chain is missing';
    if (!isHeadGenuine(key, head)) return 'the head of the chain is not genuine';
    if (head.number !== this.#number) {
      return `the chain ends at entry ${this.#number}, but its head is number ${head.number}`;
    }
    return head.hash.equals(this.#hash) ? null : 'the head does not belong to the last entry';
  }
}

/** JSON columns do not keep the order of keys; the hash must not depend on it. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

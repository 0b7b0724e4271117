import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

/** The start of a section; its bytes follow until the next one. */
const Section = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('manifest'),
    format: z.literal(1),
    createdAt: z.string(),
    /** Hashes of the migrations that the schema had, in order. */
    migrations: z.array(z.string()).min(1),
    /** Identifies the SECRET_KEY of this backup. */
    keyFingerprint: z.string(),
    hasSecretKey: z.boolean(),
  }),
  z.object({ kind: z.literal('secret-key') }),
  z.object({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ kind: z.literal('evidence'), folder: z.string(), name: z.string() }),
  z.object({ kind: z.literal('image'), folder: z.string(), name: z.string() }),
  z.object({ kind: z.literal('end'), sha256: z.string() }),
]);
export type Section = z.infer<typeof Section>;
export type Manifest = Extract<Section, { kind: 'manifest' }>;

/*
 * The decompressed file: records of a length (four bytes, big-endian), a letter (S: a section as
 * JSON, D: bytes of it) and the content. The last section holds the SHA-256 of all bytes before it,
 * which detects damage; the HMAC of the file (backup-file.ts) detects tampering.
 */
const HEAD_BYTES = 5;
const RECORD_MAX_BYTES = 64 * 1024 * 1024;
const SECTION = 'S'.charCodeAt(0);
const DATA = 'D'.charCodeAt(0);
const NO_BACKUP = 'this is not a backup of Invigil';

/** Writes the records of a backup, with back-pressure. */
export class BackupWriter {
  readonly #out: Writable;
  readonly #digest = createHash('sha256');

  constructor(out: Writable) {
    this.#out = out;
  }

  begin(section: Exclude<Section, { kind: 'end' }>): Promise<void> {
    return this.#write(SECTION, Buffer.from(JSON.stringify(section)));
  }

  data(bytes: Buffer): Promise<void> {
    return this.#write(DATA, bytes);
  }

  /** Writes the end section. The caller ends the stream. */
  async end(): Promise<void> {
    const sha256 = this.#digest.copy().digest('hex');
    await this.#write(SECTION, Buffer.from(JSON.stringify({ kind: 'end', sha256 })));
  }

  async #write(kind: number, content: Buffer): Promise<void> {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(content.length, 0);
    head.writeUInt8(kind, 4);
    for (const bytes of [head, content]) {
      this.#digest.update(bytes);
      if (!this.#out.write(bytes)) await once(this.#out, 'drain');
    }
  }
}

/** The start of a section, or bytes of the current one. */
export type BackupRecord = { section: Section } | { bytes: Buffer };

/** The problem of a file, as a message for the terminal. */
export class BrokenBackup extends Error {
  override name = 'BrokenBackup';
}

/** Reads the records of a backup; throws BrokenBackup unless it is complete and unchanged. */
export async function* readRecords(input: Readable): AsyncGenerator<BackupRecord> {
  const digest = createHash('sha256');
  let hasEnded = false;
  for await (const { kind, head, content } of split(input)) {
    if (hasEnded) throw new BrokenBackup('there is data after the end of the backup');
    if (kind === DATA) {
      digest.update(head).update(content);
      yield { bytes: content };
      continue;
    }
    const section = parseSection(content);
    if (section.kind === 'end') {
      if (section.sha256 !== digest.digest('hex')) {
        throw new BrokenBackup('the backup was changed after it was made');
      }
      hasEnded = true;
    } else digest.update(head).update(content);
    yield { section };
  }
  if (!hasEnded) throw new BrokenBackup('the backup is truncated');
}

/**
 * Reads all records and discards them; throws BrokenBackup unless they are complete and unchanged.
 * Returns the secret key in them, or `null`.
 */
export async function readToEnd(input: Readable): Promise<string | null> {
  let section: Section | undefined;
  let key: string | null = null;
  for await (const record of readRecords(input)) {
    if ('bytes' in record) {
      if (section?.kind === 'secret-key') key = (key ?? '') + record.bytes.toString('utf8');
    } else {
      if (!section && record.section.kind !== 'manifest') throw new BrokenBackup(NO_BACKUP);
      section = record.section;
    }
    if (!section) throw new BrokenBackup(NO_BACKUP);
  }
  return key;
}

async function* split(input: Readable) {
  let pieces: Buffer[] = [];
  let have = 0;
  let need = HEAD_BYTES;
  let head: Buffer | undefined;
  for await (const piece of input as AsyncIterable<Buffer>) {
    pieces.push(piece);
    have += piece.length;
    while (have >= need) {
      const all: Buffer = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      const taken = all.subarray(0, need);
      const rest = all.subarray(need);
      pieces = rest.length > 0 ? [rest] : [];
      have = rest.length;
      if (head === undefined) {
        head = taken;
        need = taken.readUInt32BE(0);
        if (need > RECORD_MAX_BYTES) throw new BrokenBackup(NO_BACKUP);
      } else {
        yield { kind: head.readUInt8(4), head, content: taken };
        head = undefined;
        need = HEAD_BYTES;
      }
    }
  }
  if (have > 0 || head !== undefined) throw new BrokenBackup('the backup is truncated');
}

function parseSection(content: Buffer): Section {
  let json: unknown;
  try {
    json = JSON.parse(content.toString('utf8'));
  } catch {
    throw new BrokenBackup(NO_BACKUP);
  }
  const { data } = Section.safeParse(json);
  if (!data) throw new BrokenBackup('this version of Invigil does not know this kind of backup');
  return data;
}

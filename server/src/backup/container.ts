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
]);
export type Section = z.infer<typeof Section>;
export type Manifest = Extract<Section, { kind: 'manifest' }>;

/*
 * The decompressed file: records of a length (four bytes, big-endian), a letter (S: a section as
 * JSON, D: bytes of it) and the content. The HMAC of the file (backup-file.ts) detects damage and
 * tampering. A tar would need the length of a table before its first row.
 */
const HEAD_BYTES = 5;
/** Longer data is divided, so that a reader collects little. */
const CONTENT_MAX_BYTES = 256 * 1024;
const SECTION = 'S'.charCodeAt(0);
const DATA = 'D'.charCodeAt(0);
const NO_BACKUP = 'this is not a backup of Invigil';

/** Writes the records of a backup, with back-pressure. The caller ends the stream. */
export class BackupWriter {
  readonly #out: Writable;

  constructor(out: Writable) {
    this.#out = out;
  }

  begin(section: Section): Promise<void> {
    return this.#write(SECTION, Buffer.from(JSON.stringify(section)));
  }

  async data(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += CONTENT_MAX_BYTES) {
      await this.#write(DATA, bytes.subarray(at, at + CONTENT_MAX_BYTES));
    }
  }

  async #write(kind: number, content: Buffer): Promise<void> {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(content.length, 0);
    head.writeUInt8(kind, 4);
    for (const bytes of [head, content]) {
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

/** Reads the records of a backup; throws BrokenBackup where they are none. */
export async function* readRecords(input: Readable): AsyncGenerator<BackupRecord> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of input as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUInt32BE(0);
      if (length > CONTENT_MAX_BYTES) throw new BrokenBackup(NO_BACKUP);
      const end = HEAD_BYTES + length;
      if (rest.length < end) break;
      const bytes = rest.subarray(HEAD_BYTES, end);
      yield rest.readUInt8(4) === DATA ? { bytes } : { section: parseSection(bytes) };
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw new BrokenBackup('the backup is truncated');
}

/** Reads all records and discards them. Returns the secret key in them, or `null`. */
export async function readToEnd(input: Readable): Promise<string | null> {
  let section: Section | undefined;
  let key: string | null = null;
  for await (const record of readRecords(input)) {
    if ('section' in record) section = record.section;
    else if (section?.kind === 'secret-key') key = (key ?? '') + record.bytes.toString('utf8');
  }
  return key;
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

import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { UnreadableFile } from './imported-file.ts';
import { openArchive } from './read-archive.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'was read',
    (error: unknown) => {
      if (error instanceof UnreadableFile) return error.message;
      throw error;
    },
  );
}

interface RawEntry {
  name: string;
  content: Uint8Array;
  /** Values of the headers, where these are not true. */
  size?: number;
  flags?: number;
  method?: number;
}

/** An archive with headers as given; with `count`, its end is that of ZIP64. */
function rawZip(entries: RawEntry[], count?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, flags = 0, method = 8, size = content.length } of entries) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  if (count === undefined) return Buffer.concat([...parts, list, end]);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06', 'latin1');
  end64.writeBigUInt64LE(44n, 4);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(list.length), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + list.length), 8);
  return Buffer.concat([...parts, list, end64, locator, end]);
}

describe('archives that are refused', () => {
  const zip = zipSync({ 'a.xml': utf8('<a/>'), 'b/c.xml': utf8('<c/>'.repeat(500)) });

  it.each([
    ['another kind of file', utf8('<a/>'), 'not a ZIP archive'],
    ['an empty file', new Uint8Array(), 'not a ZIP archive'],
    ['one that was cut off', zip.subarray(0, zip.length - 30), 'damaged or not complete'],
    ['a path upwards', zipSync({ '../../etc/cron.d/x': utf8('x') }), 'a path outside of itself'],
    [
      'a path upwards in Windows',
      zipSync({ 'a\\..\\..\\x': utf8('x') }),
      'a path outside of itself',
    ],
    ['an absolute path', zipSync({ '/etc/passwd': utf8('x') }), 'a path outside of itself'],
    ['a drive', zipSync({ 'C:/x': utf8('x') }), 'a path outside of itself'],
    [
      'encryption',
      rawZip([{ name: 'a', content: utf8('x'), flags: 1 }]),
      'The archive is encrypted',
    ],
    ['strong encryption', rawZip([{ name: 'a', content: utf8('x'), flags: 0x41 }]), 'is encrypted'],
    [
      'another compression',
      rawZip([{ name: 'a', content: utf8('x'), method: 12 }]),
      '“a” is compressed in a way',
    ],
    [
      'a path twice',
      rawZip([
        { name: 'a', content: utf8('x') },
        { name: './a', content: utf8('y') },
      ]),
      '“a” is in the archive twice',
    ],
    [
      'a million entries',
      rawZip([{ name: 'a', content: utf8('x') }], 1_000_000),
      'has 1,000,000 entries; at most 40,000',
    ],
  ])('says what is wrong with %s', async (_, bytes, sentence) => {
    expect(await refusal(openArchive(bytes))).toContain(sentence);
  });

  it('refuses 1000 to 1, a large entry and a large sum, before anything is unpacked', async () => {
    const zeros = new Uint8Array(20 * 1024 * 1024);
    expect(await refusal(openArchive(rawZip([{ name: 'a', content: zeros }])))).toContain(
      '“a” is compressed more than 200 to 1',
    );
    const large = { name: 'a', content: utf8('x'), size: 60 * 1024 * 1024 };
    expect(await refusal(openArchive(rawZip([large])))).toContain('“a” is larger than 24 MB');
    const noise = randomBytes(300_000);
    const many = Array.from({ length: 11 }, (_, i) => ({
      name: `${i}`,
      content: noise,
      size: 20 * 1024 * 1024,
    }));
    expect(await refusal(openArchive(rawZip(many)))).toContain('larger than 200 MB');
  });

  it('stops when an entry is larger than it says, or damaged', async () => {
    const lying = await openArchive(
      rawZip([{ name: 'a', content: new Uint8Array(5_000_000), size: 1000 }]),
    );
    expect(await refusal(lying.read('a'))).toBe('“a” is damaged inside of the archive.');
    const damaged = zipSync({ 'a.xml': utf8('<a>hello hello</a>') });
    damaged[45] = 0xff;
    expect(await refusal((await openArchive(damaged)).read('a.xml'))).toContain('is damaged');
    expect(await refusal((await openArchive(zip)).read('z'))).toContain(
      '“z” is not in the archive',
    );
  });
});

describe('an archive', () => {
  it('lists its files and unpacks each when asked', async () => {
    const archive = await openArchive(
      zipSync({ './a.xml': utf8('<a/>'), b: { 'ü.txt': utf8('x') }, 'c/': new Uint8Array() }),
    );
    expect(archive.paths).toEqual(['a.xml', 'b/ü.txt']);
    expect(archive.has('a.xml')).toBe(true);
    expect(text(await archive.read('b/ü.txt'))).toBe('x');
    expect(text(await archive.read('b/ü.txt'))).toBe('x');
  });

  it('is read with an end of ZIP64', async () => {
    const archive = await openArchive(rawZip([{ name: 'a', content: utf8('hello') }], 1));
    expect(text(await archive.read('a'))).toBe('hello');
  });

  it('may hold thousands of files', { tags: 'long' }, async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`${i}.xml`, utf8(`<a>${i}</a>`)]),
    );
    const archive = await openArchive(zipSync(files));
    expect(archive.paths).toHaveLength(20_000);
    expect(text(await archive.read('19999.xml'))).toBe('<a>19999</a>');
  });
});

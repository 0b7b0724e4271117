import { Readable } from 'node:stream';

/** A file that goes on only as long as its reader may still read it. */
export function whileActing(file: Readable, requireStill: () => Promise<void>): Readable {
  async function* portions() {
    for await (const portion of file) {
      await requireStill();
      yield portion;
    }
  }
  return Readable.from(portions(), { objectMode: false });
}

import { Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from 'fflate';

/** fflate's archive as pieces to take. It has no ZIP64: at most 65,535 files. */
export class ZipPieces {
  private pieces: Uint8Array[] = [];
  private readonly zip = new Zip((error, piece) => {
    if (error) throw error;
    this.pieces.push(piece);
  });

  add(path: string, bytes: Uint8Array, isText: boolean): void {
    // Images are compressed already.
    const file = isText ? new ZipDeflate(path) : new ZipPassThrough(path);
    // The same questions make the same bytes.
    file.mtime = new Date(1980, 0, 1);
    this.addFile(file);
    file.push(bytes, true);
  }

  /** A file whose content follows. */
  addFile(file: ZipInputFile): void {
    this.zip.add(file);
  }

  end(): void {
    this.zip.end();
  }

  take(): Uint8Array[] {
    const { pieces } = this;
    this.pieces = [];
    return pieces;
  }
}

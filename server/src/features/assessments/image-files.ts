import { IMAGE_LIMITS } from '@invigil/core/domain/questions/question-files';
import { fileOfImage, type Storage } from '../../storage/storage.ts';

/** Files of images, by hash. Those that were read last are held in memory: they never change. */
export class ImageFiles {
  readonly #storage: Storage;
  /** Images in the order of their last use. */
  readonly #read = new Map<string, Promise<Buffer | undefined>>();
  readonly #sizes = new Map<string, number>();
  #bytes = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Whether they are on our own disk. */
  get isOurs(): boolean {
    return this.#storage.isOurs;
  }

  /** Resolves when the image is on stable storage. Throws StorageAway. */
  put(hash: string, bytes: Buffer): Promise<void> {
    const { folder, name } = fileOfImage(hash);
    return this.#storage.put(folder, name, bytes);
  }

  /** `undefined` if there is no such image. Throws StorageAway. */
  get(hash: string): Promise<Buffer | undefined> {
    const known = this.#read.get(hash);
    if (known) {
      this.#read.delete(hash);
      this.#read.set(hash, known);
      return known;
    }
    const { folder, name } = fileOfImage(hash);
    const reading = this.#storage.get(folder, name);
    this.#read.set(hash, reading);
    // Neither a failed read nor a missing image may be remembered.
    const forget = () => this.#read.delete(hash);
    reading.then((bytes) => (bytes ? this.#keep(hash, bytes.length) : forget()), forget);
    return reading;
  }

  #keep(hash: string, length: number): void {
    this.#sizes.set(hash, length);
    this.#bytes += length;
    for (const oldest of this.#read.keys()) {
      if (this.#bytes <= IMAGE_LIMITS.cacheBytes) return;
      this.#bytes -= this.#sizes.get(oldest) ?? 0;
      // One that is still being read stays.
      if (this.#sizes.delete(oldest)) this.#read.delete(oldest);
    }
  }
}

/** Shown for an image that the preview does not have: its alternative text appears. */
const NO_IMAGE = 'data:,';

/** The images of a file that is being reviewed, by the hash that its texts name. */
export class PreviewImages {
  readonly #stored = new Map<string, { mediaType: string; base64: string }>();
  readonly #addresses = new Map<string, string>();

  add({ hash, ...image }: { hash: string; mediaType: string; base64: string }): void {
    this.#stored.set(hash, image);
  }

  /** Decoded when it is first shown: a file may have thousands. */
  addressOf(hash: string): string {
    const known = this.#addresses.get(hash);
    if (known !== undefined) return known;
    const image = this.#stored.get(hash);
    if (image === undefined) return NO_IMAGE;
    const bytes = Uint8Array.from(atob(image.base64), (character) => character.charCodeAt(0));
    const address = URL.createObjectURL(new Blob([bytes], { type: image.mediaType }));
    this.#addresses.set(hash, address);
    return address;
  }

  revoke(): void {
    for (const address of this.#addresses.values()) URL.revokeObjectURL(address);
    this.#addresses.clear();
  }
}

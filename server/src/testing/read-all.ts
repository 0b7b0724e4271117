import type {
  ImportedItem,
  ReadFile,
  ReadSummary,
  UploadedFile,
} from '../formats/imported-file.ts';

/** Everything of a question file at once. */
export async function readAll(
  read: ReadFile,
  file: UploadedFile,
): Promise<ReadSummary & { items: ImportedItem[]; images: Map<string, Uint8Array> }> {
  const items: ImportedItem[] = [];
  const images = new Map<string, Uint8Array>();
  const summary = await read(file, {
    item: (item) => items.push(item),
    image: (hash, bytes) => images.set(hash, bytes),
  });
  return { ...summary, items, images };
}

import { strToU8, zipSync } from 'fflate';
import type {
  ImportedItem,
  ReadFile,
  ReadSummary,
  UploadedFile,
} from '../server/src/formats/imported-file.ts';

type Files = Record<string, string | Uint8Array>;

/** A question file of a test; its content may be a text, or what an archive holds by path. */
interface QuestionFile extends Omit<UploadedFile, 'bytes'> {
  bytes: Uint8Array | string | Files;
}

export function zipOf(files: Files): Uint8Array {
  const bytes = Object.entries(files).map(([path, content]) => [path, bytesOf(content)]);
  return zipSync(Object.fromEntries(bytes));
}

function bytesOf(content: QuestionFile['bytes']): Uint8Array {
  if (typeof content === 'string') return strToU8(content);
  return content instanceof Uint8Array ? content : zipOf(content);
}

/** Everything of a question file at once. */
export async function readAll(
  read: ReadFile,
  file: QuestionFile,
): Promise<ReadSummary & { items: ImportedItem[]; images: Map<string, Uint8Array> }> {
  const items: ImportedItem[] = [];
  const images = new Map<string, Uint8Array>();
  const summary = await read(
    { ...file, bytes: bytesOf(file.bytes) },
    {
      item: (item) => items.push(item),
      image: (hash, bytes) => images.set(hash, bytes),
    },
  );
  return { ...summary, items, images };
}

/** The only question of a file. */
export async function readOne(
  read: ReadFile,
  bytes: QuestionFile['bytes'],
  name = 'file.xml',
): Promise<ImportedItem> {
  const [item, ...others] = (await readAll(read, { name, bytes })).items;
  if (!item || others.length > 0)
    throw new Error(`not one question, but ${others.length + +!!item}`);
  return item;
}

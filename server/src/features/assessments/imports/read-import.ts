import { Readable } from 'node:stream';
import type { ImportLine } from '@invigil/core/contract/assessments/imports';
import { isDraft } from '@invigil/core/domain/questions/question-definition';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { AppContext } from '../../../app-context.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import type { ImportedItem, UploadedFile } from '../../../formats/imported-file.ts';
import { readInProcess } from './file-process.ts';
import { KnownQuestions, withStoredImages } from './known-questions.ts';

/** Items whose duplicates are found together. */
const ITEMS_AT_ONCE = 100;

/** Reads a question file and returns its items as lines of JSON; stores nothing. */
export function openImport({ db }: Pick<AppContext, 'db'>, file: UploadedFile): Readable {
  const left = new AbortController();
  async function* lines() {
    const known = new KnownQuestions(db);
    const storedOf = new Map<string, string>();
    let hashes: string[] = [];
    let items: ImportedItem[] = [];
    let previewBytes = 0;
    const itemLines = async () => {
      for (const [source, stored] of await listImagesBySource(db, hashes)) {
        storedOf.set(source, stored);
      }
      const duplicates = await known.areDuplicates(
        items.map(({ definition }) => definition && withStoredImages(definition, storedOf)),
      );
      const text = items.map((item, i) => line({ item: present(item, duplicates[i] ?? false) }));
      hashes = [];
      items = [];
      return text.join('');
    };
    for await (const found of readInProcess(file, left.signal)) {
      if (found.kind === 'item') {
        items.push(found.item);
        if (items.length >= ITEMS_AT_ONCE) yield await itemLines();
      } else if (found.kind === 'image') {
        const { hash, base64 } = found;
        hashes.push(hash);
        const size = Buffer.byteLength(base64, 'base64');
        if (size > IMPORT_LIMITS.previewImageMaxBytes) continue;
        previewBytes += size;
        if (previewBytes > IMPORT_LIMITS.previewImagesMaxBytes) continue;
        yield line({ image: { hash, mediaType: typeOf(base64), base64 } });
      } else if (found.kind === 'error') {
        yield line({ error: found.message });
      } else {
        if (items.length > 0) yield await itemLines();
        const { kind: _, ...end } = found;
        yield line({ end });
      }
    }
  }
  return Readable.from(lines()).once('close', () => left.abort());
}

/** Browsers tell other images by their bytes. An SVG begins with `<`. */
function typeOf(base64: string): string {
  return Buffer.from(base64.slice(0, 4), 'base64')[0] === 0x3c ? 'image/svg+xml' : 'image/*';
}

function line(content: ImportLine): string {
  return `${JSON.stringify(content)}\n`;
}

function present(
  { source, title, definition, notes, tags, difficulty, categoryPath }: ImportedItem,
  isDuplicate: boolean,
): NonNullable<ImportLine['item']> {
  return {
    source,
    title,
    definition,
    notes,
    isDraft: definition !== null && isDraft(definition),
    tags,
    ...(difficulty ? { difficulty } : {}),
    categoryPath,
    isDuplicate,
  };
}

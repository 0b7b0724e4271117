import { Readable } from 'node:stream';
import type { ImportLine } from '@invigil/core/contract/assessments/imports';
import { isDraft } from '@invigil/core/domain/questions/question-definition';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { AppContext } from '../../../app-context.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import type { ImportedItem } from '../../../formats/imported-file.ts';
import { runOnThread } from './file-thread.ts';
import { KnownQuestions, withStoredImages } from './known-questions.ts';

/** Reads a question file and returns its items as lines of JSON; stores nothing. */
export function openImport(
  { db }: Pick<AppContext, 'db'>,
  name: string,
  bytes: Uint8Array,
): Readable {
  async function* lines() {
    const known = new KnownQuestions(db);
    const hashes: string[] = [];
    let storedOf: Map<string, string> | undefined;
    let previewBytes = 0;
    for await (const answer of runOnThread({ kind: 'read', name, bytes })) {
      switch (answer.kind) {
        case 'progress':
          yield line({ progress: answer.items });
          break;
        case 'image': {
          hashes.push(answer.hash);
          const size = answer.bytes.byteLength;
          if (size > IMPORT_LIMITS.previewImageMaxBytes) break;
          previewBytes += size;
          if (previewBytes > IMPORT_LIMITS.previewImagesMaxBytes) break;
          const base64 = Buffer.from(answer.bytes).toString('base64');
          yield line({ image: { hash: answer.hash, mediaType: typeOf(answer.bytes), base64 } });
          break;
        }
        case 'items': {
          storedOf ??= await listImagesBySource(db, hashes);
          const stored = storedOf;
          const duplicates = await known.areDuplicates(
            answer.items.map(
              ({ definition }) => definition && withStoredImages(definition, stored),
            ),
          );
          yield answer.items
            .map((item, i) => line({ item: present(item, duplicates[i] ?? false) }))
            .join('');
          break;
        }
        case 'end':
          yield line({ end: { format: answer.format, problems: answer.problems } });
          break;
        case 'error':
          yield line({ error: answer.message });
      }
    }
  }
  return Readable.from(lines());
}

const LESS_THAN = 0x3c;

/** Browsers tell other images by their bytes. */
function typeOf(image: Uint8Array): string {
  return image[0] === LESS_THAN ? 'image/svg+xml' : 'image/*';
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

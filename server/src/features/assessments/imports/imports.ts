import { Readable } from 'node:stream';
import type { ImportItem, ImportLine } from '@invigil/core/contract/assessments/imports';
import { type ExportFormat, IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import type { Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext } from '../../../app-context.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import { type BankFilter, countBank, listBank } from '../../../db/queries/question-bank.ts';
import { cannotHold, isInFile } from '../../../formats/any/write-format.ts';
import { shortTitleOf, type UntitledQuestion } from '../../../formats/exported-question.ts';
import type { ImportedItem, UploadedFile } from '../../../formats/imported-file.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { senderOf } from '../../../http/sender.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { readInProcess, writeInProcess } from '../../../runtime/file-process.ts';
import { Reply } from '../../../runtime/reply.ts';
import { nextTurn } from '../../../runtime/turns.ts';
import { fileTime } from '../../../runtime/wall-time.ts';
import type { Sender } from '../../../runtime/work-queue.ts';
import { doLongWork } from '../../../sessions/long-work.ts';
import { readInstitution } from '../../../trust/institution.ts';
import { requireTarget } from '../bank.ts';
import { imagesIn, KnownQuestions, withStoredImages } from './known-questions.ts';
import { parseOrder, storeImport } from './store-import.ts';

const EXTENSIONS = { csv: 'csv', gift: 'gift', moodle_xml: 'xml', qti_3: 'zip' } as const;

export function importHandlers(ctx: AppContext) {
  return {
    async readImport({ query, body, reach, ...exchange }) {
      return openImport(ctx, reach, { ...query, bytes: body }, senderOf(exchange));
    },
    async importFile({ body, command, reach, now, session, ...exchange }) {
      const { order, file } = parseOrder(body);
      const { work: id, name, quizId, items } = order;
      await requireTarget(ctx, reach, { quizId });
      const sender = senderOf(exchange);
      if (id === undefined) return await storeImport(ctx, command, order, file, now, sender);
      const { adminId } = session;
      const total = items?.length ?? null;
      const kind = 'questions.import' as const;
      const begun = { id, adminId, kind, name, quizId, questionId: null, total };
      return await doLongWork(ctx, begun, (work) =>
        storeImport(ctx, command, order, file, now, { ...sender, signal: work.signal }, work),
      );
    },
    checkExport: ({ query: { format, ...filter }, reach, ...exchange }) =>
      ctx.queues.files.run(senderOf(exchange), (signal) =>
        checkExport(ctx, format, { ...filter, reach }, signal),
      ),
    async exportQuestions({ query: { format, ...filter }, command, reach, now, ...exchange }) {
      using place = await ctx.queues.files.enter(senderOf(exchange));
      const content = await contentOf(ctx, format, { ...filter, reach }, place.signal);
      const file = await writeInProcess({ format, ...content }, place);
      const details = { format, count: content.questions.length };
      await command(({ record }) => record('questions.exported', null, details));
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const name = `questions_${fileTime(now, timeZone)}.${EXTENSIONS[format]}`;
      return new Reply(200, Readable.from([file]), {
        'content-disposition': `attachment; filename="${name}"`,
      });
    },
  } satisfies Handlers;
}

/** Items whose duplicates are found together. */
const ITEMS_AT_ONCE = 100;

/** Reads a question file and returns its items as lines of JSON; stores nothing. */
function openImport(
  { db, queues }: Pick<AppContext, 'db' | 'queues'>,
  reach: Reach,
  file: UploadedFile,
  sender: Sender,
): Readable {
  async function* lines() {
    using place = await queues.files.enter(sender);
    const known = new KnownQuestions(db, reach, null);
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
    for await (const found of readInProcess(file, place)) {
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
  return Readable.from(lines());
}

/** Browsers tell other images by their bytes. An SVG begins with `<`. */
function typeOf(base64: string): string {
  return Buffer.from(base64.slice(0, 4), 'base64')[0] === 0x3c ? 'image/svg+xml' : 'image/*';
}

function line(content: ImportLine): string {
  return `${JSON.stringify(content)}\n`;
}

/** Nothing of an item is hidden from who sent the file. */
function present(item: ImportedItem, isDuplicate: boolean): ImportItem {
  const { definition } = item;
  return { ...item, isDraft: definition !== null && isDraft(definition), isDuplicate };
}

const AT_A_TIME = 500;
const MOST_LOSSES = 1_000;
const MOST_IMAGE_BYTES = 2 * IMPORT_LIMITS.fileMaxBytes;

/** The details of the selected questions that a format cannot hold. Throws TOO_LARGE. */
async function checkExport(
  ctx: Pick<AppContext, 'db'>,
  format: ExportFormat,
  filter: BankFilter,
  signal: AbortSignal,
) {
  const losses: { id: string; title: string; reasons: string[] }[] = [];
  const countOf = new Map<string, number>();
  let questions = 0;
  let affected = 0;
  for await (const { id, ...question } of selected(ctx, filter, signal)) {
    if (isInFile(format, question.definition)) questions += 1;
    const reasons = cannotHold(format, question);
    // It parses texts, and candidates are saving.
    await nextTurn();
    signal.throwIfAborted();
    if (reasons.length === 0) continue;
    affected += 1;
    for (const reason of reasons) countOf.set(reason, (countOf.get(reason) ?? 0) + 1);
    if (affected <= MOST_LOSSES) {
      losses.push({ id, title: shortTitleOf(question.definition), reasons });
    }
  }
  const reasons = [...countOf].map(([reason, count]) => ({ reason, questions: count }));
  reasons.sort((a, b) => b.questions - a.questions);
  return { questions, affected, reasons, losses };
}

/** The selected questions that a file has, with their keys and images. Throws TOO_LARGE. */
async function contentOf(
  ctx: Pick<AppContext, 'db' | 'images'>,
  format: ExportFormat,
  filter: BankFilter,
  signal: AbortSignal,
) {
  const questions: UntitledQuestion[] = [];
  const images = new Map<string, Buffer>();
  let bytes = 0;
  for await (const { id: _, ...question } of selected(ctx, filter, signal)) {
    if (!isInFile(format, question.definition)) continue;
    questions.push(question);
    for (const hash of imagesIn(question.definition)) {
      if (images.has(hash)) continue;
      const image = await ctx.images.get(hash);
      if (image) images.set(hash, image);
      bytes += image?.length ?? 0;
      if (bytes > MOST_IMAGE_BYTES) throw new AppError('TOO_LARGE', { message: tooLargeText() });
    }
  }
  return { questions, images };
}

const tooManyText = (): string =>
  t(
    'server.export.atMost',
    '{max, plural, one {At most # question can be exported at once. Narrow the list} other {At most # questions can be exported at once. Narrow the list}}',
    { max: IMPORT_LIMITS.itemsMax },
  );
const tooLargeText = (): string =>
  t(
    'server.export.imagesTooLarge',
    'The images of these questions are too large for one file. Narrow the list',
  );

async function* selected(
  { db }: Pick<AppContext, 'db'>,
  filter: BankFilter,
  signal: AbortSignal,
): AsyncGenerator<UntitledQuestion & { id: string }> {
  if ((await countBank(db, filter)) > IMPORT_LIMITS.itemsMax) {
    throw new AppError('TOO_LARGE', { message: tooManyText() });
  }
  const nameOf = new Map(
    (await listCategories(db, filter.reach)).map(({ id, name }) => [id, name]),
  );
  for (let offset = 0; ; offset += AT_A_TIME) {
    signal.throwIfAborted();
    const page = await listBank(db, filter, { limit: AT_A_TIME, offset, fromEnd: true });
    for (const { row, version } of page) {
      yield {
        id: row.id,
        definition: definitionOf(version),
        tags: row.tags,
        categoryPath: [nameOf.get(row.categoryId ?? '') ?? []].flat(),
        difficulty: row.difficulty ?? undefined,
        note: row.note,
      };
    }
    if (page.length < AT_A_TIME) return;
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { type BankFilter, countBank, listBank } from '../../../db/queries/question-bank.ts';
import { cannotHold } from '../../../formats/any/write-format.ts';
import { shortTitleOf, type UntitledQuestion } from '../../../formats/exported-question.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { writeInProcess } from './file-process.ts';
import { imagesIn } from './known-questions.ts';

const AT_A_TIME = 500;
const MOST_LOSSES = 1_000;
const MOST_IMAGE_BYTES = 2 * IMPORT_LIMITS.fileMaxBytes;

/** What a format cannot hold of the selected questions. Throws TOO_LARGE. */
export async function checkExport(
  ctx: Pick<AppContext, 'db'>,
  format: ExportFormat,
  filter: BankFilter,
) {
  const losses: { id: string; title: string; reasons: string[] }[] = [];
  const countOf = new Map<string, number>();
  let questions = 0;
  let affected = 0;
  for await (const { id, ...question } of selected(ctx, filter)) {
    questions += 1;
    const reasons = cannotHold(format, question);
    // It parses texts, and candidates are saving.
    await nextTurn();
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

/** The selected questions, with their keys, as a file; audited. Throws TOO_LARGE, IMPORT_BUSY. */
export async function exportQuestions(
  ctx: Pick<AppContext, 'db' | 'images'>,
  adminId: string,
  format: ExportFormat,
  filter: BankFilter,
  now: Date,
): Promise<Uint8Array> {
  const questions: UntitledQuestion[] = [];
  const images = new Map<string, Buffer>();
  let bytes = 0;
  for await (const { id: _, ...question } of selected(ctx, filter)) {
    questions.push(question);
    for (const hash of imagesIn(question.definition)) {
      if (images.has(hash)) continue;
      const image = await ctx.images.get(hash);
      if (image) images.set(hash, image);
      bytes += image?.length ?? 0;
      if (bytes > MOST_IMAGE_BYTES) throw new AppError('TOO_LARGE', { message: TOO_MANY_IMAGES });
    }
  }
  const file = await writeInProcess({ format, questions, images });
  const details = { format, count: questions.length };
  await recordAudit(ctx.db, { adminId, action: 'questions.exported', details, at: now });
  return file;
}

const TOO_MANY = `At most ${IMPORT_LIMITS.itemsMax.toLocaleString('en-GB')} questions can be exported at once. Narrow the list`;
const TOO_MANY_IMAGES = 'The images of these questions are too large for one file. Narrow the list';

async function* selected(
  { db }: Pick<AppContext, 'db'>,
  filter: BankFilter,
): AsyncGenerator<UntitledQuestion & { id: string }> {
  if ((await countBank(db, filter)) > IMPORT_LIMITS.itemsMax) {
    throw new AppError('TOO_LARGE', { message: TOO_MANY });
  }
  const nameOf = new Map((await listCategories(db)).map(({ id, name }) => [id, name]));
  for (let offset = 0; ; offset += AT_A_TIME) {
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

import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import { recordAudit } from '../../../db/queries/audit.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { type BankFilter, countBank, listBank } from '../../../db/queries/question-bank.ts';
import { cannotHold, writeQuestionFile } from '../../../formats/any/write-format.ts';
import type { ExportedQuestion } from '../../../formats/exported-question.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { writeInProcess } from './file-process.ts';
import { imagesIn } from './known-questions.ts';

const AT_A_TIME = 500;
/** Written at once, in some milliseconds; starting a process takes longer. */
const FEW = 25;
const MOST_LOSSES = 1_000;
const TITLE_CHARACTERS = 80;
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
    if (reasons.length === 0) continue;
    affected += 1;
    for (const reason of reasons) countOf.set(reason, (countOf.get(reason) ?? 0) + 1);
    if (affected <= MOST_LOSSES) losses.push({ id, title: question.title, reasons });
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
  const questions: ExportedQuestion[] = [];
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
  const file =
    questions.length <= FEW
      ? writeQuestionFile(format, questions, (hash) => images.get(hash) ?? null)
      : await writeInProcess({ format, questions, images });
  const details = { format, count: questions.length };
  await recordAudit(ctx.db, { adminId, action: 'questions.exported', details, at: now });
  return file;
}

const TOO_MANY = `At most ${IMPORT_LIMITS.itemsMax.toLocaleString('en-GB')} questions can be exported at once. Narrow the list`;
const TOO_MANY_IMAGES = 'The images of these questions are too large for one file. Narrow the list';

function shortened(text: string): string {
  return text.length <= TITLE_CHARACTERS ? text : `${text.slice(0, TITLE_CHARACTERS - 1).trim()}…`;
}

async function* selected(
  { db }: Pick<AppContext, 'db'>,
  filter: BankFilter,
): AsyncGenerator<ExportedQuestion & { id: string }> {
  if ((await countBank(db, filter)) > IMPORT_LIMITS.itemsMax) {
    throw new AppError('TOO_LARGE', { message: TOO_MANY });
  }
  const nameOf = new Map((await listCategories(db)).map(({ id, name }) => [id, name]));
  for (let offset = 0; ; offset += AT_A_TIME) {
    const page = await listBank(db, filter, { limit: AT_A_TIME, offset, fromEnd: true });
    for (const { row, version } of page) {
      const definition = definitionOf(version);
      const { question, format } = definition;
      const text = format === 'plain' ? question : plainTextOf(question);
      yield {
        id: row.id,
        definition,
        title: shortened(text),
        tags: row.tags,
        categoryPath: [nameOf.get(row.categoryId ?? '') ?? []].flat(),
        difficulty: row.difficulty ?? undefined,
        note: row.note,
      };
    }
    if (page.length < AT_A_TIME) return;
  }
}

import { plainTextOf } from '@invigil/core/content/content-facts';
import type { ExportFormat } from '@invigil/core/domain/questions/question-files';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import {
  type BankFilter,
  type BankView,
  countBank,
  listBank,
} from '../../../db/queries/question-bank.ts';
import { cannotHold } from '../../../formats/any/write-format.ts';
import type { ExportedQuestion } from '../../../formats/exported-question.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { runOnThread } from './file-thread.ts';
import { imagesIn } from './known-questions.ts';

const AT_A_TIME = 500;
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
  let questions = 0;
  for await (const view of selected(ctx, filter)) {
    questions += 1;
    const question = writtenOf(view);
    const reasons = cannotHold(format, question.definition);
    if (reasons.length > 0 && losses.length < MOST_LOSSES) {
      losses.push({ id: view.row.id, title: question.title, reasons });
    }
  }
  return { questions, losses };
}

/** The selected questions as a file. Throws TOO_LARGE, IMPORT_BUSY. */
export async function exportQuestions(
  ctx: Pick<AppContext, 'db' | 'images'>,
  format: ExportFormat,
  filter: BankFilter,
): Promise<Uint8Array> {
  const questions: ExportedQuestion[] = [];
  const images = new Map<string, Uint8Array>();
  let bytes = 0;
  for await (const view of selected(ctx, filter)) {
    const question = writtenOf(view);
    questions.push(question);
    for (const hash of imagesIn(question.definition)) {
      if (images.has(hash)) continue;
      const image = await ctx.images.get(hash);
      if (image) images.set(hash, image);
      bytes += image?.length ?? 0;
      if (bytes > MOST_IMAGE_BYTES) throw new AppError('TOO_LARGE', { message: TOO_MANY_IMAGES });
    }
  }
  for await (const answer of runOnThread({ kind: 'write', format, questions, images })) {
    if (answer.kind === 'file') return answer.bytes;
    if (answer.kind === 'error') throw new AppError('TOO_LARGE', { message: answer.message });
  }
  throw new Error('the thread ended without a file');
}

const TOO_MANY = `At most ${IMPORT_LIMITS.itemsMax.toLocaleString('en-GB')} questions can be exported at once. Narrow the list`;
const TOO_MANY_IMAGES = 'The images of these questions are too large for one file. Narrow the list';

async function* selected(
  { db }: Pick<AppContext, 'db'>,
  filter: BankFilter,
): AsyncGenerator<BankView> {
  if ((await countBank(db, filter)) > IMPORT_LIMITS.itemsMax) {
    throw new AppError('TOO_LARGE', { message: TOO_MANY });
  }
  for (let offset = 0; ; offset += AT_A_TIME) {
    const page = await listBank(db, filter, { limit: AT_A_TIME, offset, fromEnd: true });
    yield* page;
    if (page.length < AT_A_TIME) return;
  }
}

function writtenOf({ row, version }: BankView): ExportedQuestion {
  const definition = definitionOf(version);
  const text =
    definition.format === 'plain' ? definition.question : plainTextOf(definition.question);
  return {
    definition,
    tags: row.tags,
    categoryPath: [],
    title: text.slice(0, TITLE_CHARACTERS),
  };
}

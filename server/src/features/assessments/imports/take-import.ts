import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { AppContext } from '../../../app-context.ts';
import { inTransaction } from '../../../db/database.ts';
import { recordAudit } from '../../../db/queries/audit.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import { insertQuestions, type QuestionView } from '../../../db/queries/questions.ts';
import type { ImportedItem } from '../../../formats/imported-file.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { orderIn } from '../bank/change-bank.ts';
import { keepImage } from '../images/keep-image.ts';
import { firstVersion } from '../questions/change-questions.ts';
import { readInProcess } from './file-process.ts';
import { imagesIn, KnownQuestions, withStoredImages } from './known-questions.ts';
import type { Order } from './parse-order.ts';

/** What came of an import. */
export interface Imported {
  added: number;
  duplicates: number;
  left: { title: string; reason: string }[];
}

const ROWS_PER_STATEMENT = 200;

/**
 * Adds items of a question file, all or nothing. Images are stored first: one without a question that
 * names it is found by no one. Nothing is added for a caller who leaves before the end. Throws
 * INVALID_QUESTIONS when the file cannot be read, NOT_FOUND, UNAVAILABLE for a caller who left.
 */
export async function takeImport(
  ctx: AppContext,
  adminId: string,
  order: Order,
  file: Uint8Array,
  now: Date,
  isCanceled: () => boolean,
): Promise<Imported> {
  const goOn = () => {
    if (isCanceled()) throw new AppError('UNAVAILABLE');
  };
  const wanted = order.items && new Set(order.items);
  const left: Imported['left'] = [];
  const images = new Images(ctx, now);
  const known = new KnownQuestions(ctx.db);
  const categories = await listCategories(ctx.db);
  const categoryOf = new Map(categories.map(({ id, name }) => [name.toLowerCase(), id]));
  const views: QuestionView[] = [];
  let position = 0;
  let duplicates = 0;
  let ready: { item: ImportedItem; definition: QuestionDefinition }[] = [];
  const add = async () => {
    const repeated = await known.areDuplicates(ready.map(({ definition }) => definition));
    for (const [i, { item, definition }] of ready.entries()) {
      if (repeated[i] && !order.withDuplicates) duplicates += 1;
      else {
        const view = firstVersion(order.quizId, definition, 1, now);
        views.push(withLabels(view, item, order.tags, categoryOf));
      }
    }
    ready = [];
  };
  for await (const found of readInProcess(order.name, file)) {
    goOn();
    if (found.kind === 'error') {
      throw new AppError('INVALID_QUESTIONS', { message: found.message });
    }
    if (found.kind === 'image') images.add(found.hash, found.base64);
    if (found.kind !== 'item') continue;
    const { item } = found;
    position += 1;
    if (wanted?.has(position - 1) === false || !item.definition) continue;
    const refuse = (reason: string) => left.push({ title: item.title, reason });
    const definition = await images.store(item.definition, refuse);
    if (definition) ready.push({ item, definition });
    if (ready.length >= ROWS_PER_STATEMENT) await add();
  }
  await add();
  await addAll(ctx, adminId, order, views, now, goOn);
  return { added: views.length, duplicates, left };
}

/** A category of the file is ours when it has the same name, otherwise a tag: those can be searched. */
function withLabels(
  view: QuestionView,
  { tags, difficulty, categoryPath }: ImportedItem,
  more: readonly string[],
  categoryOf: ReadonlyMap<string, string>,
): QuestionView {
  const category = categoryPath.join(' / ');
  const categoryId = categoryOf.get(category.toLowerCase()) ?? null;
  const all = [...more, ...tags, ...(categoryId ? [] : [category])]
    .map((tag) => tag.trim().slice(0, QUESTION_LIMITS.tagMaxCharacters))
    .filter((tag) => tag !== '');
  return {
    ...view,
    row: {
      ...view.row,
      categoryId,
      tags: [...new Set(all)].slice(0, QUESTION_LIMITS.tagsMax),
      difficulty: difficulty ?? null,
    },
  };
}

async function addAll(
  ctx: AppContext,
  adminId: string,
  { quizId }: Order,
  views: readonly QuestionView[],
  now: Date,
  goOn: () => void,
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const orders = await orderIn(tx, quizId, views.length);
    const placed = views.map(({ row, version }, i) => ({
      row: { ...row, orderNumber: orders[i] ?? 1 },
      version,
    }));
    for (let i = 0; i < placed.length; i += ROWS_PER_STATEMENT) {
      await insertQuestions(tx, placed.slice(i, i + ROWS_PER_STATEMENT));
    }
    await recordAudit(tx, {
      adminId,
      action: 'questions.imported',
      ...(quizId ? { subject: { type: 'quiz', id: quizId } } : {}),
      details: { count: views.length },
      at: now,
    });
    goOn();
  });
}

/** The images of a file: stored when the first taken item names them. */
class Images {
  readonly #ctx: AppContext;
  readonly #now: Date;
  /** In base64 */
  readonly #bytesOf = new Map<string, string>();
  readonly #storedOf = new Map<string, string>();

  constructor(ctx: AppContext, now: Date) {
    this.#ctx = ctx;
    this.#now = now;
  }

  add(hash: string, base64: string): void {
    this.#bytesOf.set(hash, base64);
  }

  /** The definition with the hashes its images are stored under; null when one cannot be stored. */
  async store(
    definition: QuestionDefinition,
    refuse: (reason: string) => void,
  ): Promise<QuestionDefinition | null> {
    const named = imagesIn(definition).filter((hash) => !this.#storedOf.has(hash));
    for (const [source, stored] of await listImagesBySource(this.#ctx.db, named)) {
      this.#storedOf.set(source, stored);
    }
    for (const hash of named) {
      const bytes = this.#bytesOf.get(hash);
      if (!bytes || this.#storedOf.has(hash)) continue;
      try {
        this.#storedOf.set(
          hash,
          (await keepImage(this.#ctx, Buffer.from(bytes, 'base64'), this.#now)).hash,
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'DISK_LOW') throw error;
        refuse(error.message);
        return null;
      }
    }
    return withStoredImages(definition, this.#storedOf);
  }
}

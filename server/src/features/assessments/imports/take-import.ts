import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { foldCase } from '@invigil/core/domain/typed-text';
import type { AppContext } from '../../../app-context.ts';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import { inTransaction } from '../../../db/database.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import { insertQuestions, type QuestionView } from '../../../db/queries/questions.ts';
import type { ImportedItem } from '../../../formats/imported-file.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
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

/** An item whose images are stored. */
type ReadyItem = ImportedItem & { definition: QuestionDefinition };

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
  signal: AbortSignal,
): Promise<Imported> {
  const goOn = () => {
    if (signal.aborted) throw new AppError('UNAVAILABLE');
  };
  const wanted = order.items && new Set(order.items);
  const left: Imported['left'] = [];
  const images = new Images(ctx, now);
  const ready: ReadyItem[] = [];
  let position = 0;
  const { name, encoding, columns } = order;
  for await (const found of readInProcess({ name, encoding, columns, bytes: file }, signal)) {
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
    if (definition) ready.push({ ...item, definition });
  }
  return { ...(await addAll(ctx, adminId, order, ready, now, goOn)), left };
}

/** A category of the file is ours when it has the same name, otherwise a tag: those can be searched. */
function withLabels(
  view: QuestionView,
  { tags, difficulty, categoryPath }: ReadyItem,
  more: readonly string[],
  categoryOf: ReadonlyMap<string, string>,
): QuestionView {
  const category = categoryPath.join(' / ');
  const categoryId = categoryOf.get(foldCase(category)) ?? null;
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

/** One import at a time looks for duplicates and adds: two of the same file add it once. */
function addAll(
  ctx: AppContext,
  adminId: string,
  order: Order,
  ready: readonly ReadyItem[],
  now: Date,
  goOn: () => void,
): Promise<Pick<Imported, 'added' | 'duplicates'>> {
  const { quizId } = order;
  return inTransaction(ctx.db, async (tx) => {
    await lockUntilCommit(tx, 'questionImport');
    const added = order.withDuplicates ? ready : await withoutKnown(new KnownQuestions(tx), ready);
    const categories = await listCategories(tx);
    const categoryOf = new Map(categories.map(({ id, name }) => [foldCase(name), id]));
    const orders = await orderIn(tx, quizId, added.length);
    let position = 0;
    // Not all at once: candidates are saving.
    for (const some of inGroups(added)) {
      const views = some.map((item, i) => {
        const view = firstVersion(ctx, quizId, item.definition, orders[position + i] ?? 1, now);
        return withLabels(view, item, order.tags, categoryOf);
      });
      position += some.length;
      await insertQuestions(tx, views);
    }
    await recordAudit(tx, {
      adminId,
      action: 'questions.imported',
      ...(quizId ? { subject: { type: 'quiz', id: quizId } } : {}),
      details: { count: added.length },
      at: now,
    });
    goOn();
    return { added: added.length, duplicates: ready.length - added.length };
  });
}

async function withoutKnown(
  known: KnownQuestions,
  items: readonly ReadyItem[],
): Promise<ReadyItem[]> {
  const fresh: ReadyItem[] = [];
  for (const some of inGroups(items)) {
    const repeated = await known.areDuplicates(some.map(({ definition }) => definition));
    fresh.push(...some.filter((_, i) => !repeated[i]));
  }
  return fresh;
}

function* inGroups<T>(all: readonly T[]): Generator<T[]> {
  for (let i = 0; i < all.length; i += ROWS_PER_STATEMENT) {
    yield all.slice(i, i + ROWS_PER_STATEMENT);
  }
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

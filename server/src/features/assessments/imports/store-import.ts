import { ImportOrder, type importFile } from '@invigil/core/contract/assessments/imports';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { Encoding } from '@invigil/core/domain/text-encoding';
import { foldCase } from '@invigil/core/domain/typed-text';
import type { z } from 'zod';
import type { AppContext } from '../../../app-context.ts';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import { portionsOf } from '../../../db/portions.ts';
import { listCategories } from '../../../db/queries/categories.ts';
import { listImagesBySource } from '../../../db/queries/images.ts';
import type { ImportedItem } from '../../../formats/imported-file.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { readInProcess } from '../../../runtime/file-process.ts';
import { requireStorable } from '../../../runtime/storable-json.ts';
import type { Sender } from '../../../runtime/work-queue.ts';
import type { Command } from '../../../sessions/command.ts';
import type { LongWork } from '../../../sessions/long-work.ts';
import { insertNew, type NewQuestion } from '../questions/change-questions.ts';
import { requireDefinition } from '../questions/require-definition.ts';
import { storeImage } from '../store-image.ts';
import { imagesIn, KnownQuestions, withStoredImages } from './known-questions.ts';

type Imported = ResponseOf<typeof importFile>;

/** An item whose images are stored. */
type ReadyItem = ImportedItem & { definition: QuestionDefinition };

/**
 * Adds items of a question file, all or nothing. Images are stored first: one without a question that names
 * it is found by no one. Nothing is added for a caller who leaves before the end. Throws INVALID_QUESTIONS
 * when the file cannot be read, INVALID_INPUT for a change that is not valid, NOT_FOUND, UNAVAILABLE for a
 * caller who left.
 */
export async function storeImport(
  ctx: AppContext,
  command: Command<'questions.imported'>,
  order: Order,
  bytes: Uint8Array,
  now: Date,
  sender: Sender,
  work?: LongWork,
): Promise<Imported> {
  const requireCaller = () => sender.signal.throwIfAborted();
  const { items, changed = [], quizId, withDuplicates, tags, ...file } = order;
  const changedTo = new Map(changed.map(({ item, definition }) => [item, definition]));
  const wanted = items && new Set(items);
  const left: Imported['left'] = [];
  const images = new Images(ctx, sender, now);
  const ready: ReadyItem[] = [];
  let position = 0;
  let encoding: Encoding | undefined;
  using place = await ctx.queues.files.enter(sender);
  for await (const found of readInProcess({ ...file, bytes }, place)) {
    requireCaller();
    if (found.kind === 'error') {
      throw new AppError('INVALID_QUESTIONS', { message: found.message });
    }
    if (found.kind === 'end') encoding = found.encoding;
    if (found.kind === 'image') images.add(found.hash, found.base64);
    if (found.kind !== 'item') continue;
    const { item } = found;
    position += 1;
    const change = changedTo.get(position - 1);
    const wantedAs = change ?? item.definition;
    if (wanted?.has(position - 1) === false || !wantedAs) continue;
    const refuse = (reason: string) => left.push({ title: item.title, reason });
    const stored = await images.store(wantedAs, refuse);
    if (!stored) continue;
    // A definition that was read is valid; one that a person changed may not be.
    const definition = change ? await requireDefinition(ctx.db, stored) : stored;
    ready.push({ ...item, definition });
    work?.report(ready.length + left.length);
  }
  return command(async (write) => {
    const { tx } = write;
    const { reach } = write.actor;
    // One import at a time looks for duplicates and adds: two of the same file add it once.
    await lockUntilCommit(tx, 'questionImport');
    const fresh = withDuplicates
      ? ready
      : await withoutKnown(new KnownQuestions(tx, reach, quizId), ready);
    const named = Map.groupBy(await listCategories(tx, reach), ({ name }) => foldCase(name));
    /** The one that is written so, if several differ in case alone; neither of two equal ones. */
    const categoryOf = (name: string) => {
      const alike = named.get(foldCase(name)) ?? [];
      const [only, ...more] =
        alike.length > 1 ? alike.filter((category) => category.name === name) : alike;
      return only && more.length === 0 ? only.id : null;
    };
    const added = fresh.map((item) => withLabels(item, tags, categoryOf));
    const views = await insertNew(ctx, write, 'questions.imported', quizId, added);
    requireCaller();
    const ids = views.map(({ row }) => row.id);
    const createdAt = now.toISOString();
    const duplicates = ready.length - ids.length;
    const read = encoding === undefined ? {} : { encoding };
    const imported = { added: ids.length, ids, duplicates, createdAt, left, ...read };
    await work?.finish(tx, imported, now);
    return imported;
  });
}

/** A category of the file is the one in reach with the same name, otherwise a tag: those can be searched. */
function withLabels(
  { definition, tags, difficulty, categoryPath }: ReadyItem,
  more: readonly string[],
  categoryOf: (name: string) => string | null,
): NewQuestion {
  const category = categoryPath.join(' / ');
  const categoryId = categoryOf(category);
  const all = [...more, ...tags, ...(categoryId ? [] : [category])]
    .map((tag) => tag.trim().slice(0, QUESTION_LIMITS.tagMaxCharacters).toWellFormed())
    .filter((tag) => tag !== '');
  const unique = [...new Set(all)].slice(0, QUESTION_LIMITS.tagsMax);
  return { definition, labels: { categoryId, tags: unique, difficulty: difficulty ?? null } };
}

const COMPARED_AT_ONCE = 200;

async function withoutKnown(
  known: KnownQuestions,
  items: readonly ReadyItem[],
): Promise<ReadyItem[]> {
  const fresh: ReadyItem[] = [];
  for (const some of portionsOf(items, COMPARED_AT_ONCE)) {
    const repeated = await known.areDuplicates(some.map(({ definition }) => definition));
    fresh.push(...some.filter((_, k) => !repeated[k]));
  }
  return fresh;
}

/** The images of a file: stored when the first item that is imported names them. */
class Images {
  readonly #ctx: AppContext;
  readonly #sender: Sender;
  readonly #now: Date;
  /** Images in base64. */
  readonly #bytesOf = new Map<string, string>();
  readonly #storedOf = new Map<string, string>();

  constructor(ctx: AppContext, sender: Sender, now: Date) {
    this.#ctx = ctx;
    this.#sender = sender;
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
          (await storeImage(this.#ctx, Buffer.from(bytes, 'base64'), this.#sender, this.#now)).hash,
        );
      } catch (error) {
        // An error of the service says nothing about this image.
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        refuse(error.message);
        return null;
      }
    }
    return withStoredImages(definition, this.#storedOf);
  }
}

/** The questions of a file to import, and how to read it. */
type Order = z.output<typeof ImportOrder>;

const NEW_LINE = 0x0a;

/**
 * Splits a body into its first line and the file behind it. Throws INVALID_INPUT, TOO_LARGE.
 */
export function parseOrder(body: Uint8Array): { order: Order; file: Uint8Array } {
  const end = body.indexOf(NEW_LINE);
  if (end < 0) throw invalid('The first line says what to take of the file');
  if (end > IMPORT_LIMITS.orderMaxBytes) throw new AppError('TOO_LARGE');
  const parsed = ImportOrder.safeParse(jsonOf(body.subarray(0, end)));
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? 'Invalid first line');
  return { order: parsed.data, file: body.subarray(end + 1) };
}

function jsonOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  requireStorable(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const invalid = (message: string) => new AppError('INVALID_INPUT', { message });

import type { BankQuestion, changeBankQuestions } from '@invigil/core/contract/assessments/bank';
import type { ParsedBodyOf, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import type { Place, Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { readPage } from '../../db/page-window.ts';
import { portionsOf } from '../../db/portions.ts';
import { listVersionAuthors } from '../../db/queries/audit.ts';
import {
  type BankView,
  changeEachQuestion,
  changeQuestionRows,
  countBank,
  listBank,
  listBankById,
  listCurrentVersions,
  listOwners,
  listTags,
  listUses,
  lockQuestions,
} from '../../db/queries/question-bank.ts';
import { listIdsWithSameWords } from '../../db/queries/question-words.ts';
import { listVersionsOf, type QuestionView } from '../../db/queries/questions.ts';
import { lockQuiz } from '../../db/queries/quizzes.ts';
import { shortTitleOf } from '../../formats/exported-question.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import type { Write } from '../../sessions/command.ts';
import { requireReach, requireWithin } from '../../sessions/guards.ts';
import { requireCategory } from './categories.ts';
import {
  addQuestions,
  editQuestion,
  nextOrderNumbers,
  recordLabels,
  removeQuestions,
  requireNotStarted,
  restoreQuestions,
  withoutUndefined,
} from './questions/change-questions.ts';
import { hashOf, rewritten } from './questions/equal-questions.ts';
import { keepingRulesMet } from './structure.ts';

export function bankHandlers(ctx: BaseContext) {
  return {
    async listBank({ query: { limit, offset, ...selected }, reach }) {
      const filter = { ...selected, reach };
      const { rows, total } = await readPage(
        { limit, offset },
        () => countBank(ctx.db, filter),
        (window) => listBank(ctx.db, filter, window),
      );
      return new Reply(200, rows.map(presentBankQuestion), { 'x-total-count': String(total) });
    },
    listTags: ({ reach }) => listTags(ctx.db, reach),
    listDuplicates: ({ reach }) => findDuplicates(ctx, reach),
    async addToBank({ body: { definition, quizId = null, ...labels }, command, reach }) {
      await requireTarget(ctx, reach, { quizId, categoryId: labels.categoryId });
      const added = [{ definition, labels }];
      const [view] = await command((write) => addQuestions(ctx, write, quizId, added));
      return await readBankQuestion(ctx, view?.row.id ?? '');
    },
    async getBankQuestion({ params: { id }, reach }) {
      const question = await readBankQuestion(ctx, id);
      const stored = await listVersionsOf(ctx.db, id);
      const addedAt = stored.at(-1)?.createdAt ?? new Date(question.createdAt);
      const of = { questionId: id, quizId: question.quizId, addedAt };
      const authors = await listVersionAuthors(ctx.db, of);
      const versions = stored.map((version) => {
        const author = authors.get(version.version);
        return {
          version: version.version,
          createdAt: version.createdAt.toISOString(),
          by: author === undefined ? null : author.name || author.email,
          definition: definitionOf(version),
        };
      });
      return { ...question, versions, usedIn: await listUses(ctx.db, id, reach) };
    },
    async changeBankQuestion({ params, body, command, reach }) {
      if (body.categoryId !== undefined && reach !== 'all') {
        // One of an assessment stays with it, whatever its category.
        const { quizId } = await readBankQuestion(ctx, params.id);
        if (quizId === null) requireWithin(reach, { categoryId: body.categoryId });
      }
      await command((write) => editQuestion(ctx, write, params.id, body));
      return await readBankQuestion(ctx, params.id);
    },
    async changeBankQuestions({ body, command, reach }) {
      await requireReach(ctx.db, reach, 'question', body.ids);
      if (body.quizId !== undefined || body.categoryId !== undefined) {
        await requireTarget(ctx, reach, body);
      }
      return command((write) => changeMany(write, body));
    },
  } satisfies Handlers;
}

/** Refuses to put a question where it would be out of reach. Throws NOT_FOUND, FORBIDDEN. */
export async function requireTarget(
  { db }: Pick<AppContext, 'db'>,
  reach: Reach,
  { quizId, categoryId }: Place,
): Promise<void> {
  if (quizId) return requireReach(db, reach, 'quiz', [quizId]);
  requireWithin(reach, { categoryId });
}

/** Throws NOT_FOUND. */
async function readBankQuestion({ db }: Pick<AppContext, 'db'>, id: string): Promise<BankQuestion> {
  const [view] = await listBankById(db, [id]);
  if (!view) throw new AppError('NOT_FOUND');
  return presentBankQuestion(view);
}

const MOST_GROUPS = 100;

/** Questions compared between two turns of other requests: a formatted one takes 2 ms. */
const AT_A_TIME = 20;

/** Groups of questions with the same content and key, the oldest of each first. */
async function findDuplicates(
  { db }: Pick<AppContext, 'db'>,
  reach: Reach,
): Promise<BankQuestion[][]> {
  const groups: string[][] = [];
  for (const ids of await listIdsWithSameWords(db, reach)) {
    groups.push(...(await equalAmong(db, ids)));
    if (groups.length >= MOST_GROUPS) break;
  }
  const shown = groups.slice(0, MOST_GROUPS);
  const views = await listBankById(db, shown.flat());
  const byId = new Map(views.map((view) => [view.row.id, presentBankQuestion(view)]));
  return shown.map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
}

/** The questions that are equal to another one, in groups. */
async function equalAmong(db: Queryable, ids: readonly string[]): Promise<string[][]> {
  const hashes = new Map<string, string>();
  for (const some of portionsOf(ids, AT_A_TIME)) {
    for (const version of await listCurrentVersions(db, some)) {
      const definition = definitionOf(version);
      const shortest = definition.format === 'plain' ? definition : rewritten(definition).shortest;
      hashes.set(version.questionId, hashOf(shortest));
    }
  }
  const byHash = Map.groupBy(ids, (id) => hashes.get(id) ?? id);
  return [...byHash.values()].filter((group) => group.length > 1);
}

/** Includes the key, so for administrators only. */
function presentBankQuestion({ row, version, quizTitle, timesSeen }: BankView): BankQuestion {
  const definition = definitionOf(version);
  return {
    id: row.id,
    version: row.currentVersion,
    definition,
    isDraft: isDraft(definition),
    tags: row.tags,
    categoryId: row.categoryId,
    difficulty: row.difficulty,
    note: row.note,
    quizId: row.quizId,
    quizTitle,
    orderNumber: row.orderNumber,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: version.createdAt.toISOString(),
    timesSeen,
  };
}

type Changed = ResponseOf<typeof changeBankQuestions>;

/**
 * Changes several questions, or deletes them, or puts deleted ones back. Throws NOT_FOUND, QUESTION_IN_USE, RULES_UNMET, INVALID_INPUT.
 */
async function changeMany(
  write: Write<'question.labeled' | 'question.deleted' | 'question.restored'>,
  { ids, isDeleted, ...change }: ParsedBodyOf<typeof changeBankQuestions>,
): Promise<Changed> {
  if (isDeleted) return { changed: await removeQuestions(write, ids), undo: [] };
  if (isDeleted === false) return { changed: await restoreQuestions(write, ids), undo: [] };
  const { tx, actor, now } = write;
  const { addTags = [], removeTags = [], isArchived, quizId, categoryId, difficulty } = change;
  const changeAll = async () => {
    if (quizId !== undefined) {
      const owners = await listOwners(tx, ids);
      await requireNotStarted(
        tx,
        owners.filter((owner) => owner !== quizId),
      );
    }
    if (quizId && !(await lockQuiz(tx, quizId, 'update'))) throw new AppError('NOT_FOUND');
    const found = await lockQuestions(tx, ids);
    if (found.length < new Set(ids).size) throw new AppError('NOT_FOUND');
    const all = found.map(({ row }) => row.id);
    if (categoryId) await requireCategory(tx, categoryId);
    // Set-based: the pool of questions is locked until the end.
    if (quizId !== undefined) {
      const moved = found.flatMap(({ row }) => (row.quizId === quizId ? [] : [row.id]));
      const orderNumbers = await nextOrderNumbers(tx, quizId, moved.length);
      await changeQuestionRows(tx, moved, { quizId });
      await changeEachQuestion(
        tx,
        moved.map((id, i) => ({ id, orderNumber: orderNumbers[i] ?? 1 })),
      );
    }
    const archivedAt = isArchived === undefined ? {} : { archivedAt: isArchived ? now : null };
    await changeQuestionRows(tx, all, {
      ...withoutUndefined({ categoryId, difficulty }),
      ...archivedAt,
    });
    if (addTags.length + removeTags.length > 0) {
      const tagged = found.map((view) => ({
        id: view.row.id,
        tags: tagsAfter(view, addTags, removeTags),
      }));
      await changeEachQuestion(tx, tagged);
    }
    const fields = Object.keys(withoutUndefined(change));
    await recordLabels(write, all, fields);
    return {
      changed: all.length,
      undo: undoOf(
        found.map(({ row }) => row),
        change,
      ),
    };
  };
  return keepingRulesMet(tx, { ids }, actor.reach, changeAll);
}

/** The changes that give questions their former labels and state again, those with the same one together. */
function undoOf(
  rows: readonly QuestionView['row'][],
  {
    addTags = [],
    removeTags = [],
    isArchived,
    categoryId,
    difficulty,
  }: Partial<Changed['undo'][0]>,
): Changed['undo'] {
  const changes = rows.map((row) => {
    const added = addTags.filter((tag) => !row.tags.includes(tag) && !removeTags.includes(tag));
    const removed = removeTags.filter((tag) => row.tags.includes(tag));
    const wasArchived = row.archivedAt !== null;
    const isOther = <T>(wanted: T | undefined, was: T) => wanted !== undefined && wanted !== was;
    const change = {
      ...(added.length === 0 ? {} : { removeTags: added }),
      ...(removed.length === 0 ? {} : { addTags: removed }),
      ...(isOther(isArchived, wasArchived) ? { isArchived: wasArchived } : {}),
      ...(isOther(categoryId, row.categoryId) ? { categoryId: row.categoryId } : {}),
      ...(isOther(difficulty, row.difficulty) ? { difficulty: row.difficulty } : {}),
    };
    return { id: row.id, change };
  });
  const alike = Map.groupBy(changes, ({ change }) => JSON.stringify(change));
  return [...alike.values()].flatMap((group) => {
    const { change } = group[0] ?? { change: {} };
    return Object.keys(change).length === 0 ? [] : [{ ids: group.map(({ id }) => id), ...change }];
  });
}

/** Throws INVALID_INPUT. */
function tagsAfter(
  { row, version }: QuestionView,
  addTags: readonly string[],
  removeTags: readonly string[],
): string[] {
  const tags = [...new Set([...row.tags, ...addTags])].filter((tag) => !removeTags.includes(tag));
  if (addTags.length > 0 && tags.length > QUESTION_LIMITS.tagsMax) {
    const title = shortTitleOf(definitionOf(version));
    const message = t(
      /* {title} is the beginning of a question */ 'server.bank.atMostTags',
      '{max, plural, one {At most # tag: “{title}” would have more} other {At most # tags: “{title}” would have more}}',
      { max: QUESTION_LIMITS.tagsMax, title },
    );
    throw new AppError('INVALID_INPUT', { message });
  }
  return tags;
}

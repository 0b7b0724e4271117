import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { isDraft } from '@invigil/core/domain/questions/question-definition';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import { type Page, readPage } from '../../../db/page-window.ts';
import {
  type BankFilter,
  type BankView,
  countBank,
  listBank,
  listBankById,
  listCurrentVersions,
  listUses,
} from '../../../db/queries/question-bank.ts';
import { listIdsWithSameWords } from '../../../db/queries/question-words.ts';
import { listVersionsOf } from '../../../db/queries/questions.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { hashOf, rewritten } from '../questions/equal-questions.ts';

/** A page of the bank and the total. */
export async function readBank(
  { db }: Pick<AppContext, 'db'>,
  { limit, offset, ...filter }: BankFilter & Page,
): Promise<{ rows: BankQuestion[]; total: number }> {
  const { rows, total } = await readPage(
    { limit, offset },
    () => countBank(db, filter),
    (window) => listBank(db, filter, window),
  );
  return { rows: rows.map(presentBankQuestion), total };
}

/** Throws NOT_FOUND. */
export async function readBankQuestion(
  { db }: Pick<AppContext, 'db'>,
  id: string,
): Promise<BankQuestion> {
  const [view] = await listBankById(db, [id]);
  if (!view) throw new AppError('NOT_FOUND');
  return presentBankQuestion(view);
}

/** One question with its versions and uses. Throws NOT_FOUND. */
export async function readBankHistory({ db }: Pick<AppContext, 'db'>, id: string) {
  const question = await readBankQuestion({ db }, id);
  const versions = await listVersionsOf(db, id);
  return {
    ...question,
    versions: versions.map((version) => ({
      version: version.version,
      createdAt: version.createdAt.toISOString(),
      definition: definitionOf(version),
    })),
    usedIn: await listUses(db, id),
  };
}

const MOST_GROUPS = 100;

/** Questions compared between two turns of other requests: a formatted one takes 2 ms. */
const AT_A_TIME = 20;

/** Groups of questions with the same content and key, the oldest of each first. */
export async function findDuplicates({ db }: Pick<AppContext, 'db'>): Promise<BankQuestion[][]> {
  const groups: string[][] = [];
  for (const ids of await listIdsWithSameWords(db)) {
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
  for (let i = 0; i < ids.length; i += AT_A_TIME) {
    for (const version of await listCurrentVersions(db, ids.slice(i, i + AT_A_TIME))) {
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

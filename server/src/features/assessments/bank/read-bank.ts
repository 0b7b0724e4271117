import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import type { AppContext } from '../../../app-context.ts';
import { type Page, readPage } from '../../../db/page-window.ts';
import {
  type BankFilter,
  countBank,
  listBank,
  listBankById,
  listDuplicateIds,
  listUses,
  listVersionsOf,
} from '../../../db/queries/question-bank.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { presentBankQuestion } from './present.ts';

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

/** One question with its versions and uses. Throws NOT_FOUND. */
export async function readBankQuestion({ db }: Pick<AppContext, 'db'>, id: string) {
  const [view] = await listBankById(db, [id]);
  if (!view) throw new AppError('NOT_FOUND');
  const versions = await listVersionsOf(db, id);
  return {
    ...presentBankQuestion(view),
    versions: versions.map((version) => ({
      version: version.version,
      createdAt: version.createdAt.toISOString(),
      definition: definitionOf(version),
    })),
    usedIn: await listUses(db, id),
  };
}

const MOST_GROUPS = 100;

/** Groups of questions with the same content and key, the oldest of each first. */
export async function findDuplicates({ db }: Pick<AppContext, 'db'>): Promise<BankQuestion[][]> {
  const groups = await listDuplicateIds(db, MOST_GROUPS);
  const views = await listBankById(db, groups.flat());
  const byId = new Map(views.map((view) => [view.row.id, presentBankQuestion(view)]));
  return groups.map((ids) => ids.flatMap((id) => byId.get(id) ?? []));
}

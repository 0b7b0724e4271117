import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { AppContext, BaseContext } from '../../../app-context.ts';
import { lockUntilCommit } from '../../../db/advisory-locks.ts';
import { inTransaction } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  insertQuestions,
  listQuestions,
  type QuestionVersionRow,
} from '../../../db/queries/questions.ts';
import {
  findQuiz,
  getPolicySettings,
  insertPolicy,
  insertQuiz,
  lockQuiz,
  type QuizView,
} from '../../../db/queries/quizzes.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { isWholeVersion, sealedVersion } from '../../../trust/sealed-kinds.ts';

const MARK = ' (copy)';

/**
 * Copies an assessment with its settings, policy and questions. The copy is inactive and has no end
 * date, so that no one can start it before an administrator has checked it. Throws NOT_FOUND.
 */
export async function duplicateQuiz(
  ctx: BaseContext,
  adminId: string,
  sourceId: string,
  now: Date,
): Promise<QuizView> {
  const id = newId();
  await inTransaction(ctx.db, async (tx) => {
    // A change of the bank at the same time would not see the rules of the copy.
    await lockUntilCommit(tx, 'questionPool');
    const source = await lockQuiz(tx, sourceId, 'share');
    if (!source) throw new AppError('NOT_FOUND');
    const own = await listQuestions(tx, sourceId);
    const newIds = new Map(own.map(({ row }) => [row.id, newId()]));
    await insertQuiz(tx, {
      ...source,
      id,
      structure: source.structure && withOwnCopies(source.structure, newIds),
      title: titleOfCopy(source.title),
      endDate: null,
      isActive: false,
      policyVersion: 1,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    const settings = await getPolicySettings(tx, sourceId, source.policyVersion);
    await insertPolicy(tx, { quizId: id, version: 1, settings, createdAt: now });
    const questions = own.map(({ row, version }) => {
      const questionId = newIds.get(row.id) ?? newId();
      return {
        row: { ...row, id: questionId, quizId: id, currentVersion: 1, createdAt: now },
        version: copyOf(ctx, version, questionId, now),
      };
    });
    if (questions.length > 0) await insertQuestions(tx, questions);
    await recordAudit(tx, {
      adminId,
      action: 'quiz.duplicated',
      subject: { type: 'quiz', id },
      details: { from: sourceId },
      at: now,
    });
  });
  const copy = await findQuiz(ctx.db, id);
  if (!copy) throw new Error('a quiz was copied but not found');
  return copy;
}

/** Without a seal if the original does not match its own: a copy makes nothing genuine. */
function copyOf(
  { keys }: Pick<AppContext, 'keys'>,
  original: QuestionVersionRow,
  questionId: string,
  now: Date,
): QuestionVersionRow {
  const copy = { ...original, questionId, version: 1, createdAt: now };
  const isGenuine = isWholeVersion(keys.integrity, original);
  return isGenuine ? sealedVersion(keys.integrity, copy) : { ...copy, seal: null };
}

/** The copy's sections name its own copies of the questions; those of the bank stay. */
function withOwnCopies(
  { sections }: QuizStructure,
  newIds: ReadonlyMap<string, string>,
): QuizStructure {
  return {
    sections: sections.map((section) => ({
      ...section,
      items: section.items.map((item) =>
        'questionId' in item
          ? { questionId: newIds.get(item.questionId) ?? item.questionId }
          : item,
      ),
    })),
  };
}

/** Cuts to the limit, and never within a surrogate pair. */
function titleOfCopy(title: string): string {
  const cut = title.slice(0, QUIZ_LIMITS.titleMaxCharacters - MARK.length);
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd() + MARK;
}

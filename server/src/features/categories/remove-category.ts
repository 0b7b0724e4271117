import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import { inTransaction } from '../../db/database.ts';
import { recordAudit } from '../audit/queries.ts';
import { countQuizzesInCategory, deleteCategory, lockCategory } from './queries.ts';

/** Deletes a category that nothing uses; throws NOT_FOUND or CATEGORY_IN_USE with the count. */
export async function removeCategory(ctx: AppContext, adminId: string, id: string, now: Date) {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await lockCategory(tx, id))) throw new AppError('NOT_FOUND');
    const inUse = await countQuizzesInCategory(tx, id);
    if (inUse > 0) {
      const noun = inUse === 1 ? 'assessment' : 'assessments';
      throw new AppError('CATEGORY_IN_USE', {
        message: `This category has ${inUse} ${noun} and cannot be deleted`,
        details: { count: inUse },
      });
    }
    await deleteCategory(tx, id);
    await recordAudit(tx, {
      adminId,
      action: 'category.deleted',
      subject: { type: 'category', id },
      at: now,
    });
  });
}

import { isDeepStrictEqual } from 'node:util';
import { nameOf } from '@invigil/core/domain/people';
import { resultOf, type StoredResult } from '@invigil/core/domain/results/outcome';
import {
  holdOf,
  openDecision,
  openUntil,
  type ReleaseRules,
  waitOf,
} from '@invigil/core/domain/results/release';
import type { BaseContext } from '../../../app-context.ts';
import { inTransaction, type Queryable, type Tx } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import {
  findRelease,
  insertReleases,
  lockReleasable,
  type ReleasableRow,
  type ReleaseRow,
} from '../../../db/queries/attempts/releases.ts';
import { readInstitution } from '../../../db/queries/institution.ts';
import type { QuizView } from '../../../db/queries/quizzes.ts';
import { findSmtpSettings } from '../../../db/queries/smtp-settings.ts';
import { momentText } from '../../../mail/messages/invitation-message.ts';
import { queueNotices } from '../../../mail/queue-notices.ts';

type Context = Pick<BaseContext, 'config' | 'keys'>;

/** Whether candidates can learn by mail that their result is there. */
export const canMail = async (db: Queryable): Promise<boolean> =>
  (await findSmtpSettings(db))?.isActive === true;

/** Whether what was released last is no longer the result. */
export const hasChanged = (
  row: Pick<ReleasableRow, 'released' | 'resultRules' | keyof StoredResult>,
): boolean =>
  row.released !== null && !isDeepStrictEqual(row.released, resultOf(row, row.resultRules));

/**
 * Releases the results of locked attempts and queues a mail to each candidate. Those whose released result
 * is still the same are left out.
 *
 * @param by the administrator; null: by its rule
 * @returns how many
 */
async function release(
  tx: Tx,
  ctx: Context,
  rows: readonly ReleasableRow[],
  by: string | null,
  now: Date,
): Promise<number> {
  const due = rows.filter((row) => row.releaseRules && (!row.released || hasChanged(row)));
  if (due.length === 0) return 0;
  await insertReleases(
    tx,
    due.map((row) => ({
      ...{ id: newId(), participantId: row.id, releasedAt: now, releasedBy: by },
      result: resultOf(row, row.resultRules),
    })),
  );
  const { publicUrl, timeZone } = await readInstitution(tx, ctx.config);
  for (const [again, some] of Map.groupBy(due, (row) => row.released !== null)) {
    // Not by title: assessments of the same title may open their results for other times.
    for (const of of Map.groupBy(some, (row) => row.quizId).values()) {
      const title = of[0]?.title ?? '';
      const until = openUntil(now, of[0]?.releaseRules?.openDays ?? 1).toISOString();
      await queueNotices(
        tx,
        ctx,
        of.flatMap(({ email, invitationId, ...person }) =>
          email === null ? [] : [{ email, invitationId, name: nameOf(person) }],
        ),
        {
          subject: `${again ? 'Your corrected result' : 'Your result'}: ${title}`.replace(
            /\s+/g,
            ' ',
          ),
          paragraphs: [
            again
              ? `Your result of the assessment "${title}" was corrected.`
              : `Your result of the assessment "${title}" is ready.`,
            `Sign in at ${publicUrl}/login with your email address and the one-time password of your invitation. It opens your result until ${momentText(until, timeZone)}.`,
          ],
        },
        now,
      );
    }
  }
  return due.length;
}

/** Releases by hand. Without names only what nothing is open about. Returns how many. */
export async function releaseByHand(
  ctx: Pick<BaseContext, 'db' | 'wakeMail'> & Context,
  ids: readonly string[],
  { isNamed, by }: { isNamed: boolean; by: string },
  now: Date,
): Promise<number> {
  return inTransaction(ctx.db, async (tx, afterCommit) => {
    const rows = (await lockReleasable(tx, ids)).filter((row) => {
      const open = openDecision(row);
      return isNamed ? open !== 'running' && open !== 'revoked' : open === null;
    });
    afterCommit(() => ctx.wakeMail());
    return release(tx, ctx, rows, by, now);
  });
}

/** Releases what its rule says by now; for the periodic job and when someone asks for a result. */
export async function releaseDue(
  ctx: Pick<BaseContext, 'db'> & Context,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await inTransaction(ctx.db, async (tx) => {
    const isOn = await canMail(tx);
    const rows = (await lockReleasable(tx, ids)).filter(
      (row) =>
        row.released === null &&
        row.releaseRules !== null &&
        holdOf(row.releaseRules, row, now, isOn) === null,
    );
    await release(tx, ctx, rows, null, now);
  });
}

/** A result that its candidate may see now. */
export interface OpenResult {
  rules: ReleaseRules;
  release: ReleaseRow;
  until: Date;
}

/** What a candidate may see of an ended attempt at this moment, by the one rule. */
export async function findOpenResult(
  ctx: Pick<BaseContext, 'db'> & Context,
  id: string,
  quiz: Pick<QuizView, 'releaseRules'> | undefined,
  now: Date,
): Promise<OpenResult | null> {
  const rules = quiz?.releaseRules ?? null;
  if (rules === null) return null;
  const given = await findGivenResult(ctx, id, rules, now);
  return given && now <= given.until ? given : null;
}

/** The same, also after its time to be read. */
export async function findGivenResult(
  ctx: Pick<BaseContext, 'db'> & Context,
  id: string,
  rules: ReleaseRules,
  now: Date,
): Promise<OpenResult | null> {
  let found = await findRelease(ctx.db, id);
  if (!found && waitOf(rules, now) === null) {
    await releaseDue(ctx, [id], now);
    found = await findRelease(ctx.db, id);
  }
  if (!found || found.releasedAt > now) return null;
  return { rules, release: found, until: openUntil(found.releasedAt, rules.openDays) };
}

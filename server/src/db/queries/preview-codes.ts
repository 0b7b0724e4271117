import { emailSpellings } from '@invigil/core/domain/email-address';
import type { Grant } from '@invigil/core/domain/rights';
import { and, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { newId } from '../new-id.ts';
import { quizzes } from '../schema/assessments.ts';
import { previewCodes } from '../schema/invitations.ts';
import { admins } from '../schema/sign-in.ts';

/** An administrator who looks at an assessment as its candidates do. It may do nothing else. */
export interface PreviewSession {
  kind: 'preview';
  id: string;
  adminId: string;
  quizId: string;
  categoryId: string;
  email: string;
  /** Grants of the administrator as of this request: a preview shows no more than they may see. */
  grants: readonly Grant[];
  expiresAt: Date;
  endedAt: null;
  endReason: null;
}

const VALID_MS = 86_400_000;

/** The time until which the code of a test invitation opens its preview. */
export const previewUntil = (createdAt: Date) => new Date(createdAt.getTime() + VALID_MS);

/** A preview as it is stored, without what its administrator may do. */
export type PreviewRow = Omit<PreviewSession, 'grants'>;

/** Deletes the codes of test invitations that open nothing any more. */
export async function deleteOverPreviews(db: Queryable, now: Date): Promise<void> {
  await db
    .delete(previewCodes)
    .where(lt(previewCodes.createdAt, new Date(now.getTime() - VALID_MS)));
}

/** Stores the code of a test invitation in place of an earlier one. */
export async function storePreviewCode(
  tx: Tx,
  { adminId, quizId, codeHash }: { adminId: string; quizId: string; codeHash: Buffer },
  now: Date,
): Promise<void> {
  const values = { id: newId(), adminId, quizId, codeHash, createdAt: now };
  await tx
    .insert(previewCodes)
    .values(values)
    .onConflictDoUpdate({
      target: [previewCodes.adminId, previewCodes.quizId],
      set: { codeHash, tokenHash: null, createdAt: now },
    });
}

/** Signs in with the code of a test invitation; false where it is none of this address, or over. */
export async function openPreview(
  db: Queryable,
  { email, codeHash, tokenHash }: { email: string; codeHash: Buffer; tokenHash: Buffer },
  now: Date,
): Promise<boolean> {
  const [found] = await selectPreviews(
    db,
    now,
    and(
      eq(previewCodes.codeHash, codeHash),
      inArray(sql`lower(${admins.email})`, emailSpellings(email)),
    ),
  );
  if (!found) return false;
  await db.update(previewCodes).set({ tokenHash }).where(eq(previewCodes.id, found.id));
  return true;
}

/** Previews by the hashes of their tokens, in hex. */
export async function listPreviews(
  db: Queryable,
  tokenHashes: readonly Buffer[],
  now: Date,
): Promise<Map<string, PreviewRow>> {
  if (tokenHashes.length === 0) return new Map();
  const rows = await selectPreviews(
    db,
    now,
    sql`${previewCodes.tokenHash} = any (${sql.param(tokenHashes)}::bytea[])`,
  );
  return new Map(
    rows.map(({ tokenHash, ...session }) => [tokenHash?.toString('hex') ?? '', session]),
  );
}

export async function closePreview(db: Queryable, id: string): Promise<void> {
  await db.update(previewCodes).set({ tokenHash: null }).where(eq(previewCodes.id, id));
}

async function selectPreviews(db: Queryable, now: Date, where: SQL | undefined) {
  const rows = await db
    .select({
      id: previewCodes.id,
      adminId: previewCodes.adminId,
      quizId: previewCodes.quizId,
      categoryId: quizzes.categoryId,
      email: admins.email,
      tokenHash: previewCodes.tokenHash,
      createdAt: previewCodes.createdAt,
    })
    .from(previewCodes)
    .innerJoin(admins, eq(admins.id, previewCodes.adminId))
    .innerJoin(quizzes, eq(quizzes.id, previewCodes.quizId))
    .where(
      and(
        where,
        isNull(quizzes.archivedAt),
        gt(previewCodes.createdAt, new Date(now.getTime() - VALID_MS)),
      ),
    );
  return rows.map(({ createdAt, ...row }) => ({
    ...row,
    kind: 'preview' as const,
    expiresAt: previewUntil(createdAt),
    endedAt: null,
    endReason: null,
  }));
}

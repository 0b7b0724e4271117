import type { Reach } from '@invigil/core/domain/rights';
import { and, arrayOverlaps, asc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm';
import type { Queryable, Tx } from '../database.ts';
import { images, questions, questionVersions } from '../schema/assessments.ts';
import { paperQuestions, participants } from '../schema/attempts.ts';
import { institution } from '../schema/installation.ts';
import { ofQuizWithin, questionWithin } from './places.ts';

export type ImageRow = typeof images.$inferSelect;

export async function findImage(db: Queryable, hash: string): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(images).where(eq(images.hash, hash));
  return row;
}

/** One with this hash is the same image, and only gets to know another file that it came from. */
export async function insertImage(db: Queryable, row: ImageRow): Promise<void> {
  await db
    .insert(images)
    .values(row)
    .onConflictDoUpdate({
      target: images.hash,
      set: {
        sources: sql`array(select distinct unnest(${images.sources} || excluded.sources))`,
      },
    });
}

export function listImagesByHash(db: Queryable, hashes: readonly string[]): Promise<ImageRow[]> {
  if (hashes.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(images)
    .where(inArray(images.hash, [...hashes]));
}

/** The hash of the stored image for each file that was uploaded before, by the hash of the file. */
export async function listImagesBySource(
  db: Queryable,
  sources: readonly string[],
): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map();
  const rows = await db
    .select({ hash: images.hash, sources: images.sources })
    .from(images)
    .where(arrayOverlaps(images.sources, [...sources]));
  return new Map(rows.flatMap(({ hash, sources: all }) => all.map((source) => [source, hash])));
}

/** All texts of a version. */
const TEXTS = sql`concat_ws(' ', ${questionVersions.question}, array_to_string(${questionVersions.optionTexts}, ' '),
  ${questionVersions.details}::text)`;

/**
 * Whether a question in reach has the image, or a paper of an attempt in reach; or nothing has it yet, as
 * after its upload.
 */
export async function isImageWithin(db: Queryable, hash: string, reach: Reach): Promise<boolean> {
  if (reach === 'all') return true;
  const { rows } = await db.execute<{ isWithin: boolean }>(sql`
    select ${or(
      questionWithin(reach),
      sql`exists (select from ${paperQuestions} join ${participants}
        on ${participants.id} = ${paperQuestions.participantId}
        where ${paperQuestions.questionId} = ${questions.id}
          and ${ofQuizWithin(reach, participants.quizId)})`,
    )} as "isWithin"
    from ${questionVersions} join ${questions} on ${questions.id} = ${questionVersions.questionId}
    where ${TEXTS} like ${`%image:${hash}%`}`);
  return rows.length === 0 || rows.some((row) => row.isWithin);
}

const IN_TEXTS = sql`select distinct found[1] from ${questionVersions}, regexp_matches(${TEXTS},
  'image:([0-9a-f]{64})', 'g') as found`;

/** Stored before a time, in no version of any question, and not the institution's logo. */
export function listUnusedImages(
  db: Queryable,
  before: Date,
): Promise<Pick<ImageRow, 'hash' | 'bytes'>[]> {
  const { hash, bytes, createdAt } = images;
  return db
    .select({ hash, bytes })
    .from(images)
    .where(
      and(
        lt(createdAt, before),
        sql`${hash} not in (${IN_TEXTS})`,
        sql`not exists (select from ${institution} where ${institution.logo} = ${hash})`,
      ),
    );
}

export async function deleteImageRows(tx: Tx, hashes: readonly string[]): Promise<void> {
  await tx.delete(images).where(inArray(images.hash, [...hashes]));
}

/** The next images in the order of their hashes, from the one after `after`. */
export function listImages(db: Queryable, after: string, most: number): Promise<ImageRow[]> {
  return db
    .select()
    .from(images)
    .where(gt(images.hash, after))
    .orderBy(asc(images.hash))
    .limit(most);
}

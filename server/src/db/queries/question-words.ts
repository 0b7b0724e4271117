import type { Reach } from '@invigil/core/domain/rights';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { questions, questionVersions } from '../schema/assessments.ts';
import { questionWithin } from './places.ts';
import { isVisible } from './question-conditions.ts';
import { currentVersion } from './questions.ts';

/**
 * Characters that formatting changes: character references, and all of ASCII but letters. The pattern works
 * in JavaScript and PostgreSQL.
 */
export const NO_WORDS = /&[A-Za-z0-9#]+;|[\t-@[-`{-~\u00a0]/g;

const words = (text: unknown) => sql`regexp_replace(${text}, ${NO_WORDS.source}, '', 'g')`;

/** Equal for versions whose texts have the same words: MD5 in hexadecimal. */
const textWords = sql`md5(${words(questionVersions.question)} || coalesce((
  select string_agg(option, '' order by option collate "C")
  from (select ${words(sql`o`)} as option from unnest(${questionVersions.optionTexts}) o) options), ''))`;

/**
 * The questions among which an imported one is a duplicate: in reach, those of an assessment, or of the bank alone
 * (null). Copies in other assessments are meant to be there (decision 016), and what is archived is no longer used.
 */
export const isComparedIn = (reach: Reach, quizId: string | null): SQL | undefined =>
  and(
    isVisible,
    isNull(questions.archivedAt),
    questionWithin(reach),
    quizId === null ? isNull(questions.quizId) : eq(questions.quizId, quizId),
  );

/** Ids of the formatted questions that imported ones are compared with, by `textWords`. */
export async function listFormattedByWords(
  db: Queryable,
  reach: Reach,
  quizId: string | null,
): Promise<Map<string, string[]>> {
  const { rows } = await db.execute<{ words: string; ids: string[] }>(sql`
    select ${textWords} as words, array_agg(${questions.id}::text) as ids
    from ${questions} join ${questionVersions} on ${currentVersion}
    where ${isComparedIn(reach, quizId)} and ${questionVersions.details} ->> 'format' = 'markdown'
    group by words`);
  return new Map(rows.map(({ words, ids }) => [words, ids]));
}

/**
 * Groups of questions whose texts have the same words, the oldest first; each within the bank or within
 * one assessment, as copies in other assessments are meant to be there.
 */
export async function listIdsWithSameWords(db: Queryable, reach: Reach): Promise<string[][]> {
  const { rows } = await db.execute<{ ids: string[] }>(sql`
    select array_agg(${questions.id}::text order by ${questions.id}) as ids
    from ${questions} join ${questionVersions} on ${currentVersion}
    where ${and(isVisible, isNull(questions.archivedAt), questionWithin(reach))}
    group by ${questions.quizId}, ${textWords}
    having count(*) > 1
    order by min(${questions.id}::text)`);
  return rows.map(({ ids }) => ids);
}

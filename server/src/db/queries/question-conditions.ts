import {
  QUESTION_TYPES,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import { TYPES } from '@invigil/core/domain/questions/types/question-types';
import { type SQL, sql } from 'drizzle-orm';
import { questions, questionVersions, quizzes } from '../schema/assessments.ts';

/**
 * A question is in the bank unless it is deleted, or is an own question of a deleted assessment. Without the first
 * half of `or`, PostgreSQL takes a bank in which most belong to no assessment for an empty one, and sorts all of it for
 * a page.
 */
export const isVisible = sql`(${questions.deletedAt} is null and (${questions.quizId} is null or not exists (
  select from ${quizzes} owner
  where owner.id = ${questions.quizId} and owner.archived_at is not null)))`;

/** The types of questions for which it holds, as a list of SQL. */
export function typesThat(holds: (type: QuestionType) => boolean): SQL {
  return sql.raw(
    `(${QUESTION_TYPES.filter(holds)
      .map((type) => `'${type}'`)
      .join(', ')})`,
  );
}

/** Whether nothing is accepted, by type, where a key has accepted answers. */
const noneAccepted = QUESTION_TYPES.flatMap((type) => {
  const { keyField } = TYPES[type];
  if (keyField === null) return [];
  const key = sql`${questionVersions.details} -> ${sql.raw(`'${keyField}'`)}`;
  return sql`when ${sql.raw(`'${type}'`)} then jsonb_array_length(coalesce(${key} -> 'accepted', '[]')) = 0`;
});

/** A draft has nothing that is right or accepted, or an item without an answer: the rule of `isDraft` in core. */
export const isDraft = sql<boolean>`(${questionVersions.details} is not null and case ${questionVersions.details} ->> 'type'
  ${sql.join(noneAccepted, sql` `)}
  when 'matching' then ${questionVersions.details} @> '{"options": [{"match": null}]}'
  when 'ordering' then false
  else not ${questionVersions.details} @> '{"options": [{"isCorrect": true}]}' end)`;

/** The order of options counts in these types. */
const orderKeys = typesThat((type) => TYPES[type].isOrderKey);

/** The same for versions with the same content and key, as they are written. */
export const contentKey = sql<string>`md5(jsonb_build_array(
  ${questionVersions.question}, ${questionVersions.details} - 'options',
  (select jsonb_agg(option order by option) from (
    select jsonb_build_array(o.text, coalesce(
      ${questionVersions.details} -> 'options' -> (o.n::int - 1),
      to_jsonb(${questionVersions.optionIds}[o.n::int] = ${questionVersions.correctOptionId})),
      case when ${questionVersions.details} ->> 'type' in ${orderKeys} then o.n end) as option
    from unnest(${questionVersions.optionTexts}) with ordinality as o (text, n)) options))::text)`;

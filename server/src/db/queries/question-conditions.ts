import { sql } from 'drizzle-orm';
import { questions, questionVersions, quizzes } from '../schema/assessments.ts';

/** A question is in the bank unless it is deleted, or is an own question of a deleted assessment. */
export const isVisible = sql`(${questions.deletedAt} is null and not exists (
  select from ${quizzes} owner
  where owner.id = ${questions.quizId} and owner.archived_at is not null))`;

/** A draft has nothing that is right or accepted: the rule of `isDraft` in core. */
export const isDraft = sql<boolean>`(${questionVersions.details} is not null and case ${questionVersions.details} ->> 'type'
  when 'numeric' then jsonb_array_length(coalesce(${questionVersions.details} -> 'numeric' -> 'accepted', '[]')) = 0
  when 'short_text' then jsonb_array_length(coalesce(${questionVersions.details} -> 'shortText' -> 'accepted', '[]')) = 0
  else not ${questionVersions.details} @> '{"options": [{"isCorrect": true}]}' end)`;

/** The same for versions with the same content and key, as they are written. */
export const contentKey = sql<string>`md5(jsonb_build_array(
  ${questionVersions.question}, ${questionVersions.details} - 'options',
  (select jsonb_agg(option order by option) from (
    select jsonb_build_array(o.text, coalesce(
      ${questionVersions.details} -> 'options' -> (o.n::int - 1),
      to_jsonb(${questionVersions.optionIds}[o.n::int] = ${questionVersions.correctOptionId}))) as option
    from unnest(${questionVersions.optionTexts}) with ordinality as o (text, n)) options))::text)`;

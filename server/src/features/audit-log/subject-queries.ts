import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/database.ts';

interface Subject {
  subjectType: string | null;
  subjectId: string | null;
}

/**
 * The names of what entries are about, looked up when they are read, because the log holds only ids
 * (product 9). A deleted row has no name.
 *
 * @param unknown the name of an erased person
 */
export async function readSubjectNames(
  db: Queryable,
  entries: readonly Subject[],
  unknown: string,
): Promise<Map<string, string>> {
  const of = (type: string) =>
    sql.param(
      entries.flatMap(({ subjectType, subjectId }) =>
        subjectType === type && subjectId !== null ? [subjectId] : [],
      ),
    );
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select id, title as name from quizzes where id = any (${of('quiz')}::uuid[])
    union all
    select id, name from categories where id = any (${of('category')}::uuid[])
    union all
    select id, email from admins where id = any (${of('admin')}::uuid[])
    union all
    select id, coalesce(email, ${unknown}) from users where id = any (${of('user')}::uuid[])
    union all
    select p.id, concat(coalesce(u.email, ${unknown}), ', ', q.title)
    from participants p join users u on u.id = p.user_id join quizzes q on q.id = p.quiz_id
    where p.id = any (${of('participant')}::uuid[])
    union all
    select i.id, concat(coalesce(u.email, ${unknown}), ', ', q.title)
    from invitations i join users u on u.id = i.user_id join quizzes q on q.id = i.quiz_id
    where i.id = any (${of('invitation')}::uuid[])
    union all
    select s.id, concat_ws(', ', left(v.question, 80), q.title)
    from questions s left join quizzes q on q.id = s.quiz_id
    join question_versions v on v.question_id = s.id and v.version = s.current_version
    where s.id = any (${of('question')}::uuid[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

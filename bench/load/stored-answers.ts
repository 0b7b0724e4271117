import type { Acknowledged, StoredAnswer } from './lost-answers.ts';
import type { LoadSystem } from './system.ts';

/** Batch size, in attempts. */
const AT_A_TIME = 1_000;

/** Reads the stored answers of these attempts. */
export async function readStored(
  { pool }: LoadSystem,
  of: readonly Acknowledged[],
): Promise<StoredAnswer[]> {
  const all: StoredAnswer[][] = [];
  for (let from = 0; from < of.length; from += AT_A_TIME) {
    const ids = of.slice(from, from + AT_A_TIME).map(({ participantId }) => participantId);
    const { rows } = await pool.query<StoredAnswer>(STORED_SQL, [ids]);
    all.push(rows);
  }
  return all.flat();
}

/** The text of every option is "Option" and its letter. */
const STORED_SQL = `
select a.participant_id as "participantId", a.question_id as "questionId", a.revision,
  coalesce(substr(v.option_texts[array_position(v.option_ids, a.option_id)], 8, 1), '') as letter
from answers a
join paper_questions p on p.participant_id = a.participant_id and p.question_id = a.question_id
join question_versions v on v.question_id = p.question_id and v.version = p.question_version
where a.participant_id = any ($1::uuid[])`;

/** How many of these attempts were submitted by their candidate, with one event each. */
export async function countEnded(
  { pool }: LoadSystem,
  of: readonly Acknowledged[],
): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(
    `select count(*) as n from participants p
     join participant_events e on e.participant_id = p.id and e.kind = 'ended'
     where p.id = any ($1::uuid[]) and p.status = 'completed' and p.submission_type = 'manual'`,
    [of.map(({ participantId }) => participantId)],
  );
  return Number(rows[0]?.n);
}

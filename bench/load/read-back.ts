import type { RunningPostgres } from '../running-postgres.ts';
import { type LoadQuestion, letterOf } from './requests.ts';

/** Acknowledged revisions of one candidate by the question's position, 0 for none. */
export interface Acknowledged {
  participantId: string;
  revisions: number[];
}

/** A stored answer: its revision and the letter of the selected option. */
export interface StoredAnswer {
  participantId: string;
  questionId: string;
  revision: number;
  letter: string;
}

/**
 * Lost acknowledged answers, one line each: no row, an older revision, or another option under the same
 * one. A newer revision is no loss: its response may have been lost.
 */
export function lostAnswers(
  acknowledged: readonly Acknowledged[],
  questionIds: readonly string[],
  stored: readonly StoredAnswer[],
): string[] {
  const found = new Map(stored.map((row) => [`${row.participantId}/${row.questionId}`, row]));
  return acknowledged.flatMap(({ participantId, revisions }) =>
    revisions.flatMap((revision, place) => {
      if (revision === 0) return [];
      const row = found.get(`${participantId}/${questionIds[place]}`);
      const what = `${participantId}, question ${place + 1}: revision ${revision}`;
      if (!row) return [`${what} was acknowledged, nothing is stored`];
      if (row.revision < revision) {
        return [`${what} was acknowledged, ${row.revision} is stored`];
      }
      if (row.revision === revision && row.letter !== letterOf(revision)) {
        return [`${what} selected ${letterOf(revision)}, ${row.letter} is stored`];
      }
      return [];
    }),
  );
}

const AT_A_TIME = 1_000;

/** Reads the stored answers of all candidates; counts the acknowledged newest ones and lists the lost. */
export async function readBack(
  postgres: RunningPostgres,
  acknowledged: readonly Acknowledged[],
  questions: readonly LoadQuestion[],
): Promise<{ answers: number; lost: string[] }> {
  const newest = acknowledged.flatMap(({ revisions }) => revisions.filter((r) => r > 0));
  const stored = await readStored(postgres, acknowledged);
  const ids = questions.map(({ id }) => id);
  return { answers: newest.length, lost: lostAnswers(acknowledged, ids, stored) };
}

async function readStored(
  { pool }: RunningPostgres,
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

import { readFileSync } from 'node:fs';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { print } from '../benchmark.ts';
import type { RunningPostgres } from '../running-postgres.ts';

const PEOPLE = 40_000;
/** In steps, so that no statement sorts on disk for long. */
const STEP = 10_000;

/** References not checked during loading: `child (columns) references parent (columns)`. */
const REFERENCES = [
  ['answers', 'participant_id, question_id', 'paper_questions', 'participant_id, question_id'],
  ['paper_questions', 'participant_id', 'participants', 'id'],
  ['paper_questions', 'question_id, question_version', 'question_versions', 'question_id, version'],
  ['participants', 'invitation_id, user_id, quiz_id', 'invitations', 'id, user_id, quiz_id'],
  ['participants', 'quiz_id, policy_version', 'quiz_policies', 'quiz_id, version'],
  ['participant_events', 'participant_id', 'participants', 'id'],
  ['invitations', 'user_id', 'users', 'id'],
  ['outbox', 'invitation_id', 'invitations', 'id'],
] as const;

/** Loads the rows that do not grow. */
export async function loadFixedRows(postgres: RunningPostgres): Promise<void> {
  await postgres.query(read('fixed-rows.sql'));
}

/** Loads attempts number `from` up to, not including, `to` of `all`; returns the seconds it took. */
export async function loadAttempts(
  postgres: RunningPostgres,
  range: { from: number; to: number; all: number },
): Promise<number> {
  const began = performance.now();
  const template = read('attempts.sql')
    .replaceAll('$people', String(PEOPLE))
    .replaceAll('$grace', String(ATTEMPT_LIMITS.graceMs));
  for (let from = range.from; from < range.to; from += STEP) {
    const to = Math.min(range.to, from + STEP);
    await postgres.query(
      template
        .replaceAll('$from', String(from))
        .replaceAll('$to', String(to))
        .replaceAll('$all', String(range.all)),
    );
  }
  await postgres.query('vacuum (analyze)');
  await postgres.query('checkpoint');
  const seconds = Math.round((performance.now() - began) / 1_000);
  print(`Loaded attempts ${range.from} to ${range.to} in ${seconds} s.`);
  return seconds;
}

/**
 * Checks that loaded rows are as valid as the server's: references resolve, scores match the answers.
 */
export async function requireValid(postgres: RunningPostgres): Promise<void> {
  for (const [child, columns, parent, keys] of REFERENCES) {
    const on = columns
      .split(', ')
      .map((column, i) => `c.${column} = p.${keys.split(', ')[i] ?? ''}`)
      .join(' and ');
    await requireNone(
      postgres,
      `${child} (${columns})`,
      `from ${child} c where not exists (select from ${parent} p where ${on})`,
    );
  }
  await requireNone(
    postgres,
    'scores',
    `from (
      select p.id from participants p
      join paper_questions q on q.participant_id = p.id
      join question_versions v on v.question_id = q.question_id and v.version = q.question_version
      join answers a on a.participant_id = p.id and a.question_id = q.question_id
      where p.score is not null
      group by p.id
      having count(*) filter (where a.option_id = v.correct_option_id) <> p.score
    ) wrong`,
  );
}

async function requireNone(postgres: RunningPostgres, what: string, sql: string): Promise<void> {
  const n = await postgres.count(`select count(*) as n ${sql}`);
  if (n > 0) throw new Error(`loading created ${n} invalid rows: ${what}`);
}

function read(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
}

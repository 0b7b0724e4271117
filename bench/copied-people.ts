import { randomUUID } from 'node:crypto';
import { newId } from '../server/src/db/new-id.ts';
import type { Keys } from '../server/src/security/keys.ts';
import { hashOneTimeCode, newOneTimeCode } from '../server/src/security/secrets/codes.ts';
import { hashSessionToken, newSessionToken } from '../server/src/security/secrets/tokens.ts';
import type { RunningPostgres } from './running-postgres.ts';

/** Someone with an invitation, and perhaps with an attempt and the session that holds it. */
export interface CopiedPerson {
  email: string;
  code: string;
  cookie: string;
  participantId: string;
}

/** A table with rows of one person: those of the first (`f`), and what differs for another (`w`). */
const COPIED: readonly [table: string, rows: string, differs: string][] = [
  ['users', 't.id = f.user_id', `'id', w.user_id, 'email', w.email`],
  ['invitations', 't.id = f.invitation_id', `'id', w.invitation_id, 'user_id', w.user_id`],
  [
    'invitation_codes',
    't.invitation_id = f.invitation_id',
    `'id', gen_random_uuid(), 'invitation_id', w.invitation_id, 'code_hash', w.code`,
  ],
  [
    'sessions',
    't.id = f.session_id',
    `'id', w.session_id, 'invitation_id', w.invitation_id, 'token_hash', w.token`,
  ],
  [
    'participants',
    't.id = f.participant_id',
    `'id', w.id, 'user_id', w.user_id, 'invitation_id', w.invitation_id, 'session_id', w.session_id`,
  ],
  ...['participant_events', 'answers'].map((table): [string, string, string] => [
    table,
    't.participant_id = f.participant_id',
    `'id', gen_random_uuid(), 'participant_id', w.id`,
  ]),
  ['paper_questions', 't.participant_id = f.participant_id', `'participant_id', w.id`],
];

/** @param columns of each table, without those that the database generates */
const copyStatement = (columns: ReadonlyMap<string, string>) => `with f as materialized (
    select i.id as invitation_id, i.user_id, p.id as participant_id, p.session_id
    from invitations i join users u on u.id = i.user_id
      left join participants p on p.invitation_id = i.id
    where u.email = $1
  ), w as materialized (
    select email, code, token, id, gen_random_uuid() as user_id, gen_random_uuid() as invitation_id,
      gen_random_uuid() as session_id
    from unnest($2::text[], $3::bytea[], $4::bytea[], $5::uuid[]) as p (email, code, token, id)
  ), ${COPIED.map(
    ([table, rows, differs]) => `copied_${table} as (insert into ${table} (${columns.get(table)})
    select ${columns.get(table)} from (select r.* from f, w, ${table} t,
      lateral jsonb_populate_record(t, jsonb_build_object(${differs})) r where ${rows}) as copies)`,
  ).join(', ')}
  select 1`;

const COLUMNS_SQL = `
  select table_name as table, string_agg(quote_ident(column_name), ', ') as columns
  from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'
  group by table_name`;

const AT_A_TIME = 2_000;

/**
 * Copies the person with this address for others, with whatever they have: an invitation and its code, a session,
 * an attempt with its paper and answers. The server makes the first one, so that the others are what it makes.
 */
export async function copyPerson(
  { pool }: RunningPostgres,
  keys: Keys,
  email: string,
  many: number,
): Promise<CopiedPerson[]> {
  const group = randomUUID().slice(0, 8);
  const people = Array.from({ length: many }, (_, i) => ({
    ...{ email: `copy-${group}-${i}@example.org`, code: newOneTimeCode() },
    ...{ token: newSessionToken(), participantId: newId() },
  }));
  const { rows } = await pool.query<{ table: string; columns: string }>(COLUMNS_SQL);
  const statement = copyStatement(new Map(rows.map(({ table, columns }) => [table, columns])));
  for (let from = 0; from < many; from += AT_A_TIME) {
    const some = people.slice(from, from + AT_A_TIME);
    await pool.query(statement, [
      email,
      some.map((person) => person.email),
      some.map(({ code }) => hashOneTimeCode(keys.codes, code)),
      some.map(({ token }) => hashSessionToken(keys.sessions, token)),
      some.map(({ participantId }) => participantId),
    ]);
  }
  await pool.query(`analyze ${COPIED.map(([table]) => table).join(', ')}`);
  return people.map(({ token, ...person }) => ({ ...person, cookie: `invigil_session=${token}` }));
}

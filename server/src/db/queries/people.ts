import type { Reach } from '@invigil/core/domain/rights';
import type { MailProblemCode } from '@invigil/core/texts/mail-problems';
import {
  type AnyColumn,
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { type Queryable, runNamed, type Tx } from '../database.ts';
import { portionsOf } from '../portions.ts';
import { certificates, participantEvents, participants } from '../schema/attempts.ts';
import { type Entered, invitationCodes, invitations, users } from '../schema/invitations.ts';
import { outbox } from '../schema/mail.ts';
import { feedback, participantMessages, violations } from '../schema/monitoring.ts';
import { sessions } from '../schema/sessions.ts';
import { ofQuizWithin } from './places.ts';
import { storeSchedules } from './schedules.ts';
import { endSessions } from './session-changes.ts';

export async function findUser(db: Queryable, id: string) {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

/** The tag of a person's language; empty: unknown. */
export async function findPersonLanguage(db: Queryable, id: string): Promise<string> {
  const [row] = await db.select({ language: users.language }).from(users).where(eq(users.id, id));
  return row?.language ?? '';
}

export async function lockUser(tx: Tx, id: string) {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return row;
}

/**
 * Locks a person's rows in the order in which an action on one attempt or invitation does: first that
 * row, then the person. Invitations are locked so that others may still reference them: an end that has
 * locked its attempt writes a message about its invitation.
 */
export async function lockAllOf(tx: Tx, userId: string): Promise<void> {
  await lockInvitationsOf(tx, userId, 'all');
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.userId, userId))
    .orderBy(asc(participants.id))
    .for('update');
}

/** A person without the text for searches. */
export type PersonRow = Omit<typeof users.$inferSelect, 'searchText'>;
/** A person to be stored, with the seal. */
export type NewPerson = PersonRow & { seal: Buffer };

/** People written together: their rows are converted in one piece, and others wait for it. */
const AT_ONCE = 1_000;

const LOCK_PEOPLE_SQL = `
select id, email, given_name as "givenName", family_name as "familyName", external_id as "externalId",
  language, groups, fields, extra_time as "extraTime", note, former_emails as "formerEmails", sealed_key as "sealedKey",
  entered_for as "enteredFor", created_at as "createdAt", seal
from users
where id = any ($1::uuid[]) or lower(email) = any ($2::text[]) or external_id = any ($3::text[])
order by id for no key update`;

/**
 * People with one of these ids, address keys or numbers, locked in the order of their ids: who changes two
 * people at a time locks both with one call, or the reverse change would deadlock. Rows are converted as they
 * arrive, so that ten thousand keep no one waiting.
 */
export const lockPeople = (
  tx: Tx,
  {
    ids = [],
    keys = [],
    externalIds = [],
  }: { ids?: string[]; keys?: string[]; externalIds?: string[] },
): Promise<PersonRow[]> =>
  runNamed<PersonRow>(tx, {
    name: 'lock-people',
    text: LOCK_PEOPLE_SQL,
    values: [ids, keys, externalIds],
  });

/** `n`: rows as a table. One parameter a column: with one a cell, ten thousand rows have too many. */
const asTable = (rows: readonly PersonRow[]) => {
  const of = (column: keyof PersonRow) => sql.param(rows.map((row) => row[column]));
  return sql`unnest(${of('id')}::uuid[], ${of('givenName')}::text[], ${of('familyName')}::text[],
      ${of('externalId')}::text[], ${of('language')}::text[],
      ${sql.param(rows.map(({ groups }) => JSON.stringify(groups)))}::jsonb[],
      ${sql.param(rows.map(({ fields }) => JSON.stringify(fields)))}::jsonb[],
      ${sql.param(rows.map(({ formerEmails }) => JSON.stringify(formerEmails)))}::jsonb[],
      ${of('extraTime')}::smallint[],
      ${of('email')}::text[], ${of('createdAt')}::timestamptz[], ${of('enteredFor')}::uuid[],
      ${of('seal')}::bytea[])
      as n(id, given, family, external, language, groups, fields, former, extra_time, email, created_at, entered_for, seal)`;
};

/** @param isIfNew whoever has one of the addresses already stays as they are */
export async function insertPeople(
  tx: Tx,
  rows: readonly NewPerson[],
  { isIfNew = false } = {},
): Promise<void> {
  for (const portion of portionsOf(rows, AT_ONCE)) await insertPortion(tx, portion, isIfNew);
}

async function insertPortion(tx: Tx, rows: readonly NewPerson[], isIfNew: boolean): Promise<void> {
  await tx.execute(sql`
    insert into ${users} (id, email, given_name, family_name, external_id, language, groups, fields,
      extra_time, created_at, entered_for, seal)
    select n.id, n.email, n.given, n.family, n.external, n.language,
      array(select jsonb_array_elements_text(n.groups)), n.fields, n.extra_time, n.created_at, n.entered_for, n.seal
    from ${asTable(rows)} ${isIfNew ? sql`on conflict do nothing` : sql``}`);
}

/** Changes people, who are locked, with their seals. */
export async function changePeople(tx: Tx, rows: readonly PersonRow[]): Promise<void> {
  for (const portion of portionsOf(rows, AT_ONCE)) await changePortion(tx, portion);
}

async function changePortion(tx: Tx, rows: readonly PersonRow[]): Promise<void> {
  await tx.execute(sql`
    update ${users} set given_name = n.given, family_name = n.family, external_id = n.external,
      language = n.language, groups = array(select jsonb_array_elements_text(n.groups)),
      fields = n.fields, extra_time = n.extra_time, email = n.email,
      former_emails = array(select jsonb_array_elements_text(n.former)), entered_for = n.entered_for, seal = n.seal
    from ${asTable(rows)}
    where ${users.id} = n.id`);
  await storeSchedules(tx, { userIds: rows.map(({ id }) => id) });
}

/** Takes the numbers of locked people, so that others can get them before theirs are written. */
export async function takeNumbers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(users)
    .set({ externalId: null })
    .where(inArray(users.id, [...ids]));
}

export async function changePerson(
  tx: Tx,
  id: string,
  set: Partial<Omit<PersonRow, 'id' | 'createdAt' | 'sealedKey'>>,
): Promise<void> {
  if (Object.keys(set).length > 0) await tx.update(users).set(set).where(eq(users.id, id));
  if (set.groups) await storeSchedules(tx, { userIds: [id] });
}

/** The locked people who were entered by someone with a limited reach. */
export async function listEnteredFor(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), isNotNull(users.enteredFor)));
  return rows.map(({ id }) => id);
}

/** The extra time that is kept of some people, in percent; who has none is left out. */
export async function listExtraTime(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .select({ id: users.id, extraTime: users.extraTime })
    .from(users)
    .where(and(inArray(users.id, [...ids]), gt(users.extraTime, 0)));
  return new Map(rows.map(({ id, extraTime }) => [id, extraTime]));
}

/** Makes locked people the installation's, as when someone whose reach covers all people invites them. */
export async function adoptPeople(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(users)
    .set({ enteredFor: null })
    .where(inArray(users.id, [...ids]));
}

/** The locked people whom an editor with a limited reach may correct: entered there, invited nowhere else. */
export async function listOwnPeople(
  tx: Tx,
  reach: Reach,
  ids: readonly string[],
): Promise<PersonRow[]> {
  const within = (quizId: SQLWrapper) => ofQuizWithin(reach, quizId) ?? sql`true`;
  return tx
    .select()
    .from(users)
    .where(
      and(
        inArray(users.id, [...ids]),
        within(users.enteredFor),
        sql`not exists (select from ${invitations} i
          where i.user_id = ${users}.id and not ${within(sql`i.quiz_id`)})`,
      ),
    )
    .orderBy(asc(users.id));
}

/** Stores what was typed about the people of some invitations, which are locked. */
export async function setEntered(
  tx: Tx,
  rows: readonly { id: string; entered: Partial<Entered> | null }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update ${invitations} set entered = n.entered
    from unnest(${sql.param(rows.map(({ id }) => id))}::uuid[],
      ${sql.param(rows.map(({ entered }) => entered && JSON.stringify(entered)))}::jsonb[]) as n(id, entered)
    where ${invitations.id} = n.id`);
  await storeSchedules(tx, { invitationIds: rows.map(({ id }) => id) });
}

/**
 * Deletes what people have in fields that are no more. Locks invitations by person, then people, as those do
 * who invite many or correct one: in the order of a scan, both would wait for each other.
 */
export async function dropFields(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const gone = sql`${sql.param([...ids])}::text[]`;
  await tx.execute(sql`
    with locked as materialized (select id from ${invitations} where entered -> 'fields' ?| ${gone}
      order by user_id, id for no key update)
    update ${invitations} set entered = jsonb_set(entered, '{fields}', (entered -> 'fields') - ${gone})
    from locked where ${invitations.id} = locked.id`);
  await tx.execute(sql`
    with locked as materialized (select id from ${users} where fields ?| ${gone}
      order by id for no key update)
    update ${users} set fields = fields - ${gone} from locked where ${users.id} = locked.id`);
}

/** A person's invitations to assessments in reach, locked in the order of an erasure: before the person. */
export function lockInvitationsOf(tx: Tx, userId: string, reach: Reach) {
  return tx
    .select({ id: invitations.id, entered: invitations.entered })
    .from(invitations)
    .where(and(eq(invitations.userId, userId), ofQuizWithin(reach, invitations.quizId)))
    .orderBy(asc(invitations.id))
    .for('no key update');
}

export async function setSealedKey(tx: Tx, id: string, sealedKey: Buffer): Promise<void> {
  await tx.update(users).set({ sealedKey }).where(eq(users.id, id));
}

export function listSealedKeys(db: Queryable, ids: string[]) {
  return db
    .select({ id: users.id, sealedKey: users.sealedKey })
    .from(users)
    .where(inArray(users.id, ids));
}

export function listInvitationsOf(db: Queryable, userId: string) {
  return db
    .select()
    .from(invitations)
    .where(eq(invitations.userId, userId))
    .orderBy(asc(invitations.createdAt));
}

/** All mail to a person, oldest first. */
export function listMailTo(db: Queryable, userId: string) {
  return db
    .select({
      kind: outbox.kind,
      quizId: invitations.quizId,
      recipient: outbox.recipient,
      subject: outbox.subject,
      variables: outbox.variables,
      /** An administrator's own texts in a message. */
      message: sql<string | null>`${outbox.variables} ->> 'message'`,
      state: outbox.state,
      createdAt: outbox.createdAt,
      sentAt: outbox.sentAt,
    })
    .from(outbox)
    .innerJoin(invitations, eq(invitations.id, outbox.invitationId))
    .where(eq(invitations.userId, userId))
    .orderBy(asc(outbox.createdAt), asc(outbox.id));
}

export async function isTakingATest(tx: Tx, userId: string): Promise<boolean> {
  const running = and(eq(participants.userId, userId), eq(participants.status, 'in_progress'));
  return (await tx.$count(participants, running)) > 0;
}

/** Replaces the address that a message went to. No address is like it. */
export const ERASED_RECIPIENT = 'Unknown';

/** Replaces an administrator's own subject of a message, which may name the person. */
export const ERASED = 'Erased';

/** The keys of events about the assessment, not the person; all others are erased. */
const EVENT_FACTS = ['from', 'type', 'submissionType', 'minutes', 'how'];

/** A JSON document reduced to these keys, a list of texts. */
function only(document: AnyColumn, keys: SQL): SQL {
  return sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${document})
    where ${keys} ? key)`;
}

/**
 * Erases what identifies a person: address, mail and administrators' texts in it, consent address, device
 * details, free text, and the key of the audit log's entries about them. docs/erasure.md decides about
 * every column; a test compares both. Attempts and scores stay, without a name. Codes and sessions end.
 *
 * @param keptParams what stays of the parameters of mail, by its kind
 */
export async function erasePersonalData(
  tx: Tx,
  userId: string,
  keptParams: Readonly<Record<string, readonly string[]>>,
  now: Date,
): Promise<void> {
  const own = tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(eq(invitations.userId, userId));
  const attempts = tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.userId, userId));
  await tx
    .update(invitationCodes)
    .set({ revokedAt: now })
    .where(and(inArray(invitationCodes.invitationId, own), isNull(invitationCodes.revokedAt)));
  await endSessions(tx, inArray(sessions.invitationId, own), now);
  await tx
    .update(outbox)
    .set({
      recipient: ERASED_RECIPIENT,
      subject: sql`case when ${outbox.variables} ->> 'subject' is null then ${outbox.subject}
        else ${ERASED} end`,
      variables: only(
        outbox.variables,
        sql`(${JSON.stringify(keptParams)}::jsonb -> ${outbox.kind})`,
      ),
      sealedCode: null,
      lastError: sql`case when ${outbox.state} = 'sent' then null else ${'person_erased' satisfies MailProblemCode} end`,
      lastReply: null,
      state: sql`case when ${outbox.state} = 'sent' then 'sent' else 'failed' end`,
      nextAttemptAt: null,
      claimedUntil: null,
    })
    .where(inArray(outbox.invitationId, own));
  await tx
    .update(participantMessages)
    .set({ text: '' })
    .where(inArray(participantMessages.participantId, attempts));
  await tx
    .update(violations)
    .set({ notes: null, engine: null, candidateNote: null })
    .where(inArray(violations.participantId, attempts));
  await tx
    .update(participantEvents)
    .set({ details: only(participantEvents.details, sql`${JSON.stringify(EVENT_FACTS)}::jsonb`) })
    .where(
      and(inArray(participantEvents.participantId, attempts), isNotNull(participantEvents.details)),
    );
  await tx.delete(certificates).where(inArray(certificates.participantId, attempts));
  await tx.update(feedback).set({ text: null }).where(inArray(feedback.participantId, attempts));
  await tx
    .update(participants)
    .set({
      ...{ consentAddress: null, device: null, deviceCheck: null, pauseReason: null },
      ...{ note: '', verdictNote: '' },
    })
    .where(eq(participants.userId, userId));
  await tx
    .update(invitations)
    .set({ entered: null, ownTimes: null })
    .where(eq(invitations.userId, userId));
  await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.userId, userId), isNull(invitations.revokedAt)));
  await tx
    .update(users)
    .set({
      ...{ email: null, sealedKey: null, givenName: '', familyName: '', externalId: null },
      ...{ groups: [], language: '', fields: {}, extraTime: 0, note: '', formerEmails: [] },
      enteredFor: null,
    })
    .where(eq(users.id, userId));
  await storeSchedules(tx, { userIds: [userId] });
}

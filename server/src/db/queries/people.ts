import {
  type AnyColumn,
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from 'drizzle-orm';
import { containsPattern } from '../contains.ts';
import type { Queryable, Tx } from '../database.ts';
import { certificates, participantEvents, participants } from '../schema/attempts.ts';
import { invitationCodes, invitations, users } from '../schema/invitations.ts';
import { outbox } from '../schema/mail.ts';
import { feedback, participantMessages, violations } from '../schema/monitoring.ts';
import { sessions } from '../schema/sessions.ts';

/** What lists show of a person beside the address. */
export const personColumns = {
  givenName: users.givenName,
  familyName: users.familyName,
  externalId: users.externalId,
  groups: users.groups,
  fields: users.fields,
};
export type PersonColumns = Pick<typeof users.$inferSelect, keyof typeof personColumns>;

/** Someone's family name, else the one name, else the address: what lists are ordered by. */
export const nameToSortBy = sql`coalesce(nullif(${users.familyName}, ''),
  nullif(${users.givenName}, ''), ${users.email}) collate "und-x-icu"`;

/** Columns of a file, behind the others where more than the address is known of anyone. */
export const KNOWN_COLUMNS: [head: string, cell: (person: PersonColumns) => string][] = [
  ['Given Name', ({ givenName }) => givenName],
  ['Family Name', ({ familyName }) => familyName],
  ['Number', ({ externalId }) => externalId ?? ''],
  ['Groups', ({ groups }) => groups.join('; ')],
];

/** Whether more than the address is known of a row of `users`. */
export const isKnown = sql`(${users.givenName} <> '' or ${users.familyName} <> ''
  or ${users.externalId} is not null or ${users.groups} <> '{}' or ${users.fields} <> '{}')`;

/** Address, name in either order, number, a group or a field contains the text, which is taken literally. */
export const personContains = (search: string): SQL =>
  sql`${users.searchText} like ${containsPattern(search)}`;

export async function findUser(db: Queryable, id: string) {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
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
  await tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(eq(invitations.userId, userId))
    .orderBy(asc(invitations.id))
    .for('no key update');
  await tx
    .select({ id: participants.id })
    .from(participants)
    .where(eq(participants.userId, userId))
    .orderBy(asc(participants.id))
    .for('update');
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
  const rows = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.userId, userId), eq(participants.status, 'in_progress')))
    .limit(1);
  return rows.length === 1;
}

/** The keys of messages and events about the assessment, not the person; all others are erased. */
const MAIL_FACTS = [
  'title',
  'durationMinutes',
  'endDate',
  'codeUntil',
  'timeZone',
  'signInUrl',
  'verifyUrl',
];
const EVENT_FACTS = ['from', 'type', 'submissionType', 'minutes', 'how'];

/** A JSON document reduced to these keys. */
function only(document: AnyColumn, keys: readonly string[]): SQL {
  return sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${document})
    where key = any (${sql.param([...keys])}::text[]))`;
}

/**
 * Erases what identifies a person: address, mail and administrators' texts in it, consent address, device
 * details, free text, and the key of the audit log's entries about them. docs/erasure.md decides about
 * every column; a test compares both. Attempts and scores stay, without a name. Codes and sessions end.
 */
export async function erasePersonalData(tx: Tx, userId: string, now: Date): Promise<void> {
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
  await tx
    .update(sessions)
    .set({ endedAt: now, endReason: 'signed_out' })
    .where(and(inArray(sessions.invitationId, own), isNull(sessions.endedAt)));
  await tx
    .update(outbox)
    .set({
      recipient: 'Unknown',
      // An administrator's own text may name the person.
      subject: sql`case when ${outbox.variables} ->> 'subject' is null then ${outbox.subject}
        else 'Erased' end`,
      variables: only(outbox.variables, MAIL_FACTS),
      sealedCode: null,
      lastError: sql`case when ${outbox.state} = 'sent' then null else 'The person was erased' end`,
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
    .set({ details: only(participantEvents.details, EVENT_FACTS) })
    .where(
      and(inArray(participantEvents.participantId, attempts), isNotNull(participantEvents.details)),
    );
  await tx.delete(certificates).where(inArray(certificates.participantId, attempts));
  await tx.update(feedback).set({ text: null }).where(inArray(feedback.participantId, attempts));
  await tx
    .update(participants)
    .set({ consentAddress: null, device: null, deviceCheck: null, note: '', verdictNote: '' })
    .where(eq(participants.userId, userId));
  await tx
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.userId, userId), isNull(invitations.revokedAt)));
  await tx
    .update(users)
    .set({
      ...{ email: null, sealedKey: null, givenName: '', familyName: '', externalId: null },
      ...{ groups: [], language: '', fields: {}, note: '', formerEmails: [] },
    })
    .where(eq(users.id, userId));
}

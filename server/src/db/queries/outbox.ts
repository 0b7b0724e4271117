import type { MailState } from '@invigil/core/domain/invitation-states';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { foldCase } from '@invigil/core/domain/typed-text';
import type { CanceledCode, MailProblem, MailProblemCode } from '@invigil/core/texts/mail-problems';
import {
  and,
  asc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { beginsPattern, contains } from '../contains.ts';
import { onlyRow, type Queryable, type Tx } from '../database.ts';
import { type Page, readPage } from '../page-window.ts';
import { insertInPortions } from '../portions.ts';
import { quizzes } from '../schema/assessments.ts';
import { participants } from '../schema/attempts.ts';
import { invitations } from '../schema/invitations.ts';
import { outbox } from '../schema/mail.ts';
import { codeUntil } from './codes.ts';
import { mayBeReminded } from './reminders.ts';
import { END_DATE, OPENS_AT, TIMES_COLUMNS } from './schedules.ts';

export type OutboxRow = typeof outbox.$inferSelect;

/** How a subject of a kind of mail begins, where a parameter is set and others are not; stored words follow. */
export interface SubjectForm {
  kind: string;
  set: string | null;
  unset: readonly string[];
  begins: string;
}

const isSet = (param: string) => sql`coalesce(variables ->> ${param}::text, 'false') <> 'false'`;

/** That the subject of a message has a text in which words of its mail are; `null`: none of this form can. */
function hasInSubject(text: string, { kind, set, unset, begins }: SubjectForm): SQL | null {
  const [typed, own] = [foldCase(text), foldCase(begins)];
  const shared = Array.from(own, (_, at) => own.slice(at)).find((end) => typed.startsWith(end));
  if (shared === undefined && !own.includes(typed)) return null;
  const rest = own.includes(typed) ? '' : typed.slice(shared?.length);
  const conditions = [
    sql`kind = ${kind}`,
    sql`fold_case(subject) like ${beginsPattern(rest)}`,
    ...(set === null ? [] : [isSet(set)]),
    ...unset.map((param) => sql`not ${isSet(param)}`),
  ];
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** The filter of the outbox; in a search `%` is a plain character. */
export interface OutboxFilter {
  search?: string | undefined;
  state?: MailState | undefined;
}

function isFound({ search, state }: OutboxFilter, subjects: readonly SubjectForm[]): SQL {
  const found = (text: string) => [
    contains(sql`recipient || ' ' || subject`, text),
    ...subjects.flatMap((form) => hasInSubject(text, form) ?? []),
  ];
  const conditions = [
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(search === undefined || search === ''
      ? []
      : [sql`(${sql.join(found(search), sql` or `)})`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** The newest messages that match; pages beyond the middle are read from the oldest. */
export function pageOutbox(
  db: Queryable,
  page: Page,
  filter: OutboxFilter = {},
  subjects: readonly SubjectForm[] = [],
): Promise<{ rows: OutboxRow[]; total: number }> {
  const where = isFound(filter, subjects);
  return readPage(
    page,
    () => db.$count(outbox, where),
    ({ limit, offset, fromEnd }) => {
      const direction = fromEnd ? sql`asc` : sql`desc`;
      const order = sql`${outbox.createdAt} ${direction}, ${outbox.id} ${direction}`;
      // The index alone finds the page when there is no filter; only the rows of the page are read.
      const ids = sql`select id from ${outbox} where ${where} order by ${order} limit ${limit} offset ${offset}`;
      return db.select().from(outbox).where(sql`${outbox.id} in (${ids})`).orderBy(order);
    },
  );
}

const DELAYED_TRIES = 3;

/** Mail that needs attention: failed in open assessments, or delayed. */
export async function readProblems(db: Queryable, now: Date) {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await db.execute<{ id: string; title: string; failed: number }>(sql`
    select q.id, q.title, count(*)::int as failed
    from outbox o
    join invitations i on i.id = o.invitation_id and i.revoked_at is null
    join quizzes q on q.id = i.quiz_id and q.archived_at is null and q.is_active
      and (q.end_date is null or q.end_date > ${at})
    where o.state = 'failed' and o.kind = 'invitation' and not exists (
      select from outbox n
      where n.invitation_id = o.invitation_id and n.kind = 'invitation'
        and (n.created_at, n.id) > (o.created_at, o.id))
    group by q.id order by failed desc, q.id`);
  const others = await db.execute<{ other: number; delayed: number }>(sql`
    select
      count(*) filter (where state = 'failed' and (kind <> 'invitation' or invitation_id is null)
        and last_error is distinct from ${code('reminder_useless')}
        and created_at > ${at} - interval '7 days')::int as other,
      count(*) filter (where state in ('queued', 'uncertain')
        and attempts >= ${DELAYED_TRIES})::int as delayed
    from outbox where state <> 'sent'`);
  return { quizzes: rows, ...onlyRow(others.rows) };
}

/** How many messages wait to be sent. */
export const countWaiting = (db: Queryable): Promise<number> =>
  db.$count(outbox, isNotNull(outbox.nextAttemptAt));

export async function wasMailDelivered(db: Queryable, since: Date): Promise<boolean> {
  const [row] = await db
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(eq(outbox.state, 'sent'), gt(outbox.sentAt, since)))
    .limit(1);
  return row !== undefined;
}

/** A new message, with its seal. */
export type SealedMessage = typeof outbox.$inferInsert & { seal: Buffer };

/** Stores new messages. An attempt gets one receipt, even when its end is retried. */
export async function insertMessages(tx: Tx, rows: readonly SealedMessage[]): Promise<void> {
  await insertInPortions(tx, outbox, rows, { isIfNew: true });
}

export function listMessages(db: Queryable, ids: readonly string[]): Promise<OutboxRow[]> {
  return db
    .select()
    .from(outbox)
    .where(inArray(outbox.id, [...ids]));
}

export async function findMessage(db: Queryable, id: string): Promise<OutboxRow | undefined> {
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  return row;
}

const code = (of: MailProblemCode): string => of;

/** The column values of a canceled message. */
export const canceled = (why: CanceledCode) => ({
  ...{ state: 'failed', nextAttemptAt: null, sealedCode: null },
  ...{ lastError: why, lastReply: null },
});

/** No attempt is in progress on a row of `invitations` that may need its code to continue. */
const NOT_IN_PROGRESS = sql`not exists (
  select from participants p where p.invitation_id = invitations.id and p.status = 'in_progress')`;

/**
 * Due messages whose code is no longer valid are not sent. One that was being sent when its code was
 * replaced or revoked, or its quiz archived, could not be canceled then and may be queued again; without
 * a mail server it may have waited until its code expired. Nor is a reminder sent to someone who has begun since
 * it was queued, or can no longer begin.
 */
async function cancelUselessMessages(db: Queryable, now: Date): Promise<void> {
  const isArchived = sql`(quizzes.archived_at is not null and ${NOT_IN_PROGRESS})`;
  // A code works for a later attempt at any age.
  const isTooOld = sql`(${codeUntil(sql`c.created_at`, END_DATE, OPENS_AT)} < ${now.toISOString()}::timestamptz
    and not exists (select from participants p where p.invitation_id = invitations.id))`;
  // Locked in the order of their ids, as by `lockWaitingOf`; another order could deadlock.
  await db.execute(sql`
    with useless as (
      select o.id, case
        when c.revoked_at is not null then ${code('replaced_or_revoked')}
        when ${isArchived} then ${code('archived')}
        when ${END_DATE} is not null then ${code('assessment_ended')}
        else ${code('password_ended')} end as why
      from outbox o
      join invitation_codes c on c.id = o.code_id
      join invitations on invitations.id = c.invitation_id
      join quizzes on quizzes.id = invitations.quiz_id
      where o.next_attempt_at <= ${now.toISOString()}::timestamptz
        and (c.revoked_at is not null or ${isArchived} or ${isTooOld})
      order by o.id for update of o)
    update outbox o
    set state = 'failed', next_attempt_at = null, sealed_code = null, last_error = u.why,
      last_reply = null
    from useless u where o.id = u.id`);
  await db.execute(sql`
    with useless as (
      select o.id from outbox o
      join invitations on invitations.id = o.invitation_id
      join quizzes on quizzes.id = invitations.quiz_id
      where o.kind = 'reminder' and o.next_attempt_at <= ${now.toISOString()}::timestamptz
        and not coalesce(${mayBeReminded(now)}, false)
      order by o.id for update of o)
    update outbox o
    set state = 'failed', next_attempt_at = null, last_error = ${code('reminder_useless')},
      last_reply = null
    from useless u where o.id = u.id`);
}

/**
 * Locks what still waits for a person, in the order of their ids: the delivery also changes several at a
 * time, and could deadlock. What is being sent is left out.
 */
export async function lockWaitingOf(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select o.id from outbox o join invitations i on i.id = o.invitation_id
    where i.user_id = ${userId} and o.state in ('queued', 'uncertain')
    order by o.id for update of o`);
  return rows.map(({ id }) => id);
}

/** All mail to a person by their invitations. */
export async function listMessageIdsOf(tx: Tx, userId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select o.id from outbox o join invitations i on i.id = o.invitation_id where i.user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/** Sends locked messages to another address. */
export async function redirect(tx: Tx, ids: readonly string[], recipient: string): Promise<void> {
  await tx
    .update(outbox)
    .set({ recipient })
    .where(inArray(outbox.id, [...ids]));
}

/**
 * Cancels the mail with links to set a password and codes of test invitations that no longer work. No
 * process is sending: what is claimed was abandoned.
 */
export async function cancelLinkMail(
  tx: Tx,
  linkKinds: readonly string[],
  why: CanceledCode,
): Promise<void> {
  await tx
    .update(outbox)
    .set({ ...canceled(why), claimedUntil: null })
    .where(
      and(
        inArray(outbox.state, ['queued', 'sending', 'uncertain']),
        or(
          inArray(outbox.kind, [...linkKinds]),
          // A test invitation, which invites no one.
          and(eq(outbox.kind, 'invitation'), isNull(outbox.invitationId)),
        ),
      ),
    );
}

/**
 * Mail about the times of people who have not begun, with what these depend on at this moment, in the order of
 * `lockWaitingOf`.
 */
export async function listDated(db: Queryable, ids: readonly string[], kinds: readonly string[]) {
  const { id, extraTimeFactor } = invitations;
  return db
    .select({
      id: outbox.id,
      createdAt: outbox.createdAt,
      variables: outbox.variables,
      quiz: quizzes,
      times: TIMES_COLUMNS,
      extraTimeFactor,
      hasAttempt: sql<boolean>`exists (select from ${participants} p where p.invitation_id = ${id})`,
    })
    .from(outbox)
    .innerJoin(invitations, eq(invitations.id, outbox.invitationId))
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .where(
      and(
        inArray(outbox.id, [...ids]),
        inArray(outbox.kind, [...kinds]),
        sql`not exists (select from ${participants} p
          where p.invitation_id = ${id} and p.replaced_at is null)`,
      ),
    )
    .orderBy(asc(outbox.id));
}

/** Locks messages, in the order of `lockWaitingOf`. */
export async function lockMessages(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(inArray(outbox.id, [...ids]))
    .orderBy(asc(outbox.id))
    .for('update');
}

/** Gives messages other parameters. */
export async function setParams(
  tx: Tx,
  rows: readonly Pick<OutboxRow, 'id' | 'variables'>[],
): Promise<void> {
  for (const { id, variables } of rows) {
    await tx.update(outbox).set({ variables }).where(eq(outbox.id, id));
  }
}

/** Cancels the waiting invitations to an archived quiz, except where an attempt is in progress. */
export async function cancelMessagesOfArchived(tx: Tx, quizId: string): Promise<void> {
  await tx.execute(sql`
    update outbox o
    set state = 'failed', next_attempt_at = null, sealed_code = null, last_error = ${code('archived')},
      last_reply = null
    from invitations
    where invitations.quiz_id = ${quizId} and o.invitation_id = invitations.id and o.kind = 'invitation'
      and o.state in ('queued', 'uncertain') and ${NOT_IN_PROGRESS}`);
}

/**
 * Makes messages due that wait after a failure: all, or one. Those locked by others are being delivered,
 * canceled or requeued, and are not changed.
 */
export async function hastenMessages(tx: Tx, now: Date, id?: string): Promise<void> {
  const waiting = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(and(gt(outbox.nextAttemptAt, now), id === undefined ? undefined : eq(outbox.id, id)))
    .for('update', { skipLocked: true });
  await tx.update(outbox).set({ nextAttemptAt: now }).where(inArray(outbox.id, waiting));
}

/** Claims due messages for delivery; several processes never claim the same one. */
export async function claimDueMessages(
  db: Queryable,
  most: number,
  now: Date,
  claimedUntil: Date,
  {
    untriedFirst = false,
    urgentKinds = [],
  }: { untriedFirst?: boolean; urgentKinds?: readonly string[] } = {},
): Promise<OutboxRow[]> {
  await cancelUselessMessages(db, now);
  const firstSince = new Date(now.getTime() - SESSION_LIMITS.resetLinkMs);
  const due = db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.nextAttemptAt, now))
    .orderBy(
      // Before the kind: a link that alone meets a fault would otherwise be every probe.
      ...(untriedFirst ? [sql`${outbox.lastError} is not null`] : []),
      // A link to set a password is valid for half an hour: it does not wait behind a thousand
      // invitations. An older one does, as it may be what pauses the queue each time.
      sql`${outbox.kind} <> all (${sql.param([...urgentKinds])}::text[]) or ${outbox.createdAt} < ${firstSince.toISOString()}::timestamptz`,
      asc(outbox.nextAttemptAt),
    )
    .limit(most)
    .for('update', { skipLocked: true });
  return db
    .update(outbox)
    .set({
      state: 'sending',
      attempts: sql`${outbox.attempts} + 1`,
      nextAttemptAt: null,
      claimedUntil,
      firstTriedAt: sql`coalesce(${outbox.firstTriedAt}, ${now.toISOString()}::timestamptz)`,
    })
    .where(inArray(outbox.id, due))
    .returning();
}

/** Writes the result of a try, unless the message has been canceled. */
export async function settleMessage(
  db: Queryable,
  id: string,
  {
    problem,
    ...set
  }: Pick<OutboxRow, 'state' | 'nextAttemptAt'> & {
    problem: MailProblem | null;
    sentAt?: Date;
    sealedCode?: null;
    attempts?: number;
    firstTriedAt?: Date | null;
  },
): Promise<void> {
  await db
    .update(outbox)
    .set({
      ...set,
      lastError: problem?.code ?? null,
      lastReply: problem?.said ?? null,
      claimedUntil: null,
    })
    .where(and(eq(outbox.id, id), eq(outbox.state, 'sending')));
}

const PORTION = 5_000;

/**
 * Deletes settled messages from before a moment, in portions. The latest of each invitation stays,
 * because the list of invitations shows it; a test invitation has none. Returns how many were deleted.
 */
export async function deleteOldMessages(db: Queryable, before: Date): Promise<number> {
  let deleted = 0;
  let after = { at: new Date(0).toISOString(), id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const { rows } = await db.execute<{ gone: number; seen: number; at: string; id: string }>(sql`
      with portion as (
        select id, created_at, kind, invitation_id from outbox
        where created_at < ${before.toISOString()}::timestamptz
          and (created_at, id) > (${after.at}::timestamptz, ${after.id}::uuid)
        order by created_at, id limit ${PORTION}),
      gone as (
        delete from outbox o using portion p
        where o.id = p.id and o.state in ('sent', 'failed')
          and (p.kind <> 'invitation' or p.invitation_id is null or exists (
            select from outbox n
            where n.invitation_id = p.invitation_id and n.kind = 'invitation'
              and (n.created_at, n.id) > (p.created_at, p.id)))
        returning o.id)
      select (select count(*)::int from gone) as gone, (select count(*)::int from portion) as seen,
        created_at::text as at, id::text as id
      from portion order by created_at desc, id desc limit 1`);
    const [last] = rows;
    if (!last) return deleted;
    deleted += last.gone;
    if (last.seen < PORTION) return deleted;
    after = last;
  }
}

/**
 * Messages whose sender died before it recorded the result: the mail server may have them. They are
 * retried with the same code and Message-ID.
 */
export async function releaseAbandonedMessages(db: Queryable, now: Date): Promise<void> {
  await db
    .update(outbox)
    .set({
      state: 'uncertain',
      claimedUntil: null,
      nextAttemptAt: now,
      lastError: code('abandoned'),
      lastReply: null,
    })
    .where(and(eq(outbox.state, 'sending'), lt(outbox.claimedUntil, now)));
}

import type { INVITATION_SORTS, InvitationState } from '@invigil/core/domain/invitation-states';
import type { Reach } from '@invigil/core/domain/rights';
import { and, asc, desc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../../db/database.ts';
import { type Page, readPage } from '../../../db/page-window.ts';
import { isToReview } from '../../../db/queries/attempts/attempt-filter.ts';
import {
  listAttemptsById,
  type ParticipantListRow,
} from '../../../db/queries/attempts/attempt-list.ts';
import { isCodeEnding, LATEST_CODE_UNTIL } from '../../../db/queries/codes.ts';
import { ofQuizWithin } from '../../../db/queries/places.ts';
import { isOpenToInvited } from '../../../db/queries/quizzes.ts';
import {
  isKnown,
  nameToSortBy,
  type PersonColumns,
  personColumns,
  personContains,
} from '../../../db/queries/seen-people.ts';
import { quizzes } from '../../../db/schema/assessments.ts';
import { participants } from '../../../db/schema/attempts.ts';
import { invitations, users } from '../../../db/schema/invitations.ts';
import { outbox } from '../../../db/schema/mail.ts';

type MailRow = Pick<
  typeof outbox.$inferSelect,
  'state' | 'lastError' | 'lastReply' | 'attempts' | 'nextAttemptAt' | 'sentAt'
>;

/** An invitation with its person, its latest message and the current attempt. */
export interface InvitationListRow {
  invitation: typeof invitations.$inferSelect;
  email: string | null;
  person: PersonColumns;
  quizTitle: string;
  categoryId: string;
  codeUntil: Date | null;
  mail: MailRow | null;
  participant: ParticipantListRow | null;
}

/** The filter of a list; in a search `%` is a plain character. */
export interface InvitationFilter {
  search?: string | undefined;
  state?: InvitationState | undefined;
  sort?: (typeof INVITATION_SORTS)[number] | undefined;
  /** The current time: it decides which one-time passwords end soon. */
  now: Date;
  /** The objects of which the reader sees people. */
  sees: Reach;
}

const IS_VALID = sql`i.revoked_at is null`;
const NOT_STARTED = sql`${IS_VALID} and i.progress is null`;

/** The states as conditions on a row of `matching`. */
const STATES: Record<InvitationState, SQL> = {
  queued: sql`${IS_VALID} and i.mail in ('queued', 'sending')`,
  sent: sql`${IS_VALID} and i.mail = 'sent'`,
  uncertain: sql`${IS_VALID} and i.mail = 'uncertain'`,
  failed: sql`${IS_VALID} and i.mail = 'failed'`,
  not_started: sql`${NOT_STARTED}`,
  signed_in: sql`${NOT_STARTED} and i.first_sign_in_at is not null`,
  code_ending: sql`${NOT_STARTED} and i.is_code_ending`,
  started: sql`i.progress = 'in_progress'`,
  finished: sql`i.progress in ('completed', 'dismissed')`,
  to_review: sql`i.is_to_review`,
  revoked: sql`i.revoked_at is not null`,
};

const ALL_OF_THEM = sql`true`;

/**
 * Invitations of a quiz as `i`, with the state of the latest message and of the current attempt. The
 * planner drops both lookups when no condition needs them.
 */
function matching(quizId: string, { search, now, sees }: InvitationFilter): SQL {
  const isFound =
    search === undefined || search === '' ? ALL_OF_THEM : personContains(sees, search);
  const named = isFound === ALL_OF_THEM ? sql`` : sql`join users on users.id = invitations.user_id`;
  return sql`(
    select invitations.id, invitations.user_id, invitations.last_invited_at, invitations.revoked_at,
      invitations.first_sign_in_at,
      (${isOpenToInvited(now)} and ${isCodeEnding(now)}) as is_code_ending,
      (select o.state from outbox o
        where o.invitation_id = invitations.id and o.kind = 'invitation'
        order by o.created_at desc, o.id desc limit 1) as mail,
      (select p.status from participants p
        where p.invitation_id = invitations.id and p.replaced_at is null) as progress,
      exists (select from participants
        where participants.invitation_id = invitations.id and participants.replaced_at is null
          and ${isToReview}) as is_to_review
    from invitations join quizzes on quizzes.id = invitations.quiz_id ${named}
    where invitations.quiz_id = ${quizId} and ${isFound}) i`;
}

/** The ids of those that match, in their order; reversed when a page is read from the end. */
function matchingIds(quizId: string, filter: InvitationFilter, fromEnd = false): SQL {
  const byTime = fromEnd ? sql`i.last_invited_at, i.id desc` : sql`i.last_invited_at desc, i.id`;
  const isByName = filter.sort === 'name';
  const named = isByName
    ? sql`join users on users.id = i.user_id join invitations on invitations.id = i.id`
    : sql``;
  const order = isByName ? sql`${byName(filter.sees, fromEnd)}, ${byTime}` : byTime;
  return sql`select i.id from ${matching(quizId, filter)} ${named}
    where ${filter.state ? STATES[filter.state] : sql`true`} order by ${order}`;
}

/** Erased people last. */
const byName = (sees: Reach, fromEnd: boolean) =>
  fromEnd ? sql`${nameToSortBy(sees)} desc nulls first` : sql`${nameToSortBy(sees)} asc nulls last`;

/** Latest first, or by name; reversed when a page is read from the end. */
function ordered({ sort, sees }: Shown, fromEnd: boolean): SQL[] {
  return [
    ...(sort === 'name' ? [byName(sees, fromEnd)] : []),
    ...(fromEnd
      ? [asc(invitations.lastInvitedAt), desc(invitations.id)]
      : [desc(invitations.lastInvitedAt), asc(invitations.id)]),
  ];
}

/** The reader to whom rows are shown, and their order. */
type Shown = Pick<InvitationFilter, 'sort' | 'sees'>;

async function selectInvitations(
  db: Queryable,
  where: SQL,
  filter: Shown,
  fromEnd = false,
): Promise<InvitationListRow[]> {
  const latest = db
    .select({
      state: outbox.state,
      lastError: outbox.lastError,
      lastReply: outbox.lastReply,
      attempts: outbox.attempts,
      nextAttemptAt: outbox.nextAttemptAt,
      sentAt: outbox.sentAt,
    })
    .from(outbox)
    .where(and(eq(outbox.invitationId, invitations.id), eq(outbox.kind, 'invitation')))
    .orderBy(desc(outbox.createdAt), desc(outbox.id))
    .limit(1)
    .as('latest');
  const rows = await db
    .select({
      invitation: invitations,
      email: users.email,
      person: personColumns(filter.sees),
      quizTitle: quizzes.title,
      categoryId: quizzes.categoryId,
      codeUntil: LATEST_CODE_UNTIL,
      mail: {
        state: latest.state,
        lastError: latest.lastError,
        lastReply: latest.lastReply,
        attempts: latest.attempts,
        nextAttemptAt: latest.nextAttemptAt,
        sentAt: latest.sentAt,
      },
      participantId: participants.id,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .innerJoin(quizzes, eq(quizzes.id, invitations.quizId))
    .leftJoinLateral(latest, sql`true`)
    .leftJoin(
      participants,
      and(eq(participants.invitationId, invitations.id), isNull(participants.replacedAt)),
    )
    .where(where)
    .orderBy(...ordered(filter, fromEnd));
  const ids = rows.flatMap((row) => row.participantId ?? []);
  const attempts = new Map(
    (await listAttemptsById(db, filter.sees, ids)).map((row) => [row.id, row]),
  );
  return rows.map(({ participantId, ...row }) => ({
    ...row,
    participant: (participantId && attempts.get(participantId)) || null,
  }));
}

/** One page of a quiz's invitations, and the total. */
export function pageInvitations(
  db: Queryable,
  quizId: string,
  filter: InvitationFilter,
  page: Page,
): Promise<{ rows: InvitationListRow[]; total: number }> {
  return readPage(
    page,
    async () => {
      const counted = sql`select count(*)::int as n from (${matchingIds(quizId, filter)}) m`;
      return onlyRow((await db.execute<{ n: number }>(counted)).rows).n;
    },
    ({ limit, offset, fromEnd }) => {
      // Selects the ids first, then their mail and attempts: a quiz may have tens of thousands.
      const ids = sql`(${matchingIds(quizId, filter, fromEnd)} limit ${limit} offset ${offset})`;
      return selectInvitations(db, sql`${invitations.id} in ${ids}`, filter, fromEnd);
    },
  );
}

type Counts = Record<'all' | InvitationState, number>;

const ALL = { all: sql`true`, ...STATES };

/** How many are in each state. */
export async function countByState(
  db: Queryable,
  quizId: string,
  filter: Omit<InvitationFilter, 'state'>,
): Promise<Counts> {
  const counts = Object.entries(ALL).map(
    ([state, where]) => sql`count(*) filter (where ${where})::int as ${sql.identifier(state)}`,
  );
  const { rows } = await db.execute<Counts>(
    sql`select ${sql.join(counts, sql`, `)} from ${matching(quizId, filter)}`,
  );
  return onlyRow(rows);
}

export async function listInvitationIds(
  db: Queryable,
  quizId: string,
  filter: InvitationFilter,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(matchingIds(quizId, filter));
  return rows.map(({ id }) => id);
}

/** The given invitations that belong to the quiz, latest first. */
export function listInvitationsOf(
  db: Queryable,
  sees: Reach,
  quizId: string,
  ids: string[],
): Promise<InvitationListRow[]> {
  const where = and(eq(invitations.quizId, quizId), inArray(invitations.id, ids));
  return selectInvitations(db, where ?? sql`false`, { sees });
}

/** Whether more than the address is known of any of those who have these invitations. */
export async function areKnown(db: Queryable, sees: Reach, ids: string[]): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from ${invitations}
    join ${users} on users.id = invitations.user_id
    where ${isKnown(sees)} and invitations.id = any (${sql.param(ids)}::uuid[]) limit 1`);
  return rows.length > 0;
}

/** The invitations to the given addresses (in lower case, every spelling). */
export function listInvitationsTo(
  db: Queryable,
  sees: Reach,
  quizId: string,
  emails: string[],
): Promise<InvitationListRow[]> {
  const isTo = sql`lower(${users.email}) = any (${sql.param(emails)}::text[])`;
  return selectInvitations(db, and(eq(invitations.quizId, quizId), isTo) ?? sql`false`, { sees });
}

/** Percent of extra time that is kept of people at these addresses who were never invited to an assessment. */
export function listKeptExtraTime(
  db: Queryable,
  quizId: string,
  emails: string[],
): Promise<
  { email: string; givenName: string; familyName: string; groups: string[]; percent: number }[]
> {
  return db
    .select({
      email: sql<string>`${users.email}`,
      groups: users.groups,
      givenName: users.givenName,
      familyName: users.familyName,
      percent: users.extraTime,
    })
    .from(users)
    .where(
      and(
        sql`lower(${users.email}) = any (${sql.param(emails)}::text[])`,
        gt(users.extraTime, 0),
        sql`not exists (select from ${invitations} where ${invitations.userId} = ${users.id} and ${invitations.quizId} = ${quizId})`,
      ),
    )
    .orderBy(users.email);
}

/** The invitations of a person to assessments in reach, latest first. */
export function listInvitationsOfPerson(
  db: Queryable,
  sees: Reach,
  userId: string,
  reach: Reach,
): Promise<InvitationListRow[]> {
  const isWithin = ofQuizWithin(reach, invitations.quizId);
  return selectInvitations(db, and(eq(invitations.userId, userId), isWithin) ?? sql`false`, {
    sees,
  });
}

export async function findInvitation(
  db: Queryable,
  sees: Reach,
  id: string,
): Promise<InvitationListRow | undefined> {
  const [row] = await selectInvitations(db, eq(invitations.id, id), { sees });
  return row;
}

/** People with an address among some invitations of a quiz. */
export function listInvitedPeople(db: Queryable, quizId: string, ids: string[]) {
  return db
    .select({ id: invitations.id, userId: invitations.userId, email: users.email })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .where(and(eq(invitations.quizId, quizId), inArray(invitations.id, ids)));
}

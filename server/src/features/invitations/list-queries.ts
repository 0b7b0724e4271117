import { and, asc, count, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { containsPattern } from '../../db/contains.ts';
import { onlyRow, type Queryable } from '../../db/database.ts';
import { type Page, readPage } from '../../db/page-window.ts';
import { invitations, outbox, participants, users } from '../../db/schema.ts';

/** An invitation with its person, its latest message and the current attempt. */
export interface InvitationListRow {
  invitation: typeof invitations.$inferSelect;
  email: string | null;
  mail: { state: string; lastError: string | null; sentAt: Date | null } | null;
  participant: {
    id: string;
    status: string;
    startedAt: Date;
    submittedAt: Date | null;
  } | null;
}

/** Of a quiz; the address contains the text, `%` is a plain character. */
function conditions(quizId: string, search: string | undefined): SQL | undefined {
  if (search === undefined || search === '') return eq(invitations.quizId, quizId);
  return and(
    eq(invitations.quizId, quizId),
    sql`${invitations.userId} in (select id from users where lower(email) like ${containsPattern(search)})`,
  );
}

/** The latest first; turned round when a page is read from the end. */
function ordered(fromEnd: boolean): SQL[] {
  return fromEnd
    ? [asc(invitations.lastInvitedAt), desc(invitations.id)]
    : [desc(invitations.lastInvitedAt), asc(invitations.id)];
}

async function selectInvitations(
  db: Queryable,
  where: SQL,
  fromEnd = false,
): Promise<InvitationListRow[]> {
  const latest = db
    .select({
      state: outbox.state,
      lastError: outbox.lastError,
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
      mailState: latest.state,
      mailError: latest.lastError,
      mailSentAt: latest.sentAt,
      participantId: participants.id,
      status: participants.status,
      startedAt: participants.startedAt,
      submittedAt: participants.submittedAt,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .leftJoinLateral(latest, sql`true`)
    .leftJoin(
      participants,
      and(eq(participants.invitationId, invitations.id), isNull(participants.replacedAt)),
    )
    .where(where)
    .orderBy(...ordered(fromEnd));
  return rows.map((row) => ({
    invitation: row.invitation,
    email: row.email,
    mail:
      row.mailState === null
        ? null
        : { state: row.mailState, lastError: row.mailError, sentAt: row.mailSentAt },
    participant:
      row.participantId === null || row.status === null || row.startedAt === null
        ? null
        : {
            id: row.participantId,
            status: row.status,
            startedAt: row.startedAt,
            submittedAt: row.submittedAt,
          },
  }));
}

/** One page of a quiz's invitations, and the number of all. */
export function pageInvitations(
  db: Queryable,
  quizId: string,
  search: string | undefined,
  page: Page,
): Promise<{ rows: InvitationListRow[]; total: number }> {
  const where = conditions(quizId, search);
  return readPage(
    page,
    async () => onlyRow(await db.select({ n: count() }).from(invitations).where(where)).n,
    ({ limit, offset, fromEnd }) => {
      // First which ones, then their mail and attempts: a quiz may have tens of thousands.
      const ids = db
        .select({ id: invitations.id })
        .from(invitations)
        .where(where)
        .orderBy(...ordered(fromEnd))
        .limit(limit)
        .offset(offset);
      return selectInvitations(db, inArray(invitations.id, ids), fromEnd);
    },
  );
}

export async function findInvitation(
  db: Queryable,
  id: string,
): Promise<InvitationListRow | undefined> {
  const [row] = await selectInvitations(db, eq(invitations.id, id));
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

import { and, asc, count, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { onlyRow, type Queryable } from '../../db/database.ts';
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

function conditions(quizId: string, search: string | undefined): SQL | undefined {
  const pattern =
    search === undefined || search === ''
      ? undefined
      : `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return and(
    eq(invitations.quizId, quizId),
    pattern === undefined ? undefined : sql`lower(${users.email}) like ${pattern}`,
  );
}

async function selectInvitations(
  db: Queryable,
  where: SQL | undefined,
  page: { limit: number; offset: number },
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
    .orderBy(desc(invitations.lastInvitedAt), asc(invitations.id))
    .limit(page.limit)
    .offset(page.offset);
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

export function pageInvitations(
  db: Queryable,
  quizId: string,
  search: string | undefined,
  page: { limit: number; offset: number },
): Promise<InvitationListRow[]> {
  return selectInvitations(db, conditions(quizId, search), page);
}

export async function countInvitations(
  db: Queryable,
  quizId: string,
  search: string | undefined,
): Promise<number> {
  return onlyRow(
    await db
      .select({ n: count() })
      .from(invitations)
      .innerJoin(users, eq(users.id, invitations.userId))
      .where(conditions(quizId, search)),
  ).n;
}

export async function findInvitation(
  db: Queryable,
  id: string,
): Promise<InvitationListRow | undefined> {
  const [row] = await selectInvitations(db, eq(invitations.id, id), { limit: 1, offset: 0 });
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

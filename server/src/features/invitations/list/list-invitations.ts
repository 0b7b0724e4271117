import type { Readable } from 'node:stream';
import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  type Invitation,
  type InvitationCounts,
  type InvitedBefore,
  PersonInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { emailSpellings } from '@invigil/core/domain/email-address';
import type { Grant, Reach } from '@invigil/core/domain/rights';
import type { BaseContext } from '../../../app-context.ts';
import type { Page } from '../../../db/page-window.ts';
import { portionsOf } from '../../../db/portions.ts';
import { findUser } from '../../../db/queries/people.ts';
import { KNOWN_COLUMNS } from '../../../db/queries/seen-people.ts';
import { fileTime } from '../../../http/file-time.ts';
import { type TableRow, tableStream } from '../../../http/table-stream.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Command } from '../../../sessions/command.ts';
import { type Admitted, classesAt, requireQuiz } from '../../../sessions/guards.ts';
import { show } from '../../../sessions/show.ts';
import { readInstitution } from '../../../trust/institution.ts';
import {
  areKnown,
  countByState,
  type InvitationFilter,
  listInvitationIds,
  listInvitationsOf,
  listInvitationsOfPerson,
  listInvitationsTo,
  pageInvitations,
} from './list-queries.ts';
import { presentInvitation, presentInvited, presentMail } from './present.ts';

/** A page of the invitations of a quiz and the number of all that match. Throws NOT_FOUND. */
export async function listInvitations(
  ctx: BaseContext,
  quizId: string,
  filter: InvitationFilter,
  page: Page,
): Promise<{ rows: Invitation[]; total: number }> {
  await requireQuiz(ctx.db, quizId);
  const { rows, total } = await pageInvitations(ctx.db, quizId, filter, page);
  return { rows: rows.map((row) => presentInvitation(row, filter.now)), total };
}

/** The invitations of a person, with scores where the reader may see them, latest first. Throws NOT_FOUND. */
export async function listPersonInvitations(
  ctx: BaseContext,
  userId: string,
  {
    reach,
    sees,
    grants,
    now,
  }: Pick<Admitted, 'reach' | 'sees'> & {
    grants: readonly Grant[];
    now: Date;
  },
) {
  if (!(await findUser(ctx.db, userId))) throw new AppError('NOT_FOUND');
  const rows = await listInvitationsOfPerson(ctx.db, sees, userId, reach);
  return rows.map((row) => {
    const { quizTitle, categoryId } = row;
    const invitation = { ...presentInvitation(row, now), quizTitle };
    const shows = classesAt(grants, { quizId: invitation.quizId, categoryId });
    return show(PersonInvitation, invitation, { shows, aliases: ctx.keys.aliases });
  });
}

/** How many are in each state. Throws NOT_FOUND. */
export async function countInvitations(
  ctx: BaseContext,
  quizId: string,
  filter: Omit<InvitationFilter, 'state'>,
): Promise<InvitationCounts> {
  await requireQuiz(ctx.db, quizId);
  return countByState(ctx.db, quizId, filter);
}

/** The ids of all that match, latest first. Throws NOT_FOUND. */
export async function listIds(
  ctx: BaseContext,
  quizId: string,
  filter: InvitationFilter,
): Promise<string[]> {
  await requireQuiz(ctx.db, quizId);
  return listInvitationIds(ctx.db, quizId, filter);
}

/** The invitations of the given addresses that have one, latest first. Throws NOT_FOUND. */
export async function findInvited(
  ctx: BaseContext,
  sees: Reach,
  quizId: string,
  emails: string[],
): Promise<InvitedBefore[]> {
  await requireQuiz(ctx.db, quizId);
  const rows = await listInvitationsTo(ctx.db, sees, quizId, emails.flatMap(emailSpellings));
  return rows.map(presentInvited);
}

/** The delivery state of some invitations; ids of other quizzes are skipped. Throws NOT_FOUND. */
export async function readDelivery(ctx: BaseContext, sees: Reach, quizId: string, ids: string[]) {
  await requireQuiz(ctx.db, quizId);
  const rows = await listInvitationsOf(ctx.db, sees, quizId, ids);
  return rows.flatMap(({ invitation, mail }) =>
    mail === null ? [] : [{ id: invitation.id, ...presentMail(mail) }],
  );
}

const COLUMNS = [
  'Participant',
  { at: 'Invited At' },
  'Mail State',
  'Mail Error',
  { at: 'Mail Sent At' },
  { at: 'Signed In At' },
  'Status',
  { at: 'Started At' },
  { at: 'Submitted At' },
  { at: 'Revoked At' },
  'Extra Time Factor',
];
const ROWS_AT_A_TIME = 500;

/** A file of the invitations that match, latest first. Throws NOT_FOUND. */
export async function exportInvitations(
  ctx: BaseContext,
  command: Command<'invitations.exported'>,
  quizId: string,
  filter: InvitationFilter,
  format: TableFormat,
): Promise<{ name: string; body: Readable }> {
  const { now, sees } = filter;
  const ids = await listIds(ctx, quizId, filter);
  const details = { count: ids.length };
  await command(({ record }) => record('invitations.exported', ['quiz', quizId], details));
  const { timeZone } = await readInstitution(ctx, ctx.db);
  const known = (await areKnown(ctx.db, sees, ids)) ? KNOWN_COLUMNS : [];
  async function* portions() {
    for (const some of portionsOf(ids, ROWS_AT_A_TIME)) {
      const rows = await listInvitationsOf(ctx.db, sees, quizId, some);
      yield rows.map((row) => [
        ...cells(presentInvitation(row, now)),
        ...known.map(([, cell]) => cell(row.person)),
      ]);
    }
  }
  return {
    name: `invitations_${fileTime(now, timeZone)}`,
    body: tableStream(
      {
        name: 'Invitations',
        head: [...COLUMNS, ...known.map(([head]) => head)],
        portions: portions(),
      },
      { format, timeZone },
    ),
  };
}

function cells(row: Invitation): TableRow {
  return [
    row.email ?? 'Unknown',
    moment(row.invitedAt),
    row.mail?.state ?? '',
    row.mail?.lastError ?? '',
    moment(row.mail?.sentAt),
    moment(row.signedInAt),
    row.status,
    moment(row.startedAt),
    moment(row.submittedAt),
    moment(row.revokedAt),
    row.extraTimeFactor,
  ];
}

const moment = (at: string | null | undefined) => (at == null ? '' : new Date(at));

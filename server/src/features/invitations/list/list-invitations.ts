import type { Readable } from 'node:stream';
import type { Invitation, InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { guardCell } from '@invigil/core/domain/questions/spreadsheet-guard';
import type { AppContext } from '../../../app-context.ts';
import type { Page } from '../../../db/page-window.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import { type CsvRow, csvStream } from '../../../http/csv-stream.ts';
import { fileTime } from '../../../http/file-time.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import {
  countByState,
  type InvitationFilter,
  listInvitationIds,
  listInvitationsOf,
  pageInvitations,
} from './list-queries.ts';
import { presentInvitation, presentMail } from './present.ts';

/** A page of the invitations of a quiz and the number of all that match. Throws NOT_FOUND. */
export async function listInvitations(
  ctx: AppContext,
  quizId: string,
  filter: InvitationFilter,
  page: Page,
): Promise<{ rows: Invitation[]; total: number }> {
  await requireQuiz(ctx, quizId);
  const { rows, total } = await pageInvitations(ctx.db, quizId, filter, page);
  return { rows: rows.map(presentInvitation), total };
}

/** How many are in each state. Throws NOT_FOUND. */
export async function countInvitations(
  ctx: AppContext,
  quizId: string,
  filter: Omit<InvitationFilter, 'state'>,
): Promise<InvitationCounts> {
  await requireQuiz(ctx, quizId);
  return countByState(ctx.db, quizId, filter);
}

/** The ids of all that match, latest first. Throws NOT_FOUND. */
export async function listIds(
  ctx: AppContext,
  quizId: string,
  filter: InvitationFilter,
): Promise<string[]> {
  await requireQuiz(ctx, quizId);
  return listInvitationIds(ctx.db, quizId, filter);
}

/** The delivery state of some invitations; ids of other quizzes are skipped. Throws NOT_FOUND. */
export async function readDelivery(ctx: AppContext, quizId: string, ids: string[]) {
  await requireQuiz(ctx, quizId);
  const rows = await listInvitationsOf(ctx.db, quizId, ids);
  return rows.flatMap(({ invitation, mail }) =>
    mail === null ? [] : [{ id: invitation.id, ...presentMail(mail) }],
  );
}

const COLUMNS = [
  'Participant',
  'Invited At',
  'Mail State',
  'Mail Error',
  'Mail Sent At',
  'Signed In At',
  'Status',
  'Started At',
  'Submitted At',
  'Revoked At',
  'Extra Time Factor',
];
const ROWS_AT_A_TIME = 500;

/** Those that match as CSV, latest first. Throws NOT_FOUND. */
export async function exportInvitations(
  ctx: AppContext,
  adminId: string,
  quizId: string,
  filter: InvitationFilter,
): Promise<{ filename: string; body: Readable }> {
  const { now } = filter;
  const ids = await listIds(ctx, quizId, filter);
  await recordAudit(ctx.db, {
    adminId,
    action: 'invitations.exported',
    subject: { type: 'quiz', id: quizId },
    details: { count: ids.length },
    at: now,
  });
  async function* portions() {
    for (let at = 0; at < ids.length; at += ROWS_AT_A_TIME) {
      const rows = await listInvitationsOf(ctx.db, quizId, ids.slice(at, at + ROWS_AT_A_TIME));
      yield rows.map((row) => cells(presentInvitation(row)));
    }
  }
  return {
    filename: `invitations_${fileTime(now, ctx.config.timeZone)}.csv`,
    body: csvStream(COLUMNS, portions()),
  };
}

function cells(row: Invitation): CsvRow {
  return [
    guardCell(row.email ?? 'Unknown'),
    row.invitedAt,
    row.mail?.state ?? '',
    guardCell(row.mail?.lastError ?? ''),
    row.mail?.sentAt ?? '',
    row.signedInAt ?? '',
    row.status,
    row.startedAt ?? '',
    row.submittedAt ?? '',
    row.revokedAt ?? '',
    row.extraTimeFactor,
  ];
}

async function requireQuiz(ctx: AppContext, quizId: string): Promise<void> {
  if (!(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
}

import { Readable } from 'node:stream';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import { stringify } from 'csv-stringify/sync';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../app-error.ts';
import type { Queryable } from '../../db/database.ts';
import { nextReportRows, type ParticipantListRow } from '../participants/list-queries.ts';
import { violationCount } from '../participants/present.ts';
import { findQuiz } from '../quizzes/queries.ts';

/** Product.md section 3. */
const COLUMNS = [
  'Participant',
  'Participant Id',
  'Assessment',
  'Status',
  'Score',
  'Total Marks',
  'Violations',
  'Time Spent (s)',
  'Started At',
  'Submitted At',
  'Submission Type',
];

const ROWS_AT_A_TIME = 500;
/** Spreadsheets take a file for UTF-8 only by this mark. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The report of one assessment, or of all (`undefined`). Throws NOT_FOUND. */
export async function openParticipantsReport(
  ctx: AppContext,
  quizId: string | undefined,
  now: Date,
): Promise<Readable> {
  if (quizId !== undefined && !(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
  return participantsReport(ctx.db, quizId, now);
}

/**
 * The report as a stream of CSV: constant memory, however many rows. Texts that a spreadsheet would
 * run get an apostrophe; numbers are exempt.
 */
function participantsReport(db: Queryable, quizId: string | undefined, now: Date): Readable {
  async function* lines() {
    yield BYTE_ORDER_MARK + toCsv([COLUMNS]);
    let after: { startedAt: Date; id: string } | undefined;
    for (;;) {
      const rows = await nextReportRows(db, { quizId }, after, ROWS_AT_A_TIME);
      if (rows.length > 0) yield toCsv(rows.map((row) => cells(row, now)));
      after = rows.at(-1);
      if (rows.length < ROWS_AT_A_TIME) return;
    }
  }
  return Readable.from(lines(), { objectMode: false });
}

function cells(row: ParticipantListRow, now: Date): (string | number)[] {
  return [
    guardCell(row.userEmail ?? 'Unknown'),
    row.id,
    guardCell(row.quizTitle),
    row.status,
    row.score ?? '',
    row.totalMarks,
    violationCount(row),
    timeSpentSeconds(row.startedAt, row.submittedAt, now),
    row.startedAt.toISOString(),
    row.submittedAt?.toISOString() ?? '',
    row.submissionType ?? '',
  ];
}

function toCsv(rows: (string | number)[][]): string {
  return stringify(rows, { record_delimiter: 'windows' });
}

/** `participants_report_all_20260514-103500.csv`, or `…_quiz_…` for one assessment. */
export function reportFilename(quizId: string | undefined, now: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((p) => p.type === type)?.value ?? '';
  const day = `${part('year')}${part('month')}${part('day')}`;
  const time = `${part('hour')}${part('minute')}${part('second')}`;
  return `participants_report_${quizId === undefined ? 'all' : 'quiz'}_${day}-${time}.csv`;
}

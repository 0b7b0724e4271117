import type { Readable } from 'node:stream';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import { guardCell } from '@invigil/core/domain/spreadsheet-guard';
import type { AppContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import {
  findMatches,
  type ParticipantFilter,
} from '../../../db/queries/attempts/attempt-filter.ts';
import {
  nextReportRows,
  type ParticipantListRow,
} from '../../../db/queries/attempts/attempt-list.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import { type CsvRow, csvStream, inPortions } from '../../../http/csv-stream.ts';
import { fileTime } from '../../../http/file-time.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { violationCount } from '../../attempts/present.ts';
import { openQuestionColumns, type QuestionColumns } from './question-columns.ts';

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
/** A row of a hundred long answers is some hundred times as much text. */
const ROWS_WITH_QUESTIONS_AT_A_TIME = 50;

/**
 * The report of one assessment, or of all (without `quizId`), of what the filter leaves; of one also
 * with a column per question.
 * Throws NOT_FOUND, and INVALID_INPUT for the questions of all.
 */
export async function openParticipantsReport(
  ctx: Pick<AppContext, 'db'>,
  wanted: ParticipantFilter,
  withQuestions: boolean,
  now: Date,
): Promise<Readable> {
  const { quizId } = wanted;
  if (quizId === undefined && withQuestions) {
    const message = 'Choose one assessment for a column per question';
    throw new AppError('INVALID_INPUT', { message, issues: [{ path: 'questions', message }] });
  }
  if (quizId !== undefined && !(await findQuiz(ctx.db, quizId))) throw new AppError('NOT_FOUND');
  const filter = { ...wanted, matches: await findMatches(ctx.db, wanted.search) };
  const questions =
    quizId !== undefined && withQuestions ? await openQuestionColumns(ctx.db, quizId) : null;
  return participantsReport(ctx.db, filter, questions, now);
}

/**
 * The report as a stream of CSV: constant memory, however many rows. Texts that a spreadsheet would
 * run get an apostrophe; numbers are exempt.
 */
function participantsReport(
  db: Queryable,
  filter: ParticipantFilter,
  questions: QuestionColumns | null,
  now: Date,
): Readable {
  const most = questions ? ROWS_WITH_QUESTIONS_AT_A_TIME : ROWS_AT_A_TIME;
  async function* portions() {
    const next = (after?: ParticipantListRow) => nextReportRows(db, filter, after, most);
    for await (const rows of inPortions(most, next)) {
      const chosen = await questions?.cellsOf(rows.map((row) => row.id));
      yield rows.map((row) => [...cells(row, now), ...(chosen?.get(row.id) ?? [])]);
    }
  }
  return csvStream([...COLUMNS, ...(questions?.heads ?? [])], portions());
}

function cells(row: ParticipantListRow, now: Date): CsvRow {
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

/** `participants_report_all_20260514-103500.csv`, or `…_quiz_…` for one assessment. */
export function reportFilename(quizId: string | undefined, now: Date, timeZone: string): string {
  return `participants_report_${quizId === undefined ? 'all' : 'quiz'}_${fileTime(now, timeZone)}.csv`;
}

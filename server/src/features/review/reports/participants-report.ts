import type { Readable } from 'node:stream';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import type { BaseContext } from '../../../app-context.ts';
import type { Queryable } from '../../../db/database.ts';
import {
  findMatches,
  type ParticipantFilter,
} from '../../../db/queries/attempts/attempt-filter.ts';
import {
  havePoints,
  nextReportRows,
  type ParticipantListRow,
} from '../../../db/queries/attempts/attempt-list.ts';
import { findQuiz } from '../../../db/queries/quizzes.ts';
import { inPortions } from '../../../http/csv-stream.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { fileTime } from '../../../http/file-time.ts';
import {
  downloadHeaders,
  type Table,
  type TableFile,
  type TableRow,
  tableStream,
} from '../../../http/table-stream.ts';
import { AppError } from '../../../runtime/app-error.ts';
import { recordAudit } from '../../../sessions/record-audit.ts';
import { violationCount } from '../../attempts/present.ts';
import { openQuestionColumns, type QuestionColumns } from './question-columns.ts';

/** A column of the report: its head, and its cell in the row of an attempt. */
type Column = [
  head: Table['head'][number],
  cell: (row: ParticipantListRow, now: Date) => TableRow[number],
];

/** The columns that product 3 names. */
const COLUMNS: Column[] = [
  ['Participant', (row) => row.userEmail ?? 'Unknown'],
  ['Participant Id', (row) => row.id],
  ['Assessment', (row) => row.quizTitle],
  ['Status', (row) => row.status],
  ['Score', (row) => row.score ?? ''],
  ['Total Marks', (row) => row.totalMarks],
  ['Violations', (row) => violationCount(row)],
  ['Time Spent (s)', (row, now) => timeSpentSeconds(row.startedAt, row.submittedAt, now)],
  [{ at: 'Started At' }, (row) => row.startedAt],
  [{ at: 'Submitted At' }, (row) => row.submittedAt ?? ''],
  ['Submission Type', (row) => row.submissionType ?? ''],
];

/** Behind them where any of the attempts has points. */
const POINT_COLUMNS: Column[] = [
  ['Points', ({ points }) => (points === null ? '' : pointsOf(points))],
  ['Max Points', ({ maxPoints }) => (maxPoints === null ? '' : pointsOf(maxPoints))],
];

const BATCH_SIZE = 500;
/** A row with a hundred long answers has about a hundred times as much text. */
const BATCH_SIZE_WITH_QUESTIONS = 50;

/**
 * The report of one assessment, or of all (without `quizId`), as far as the filter matches. For one
 * assessment it can have a column per question.
 * Throws NOT_FOUND, and INVALID_INPUT for question columns without an assessment.
 */
export async function openParticipantsReport(
  ctx: Pick<BaseContext, 'db'>,
  filter: ParticipantFilter,
  withQuestions: boolean,
  now: Date,
  file: TableFile = { format: 'csv', timeZone: 'UTC' },
): Promise<Readable> {
  const { quizId } = filter;
  if (quizId === undefined && withQuestions) {
    const message = 'Select one assessment to get a column per question';
    throw new AppError('INVALID_INPUT', { message, issues: [{ path: 'questions', message }] });
  }
  const quiz = quizId === undefined ? undefined : await findQuiz(ctx.db, quizId);
  if (quizId !== undefined && !quiz) throw new AppError('NOT_FOUND');
  const matched = { ...filter, matches: await findMatches(ctx.db, filter.search) };
  const hasPoints = await havePoints(ctx.db, matched);
  const questions =
    quiz && withQuestions ? await openQuestionColumns(ctx.db, quiz.id, hasPoints) : null;
  return participantsReport(ctx.db, matched, { questions, hasPoints }, now, file);
}

/** The report as a stream, in constant memory. */
function participantsReport(
  db: Queryable,
  filter: ParticipantFilter,
  { questions, hasPoints }: { questions: QuestionColumns | null; hasPoints: boolean },
  now: Date,
  file: TableFile,
): Readable {
  const batchSize = questions ? BATCH_SIZE_WITH_QUESTIONS : BATCH_SIZE;
  const columns = hasPoints ? [...COLUMNS, ...POINT_COLUMNS] : COLUMNS;
  async function* portions() {
    const next = (after?: ParticipantListRow) => nextReportRows(db, filter, after, batchSize);
    for await (const rows of inPortions(batchSize, next)) {
      const answers = await questions?.cellsOf(rows.map((row) => row.id));
      yield rows.map((row) => [
        ...columns.map(([, cell]) => cell(row, now)),
        ...(answers?.get(row.id) ?? []),
      ]);
    }
  }
  const head = [...columns.map(([name]) => name), ...(questions?.heads ?? [])];
  return tableStream({ name: 'Participants', head, portions: portions() }, file);
}

/** `participants_report_all_20260514-103500`, or `…_quiz_…` for one assessment. */
export function reportName(quizId: string | undefined, now: Date, timeZone: string): string {
  return `participants_report_${quizId === undefined ? 'all' : 'quiz'}_${fileTime(now, timeZone)}`;
}

export function reportHandlers(ctx: BaseContext) {
  return {
    async exportParticipants({ query, session, now }) {
      const { status, search, review } = query;
      const quizId = query.quizId && query.quizId !== 'all' ? query.quizId : undefined;
      const filter = { quizId, status, search, review };
      const { timeZone } = ctx.config;
      const { format } = query;
      const name = reportName(quizId, now, timeZone);
      const withQuestions = query.questions === 'true';
      const body = await openParticipantsReport(ctx, filter, withQuestions, now, {
        format,
        timeZone,
      });
      await recordAudit(ctx.db, {
        adminId: session.adminId,
        action: 'participants.exported',
        ...(quizId === undefined ? {} : { subject: { type: 'quiz', id: quizId } }),
        details: { withQuestions, isFiltered: Boolean(status || search || review) },
        at: now,
      });
      return {
        status: 200,
        body,
        headers: downloadHeaders(name, format),
      };
    },
  } satisfies Handlers;
}

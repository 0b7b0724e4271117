import type { Readable } from 'node:stream';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import type { PersonField } from '@invigil/core/domain/people';
import { answerRows } from '@invigil/core/domain/questions/answer-rows';
import { selectedIdsOf } from '@invigil/core/domain/questions/given-answer';
import {
  ANSWER_KINDS,
  hasOptions,
  isInRows,
} from '@invigil/core/domain/questions/question-definition';
import { doesCountRight, pointsOf, scorePaper } from '@invigil/core/domain/questions/scoring';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import { outcomeOf } from '@invigil/core/domain/results/outcome';
import { t } from '@invigil/core/texts/i18n';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { findMatches, type ParticipantFilter } from '../../db/queries/attempts/attempt-filter.ts';
import {
  areKnown,
  countParticipants,
  havePoints,
  haveRules,
  nextReportRows,
  type ParticipantListRow,
} from '../../db/queries/attempts/attempt-list.ts';
import { listPersonFields } from '../../db/queries/institution.ts';
import { listBankById } from '../../db/queries/question-bank.ts';
import {
  listQuestions,
  listQuestionVersions,
  type QuestionVersionRow,
  type QuestionView,
} from '../../db/queries/questions.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import {
  participantHead,
  RESULT_WORDS,
  STATUS_WORDS,
  SUBMISSION_WORDS,
  startedHead,
  statusHead,
  submittedHead,
  unknownText,
  wordOf,
} from '../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../http/endpoints.ts';
import {
  downloadHeaders,
  inPortions,
  type Table,
  type TableFile,
  type TableRow,
  tableStream,
} from '../../http/table-stream.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import { inTurns } from '../../runtime/turns.ts';
import { clockTime, fileTime } from '../../runtime/wall-time.ts';
import { requireReach } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { violationCount } from '../attempts/present.ts';
import { KNOWN_COLUMNS } from '../people/known-columns.ts';
import { type Choice, listChoices, listDrawnQuestions } from './report-queries.ts';

/** A column of the report: its head, and its cell in the row of an attempt. */
type Column = [
  head: () => Table['head'][number],
  cell: (row: ParticipantListRow, now: Date) => TableRow[number],
];

/** The columns that are left out for readers who may not see who the candidates are. */
const PERSON_COLUMNS: Column[] = [[participantHead, (row) => row.userEmail ?? unknownText()]];

/** Questions answered fully right, and questions: the result where no attempt has points. */
const SCORE_COLUMNS: Column[] = [
  [
    () => t(/* head of a column: how many questions are right */ 'report.score', 'Score'),
    (row) => row.score ?? '',
  ],
  [
    () =>
      t(/* head of a column: how many questions there are */ 'report.totalMarks', 'Total Marks'),
    (row) => row.totalMarks,
  ],
];

/** The columns that product 3 names, beside the person's, around the result. */
const FIRST_COLUMNS: Column[] = [
  [
    () => t(/* head of a column: ids of attempts */ 'report.participantId', 'Participant Id'),
    (row) => row.id,
  ],
  [
    () => t(/* head of a column: titles of assessments */ 'report.assessment', 'Assessment'),
    (row) => row.quizTitle,
  ],
  [statusHead, (row) => wordOf(STATUS_WORDS, row.status)],
];
const OTHER_COLUMNS: Column[] = [
  [
    () => t(/* head of a column: how many there were */ 'report.violations', 'Violations'),
    (row) => violationCount(row),
  ],
  // A running attempt has no time that could be read as the one it took.
  [
    () => t(/* head of a column; s: seconds */ 'report.timeSpent', 'Time Spent (s)'),
    (row, now) => (row.submittedAt === null ? '' : timeSpentSeconds(row, now)),
  ],
  [startedHead, (row) => row.startedAt],
  [submittedHead, (row) => row.submittedAt ?? ''],
  [
    () => t(/* head of a column: how attempts ended */ 'report.submissionType', 'Submission Type'),
    (row) => wordOf(SUBMISSION_WORDS, row.submissionType),
  ],
];

/** Moments again as the institution's clocks show them, in a file that has them in UTC: that for programs. */
const localColumns = ({ format, timeZone }: TableFile): Column[] =>
  format !== 'csv' || timeZone === 'UTC' || timeZone === 'Etc/UTC'
    ? []
    : [
        [() => `Started At (${timeZone})`, ({ startedAt }) => clockTime(startedAt, timeZone)],
        [
          () => `Submitted At (${timeZone})`,
          ({ submittedAt }) => (submittedAt === null ? '' : clockTime(submittedAt, timeZone)),
        ],
      ];

/** The result where any of the attempts has points; the score is then the last of the attempt's columns. */
const POINT_COLUMNS: Column[] = [
  [
    () => t(/* head of a column */ 'report.points', 'Points'),
    ({ points }) => (points === null ? '' : pointsOf(points)),
  ],
  [
    () =>
      t(/* head of a column: the most points that there are */ 'report.maxPoints', 'Max Points'),
    ({ maxPoints }) => (maxPoints === null ? '' : pointsOf(maxPoints)),
  ],
];

/** Last columns, where an assessment has a pass mark or grades; others have a percentage as well. */
const OUTCOME_COLUMNS: Column[] = [
  [
    () => t(/* head of a column */ 'report.percent', 'Percent'),
    (row) => outcomeOf(row, row.resultRules ?? NO_RULES)?.percent ?? '',
  ],
  [
    () => t(/* head of a column: passed or failed */ 'report.result', 'Result'),
    (row) => wordOf(RESULT_WORDS, outcomeIn(row)?.result),
  ],
  [() => t(/* head of a column */ 'report.grade', 'Grade'), (row) => outcomeIn(row)?.grade ?? ''],
];
const NO_RULES = { passMark: null, sectionMarks: [], grades: [] };
const outcomeIn = (row: ParticipantListRow) => outcomeOf(row, row.resultRules);

const BATCH_SIZE = 500;
/** A row with a hundred long answers has about a hundred times as much text. */
const BATCH_SIZE_WITH_QUESTIONS = 50;

const fieldColumns = (fields: readonly PersonField[]): Column[] =>
  fields.map(({ id, name }) => [() => name, ({ fields: values }) => values[id] ?? '']);

/**
 * The report of one assessment, or of all (without `quizId`), as far as the filter matches. For one
 * assessment it can have a column per question.
 * Throws NOT_FOUND, and INVALID_INPUT for question columns without an assessment.
 *
 * @param isAnonymous without who the candidates are
 */
export async function openParticipantsReport(
  ctx: Pick<BaseContext, 'db'>,
  filter: ParticipantFilter,
  withQuestions: boolean,
  now: Date,
  file: TableFile = { format: 'csv', timeZone: 'UTC' },
  isAnonymous = false,
): Promise<Readable> {
  const { quizId } = filter;
  if (quizId === undefined && withQuestions) {
    const message = t(
      /* of a file */ 'server.results.columnPerQuestion',
      'Select one assessment to get a column per question',
    );
    throw new AppError('INVALID_INPUT', { message, issues: [{ path: 'questions', message }] });
  }
  const quiz = quizId === undefined ? undefined : await findQuiz(ctx.db, quizId);
  if (quizId !== undefined && !quiz) throw new AppError('NOT_FOUND');
  const hasPoints = await havePoints(ctx.db, filter);
  const questions =
    quiz && withQuestions ? await openQuestionColumns(ctx.db, quiz.id, hasPoints) : null;
  const fields = await listPersonFields(ctx.db);
  const columns = [
    ...(isAnonymous ? [] : PERSON_COLUMNS),
    ...FIRST_COLUMNS,
    ...(hasPoints ? POINT_COLUMNS : SCORE_COLUMNS),
    ...OTHER_COLUMNS,
    ...((await haveRules(ctx.db, filter)) ? OUTCOME_COLUMNS : []),
    ...(!isAnonymous && (await areKnown(ctx.db, filter)) ? KNOWN_COLUMNS : []),
    ...fieldColumns(fields.filter(({ isPersonal }) => !isAnonymous || !isPersonal)),
    ...localColumns(file),
    ...(hasPoints ? SCORE_COLUMNS : []),
  ];
  return participantsReport(ctx.db, filter, { columns, questions }, now, file);
}

/** The report as a stream, in constant memory. */
function participantsReport(
  db: Queryable,
  filter: ParticipantFilter,
  { columns, questions }: { columns: Column[]; questions: QuestionColumns | null },
  now: Date,
  file: TableFile,
): Readable {
  const batchSize = questions ? BATCH_SIZE_WITH_QUESTIONS : BATCH_SIZE;
  async function* portions() {
    const next = (after?: ParticipantListRow) => nextReportRows(db, filter, after, batchSize);
    for await (const rows of inPortions(batchSize, next)) {
      const answers = await questions?.cellsOf(rows.map((row) => row.id));
      const cells: TableRow[] = [];
      for await (const row of inTurns(rows)) {
        cells.push([...columns.map(([, cell]) => cell(row, now)), ...(answers?.get(row.id) ?? [])]);
      }
      yield cells;
    }
  }
  return tableStream(
    () => ({
      name: t(/* name of a sheet */ 'report.name', 'Participants'),
      head: [...columns.map(([head]) => head()), ...(questions?.heads ?? [])],
      portions: portions(),
    }),
    file,
  );
}

/** `participants_report_all_20260514-103500`, or `…_quiz_…` for one assessment. */
export function reportName(quizId: string | undefined, now: Date, timeZone: string): string {
  return `participants_report_${quizId === undefined ? 'all' : 'quiz'}_${fileTime(now, timeZone)}`;
}

export function reportHandlers(ctx: BaseContext) {
  return {
    async exportParticipants({ query, command, reach, sees, shows, now }) {
      const { status, search, review, result } = query;
      const quizId = query.quizId && query.quizId !== 'all' ? query.quizId : undefined;
      if (quizId !== undefined) await requireReach(ctx.db, reach, 'quiz', [quizId]);
      const isAnonymous = !shows.has('person');
      // A match would reveal whose row is whose.
      if (isAnonymous && search) throw new AppError('FORBIDDEN');
      const matches = await findMatches(ctx.db, sees, search);
      const filter = { quizId, status, search, matches, review, result, reach, sees };
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const { format } = query;
      const name = reportName(quizId, now, timeZone);
      const withQuestions = query.questions === 'true';
      const body = await openParticipantsReport(
        ctx,
        filter,
        withQuestions,
        now,
        { format, timeZone },
        isAnonymous,
      );
      const subject = quizId === undefined ? null : (['quiz', quizId] as const);
      const isFiltered = Boolean(status || search || review || result);
      await command(({ record }) =>
        record('participants.exported', subject, { withQuestions, isFiltered }),
      );
      const rows = await countParticipants(ctx.db, filter);
      return new Reply(200, body, downloadHeaders(name, format, rows));
    },
  } satisfies Handlers;
}

/** Cell of a question that is not on the paper; one that is but was not answered is blank. */
const notDrawn = (): string =>
  t(/* in the cell of a question that a candidate did not have */ 'report.notDrawn', '(not drawn)');

/** One column per question of an assessment, after the standard columns; two with points. */
interface QuestionColumns {
  readonly heads: string[];
  /** Cells by attempt id: what was answered, blank where nothing was, and the points. */
  cellsOf(participantIds: string[]): Promise<Map<string, (string | number)[]>>;
}

/**
 * The questions of an assessment in their order, with their current text. A cell has the text of
 * the version on the paper, which later edits do not change. Texts are cached once per version, so
 * the memory of a report does not grow with its rows.
 *
 * @param hasPoints whether any of the attempts has points; those without have blank cells for them
 */
export async function openQuestionColumns(
  db: Queryable,
  quizId: string,
  hasPoints: boolean,
): Promise<QuestionColumns> {
  const questions = await listReported(db, quizId);
  const width = hasPoints ? 2 : 1;
  const columnOf = new Map(questions.map(({ row }, i) => [row.id, i * width]));
  const versions = new Map<string, Version>();

  async function load(wanted: readonly { questionId: string; version: number }[]) {
    const missing = wanted.filter((w) => !versions.has(keyOf(w)));
    for (const version of await listQuestionVersions(db, missing)) {
      versions.set(keyOf(version), { ...version, textOf: textsOf(version) });
    }
  }

  return {
    get heads() {
      return questions.flatMap(({ version: { question } }, i) => [
        t(
          /* head of a column: the text of a question; Q: question */ 'report.question',
          'Q{number}: {question}',
          {
            number: i + 1,
            question,
          },
        ),
        ...(hasPoints
          ? [
              t(/* head of a column; Q: question */ 'report.questionPoints', 'Q{number}: points', {
                number: i + 1,
              }),
            ]
          : []),
      ]);
    },
    async cellsOf(participantIds) {
      const blank = questions.flatMap(() => (hasPoints ? [notDrawn(), ''] : [notDrawn()]));
      const cells = new Map(
        participantIds.map((id): [string, (string | number)[]] => [id, [...blank]]),
      );
      const choices = await listChoices(db, participantIds);
      await load(choices);
      for await (const choice of inTurns(choices)) {
        const column = columnOf.get(choice.questionId);
        const version = versions.get(keyOf(choice));
        const row = cells.get(choice.participantId);
        if (!row || column === undefined || !version) continue;
        row[column] = answerCell(version, choice);
        if (!hasPoints) continue;
        row[column + 1] = pointsCell(version, choice);
      }
      return cells;
    },
  };
}

type Version = QuestionVersionRow & { textOf: ReadonlyMap<number, string> };

/**
 * An assessment's own questions, then the others that its papers have had, oldest first: archived ones,
 * and those of the bank, also where the sections that drew them were removed since then.
 */
async function listReported(db: Queryable, quizId: string): Promise<QuestionView[]> {
  const own = await listQuestions(db, quizId);
  const others = new Set(await listDrawnQuestions(db, quizId));
  for (const { row } of own) others.delete(row.id);
  if (others.size === 0) return own;
  const drawn = await listBankById(db, [...others]);
  return [...own, ...drawn.sort((a, b) => (a.row.id < b.row.id ? -1 : 1))];
}

function textsOf({ optionIds, optionTexts }: QuestionVersionRow): Map<number, string> {
  return new Map(optionIds.map((id, i) => [id, optionTexts[i] ?? ''] as const));
}

/**
 * The text of the selected option, of several or of items in the given order with semicolons between, each item
 * with its answer, or what was typed.
 */
function answerCell({ optionIds, details, textOf }: Version, answer: Choice): string {
  if (details && ANSWER_KINDS[details.type] === 'matches') {
    return answerRows({ optionIds, details }, answer)
      .flatMap(({ itemId, given }) =>
        given === null ? [] : `${textOf.get(itemId)} → ${textOf.get(given)}`,
      )
      .join('; ');
  }
  if (!hasOptions(typeIn(details)) && !isInRows(typeIn(details))) return answer.response ?? '';
  return selectedIdsOf(answer)
    .flatMap((id) => textOf.get(id) ?? [])
    .join('; ');
}

/** The points as in the record: by the negative marks at the start, whatever the setting is today. */
function pointsCell(version: Version, choice: Choice): string | number {
  if (choice.maxPoints === null) return '';
  const { negativeMarks } = choice;
  const [scored] = scorePaper([version], [choice], negativeMarks, doesCountRight(choice)).questions;
  return pointsOf(scored?.points ?? 0);
}

function keyOf({ questionId, version }: { questionId: string; version: number }): string {
  return `${questionId}/${version}`;
}

import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  exportQuizStatistics,
  getQuizStatistics,
  type QuestionStatistics,
  type QuizStatistics,
} from '@invigil/core/contract/review/statistics';
import { numberText, percentText } from '@invigil/core/domain/locale';
import { STATISTICS_LIMITS } from '@invigil/core/domain/results/statistics';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, Search } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatTimeSpent } from '../../lib/format.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { formatQuery } from '../../net/file-download.ts';
import { Content } from '../../question-view/content.tsx';
import { Badge } from '../../ui/badges/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { LabelledValues } from '../../ui/tables/table.tsx';
import { useMayOnQuiz } from '../data/assessments.ts';
import { downloadFile } from '../data/downloads.ts';
import { useGroupOptions } from '../data/people.ts';
import { bankQuestionQuery, editorOf } from '../data/questions.ts';
import { showFailure } from '../data/show-failure.ts';
import { Filters } from '../list/filter-select.tsx';
import { type Column, TableRows } from '../list/list.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { RescoreDialog } from '../parts/rescore-dialog.tsx';
import { Comparison } from './comparison.tsx';
import { OptionTable } from './option-table.tsx';
import { figure, SUSPICIONS } from './statistics-texts.ts';

/** The filter of the statistics; null: everyone. */
interface View {
  status: 'completed' | 'dismissed' | null;
  group: string | null;
  days: string | null;
  first: string | null;
  second: string | null;
}

const EVERYONE: View = { status: null, group: null, days: null, first: null, second: null };
const DAY_MS = 86_400_000;

function queryOf({ days, ...view }: View) {
  const { first, second, ...rest } = view;
  const compared = first !== null && second !== null && first !== second ? { first, second } : {};
  const given = Object.entries(rest).filter(([, value]) => value !== null);
  // Whole days, so that the same question is asked again for a while.
  const today = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const from = days === null ? {} : { from: new Date(today - Number(days) * DAY_MS).toISOString() };
  return { ...Object.fromEntries(given), ...compared, ...from };
}

/** Statistics of the assessment as a whole and of each question, with those to look at first. */
export function Statistics({ quiz }: { quiz: Quiz }) {
  const [view, setView] = useState(EVERYONE);
  const params = { id: quiz.id };
  const statistics = useQuery({
    ...endpointQuery(getQuizStatistics, { params, query: queryOf(view) }),
    placeholderData: keepPreviousData,
  });
  const { data } = statistics;
  return (
    <section aria-labelledby="statistics" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="statistics" className="w-full sm:me-auto sm:w-auto">
          Statistics
        </h2>
        <StatisticsTools quiz={quiz} view={view} onChange={setView} />
        <DownloadButton
          onDownload={async (format) => {
            const query = { ...queryOf(view), ...formatQuery(format) };
            const file = { name: 'Statistics', fallback: `statistics.${format}` };
            await downloadFile(file, exportQuizStatistics, { params, query });
          }}
          onFailed={(error) => showFailure('Failed to download the statistics', error)}
        >
          Download
        </DownloadButton>
      </div>
      {statistics.isPlaceholderData && <p role="status">Computing statistics...</p>}
      {statistics.isError && data === undefined ? (
        <LoadFailure title="Failed to load the statistics" read={statistics} />
      ) : data === undefined ? (
        <SkeletonRows>Computing statistics...</SkeletonRows>
      ) : (
        <div
          aria-busy={statistics.isPlaceholderData}
          className={`@container grid grid-cols-[minmax(0,1fr)] gap-4 ${statistics.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Enough n={data.test.n} />
          <TestFigures statistics={data} />
          {data.test.n > 0 && <Questions quiz={quiz} statistics={data} view={view} />}
        </div>
      )}
    </section>
  );
}

const STATUSES = [
  { value: 'completed' as const, label: 'Completed' },
  { value: 'dismissed' as const, label: 'Dismissed' },
];
const PERIODS = ['7', '30', '90', '365'].map((days) => ({
  value: days,
  label: `Last ${days} days`,
}));

function StatisticsTools({
  quiz,
  view,
  onChange,
}: {
  quiz: Quiz;
  view: View;
  onChange(view: View): void;
}) {
  const mayGroup = useMayOnQuiz(quiz)('people.see');
  const all = useGroupOptions(mayGroup);
  const groups = mayGroup ? all : [];
  const others = groups.filter(({ value }) => value !== view.first);
  const isSeveral = groups.length > 1;
  return (
    <Filters
      view={view}
      onNarrow={(change) => onChange({ ...view, ...change })}
      filters={[
        ['status', 'Status of the attempts', 'Any status', STATUSES, 'sm:w-36!'],
        ['days', 'Period of the statistics', 'Any time', PERIODS, 'sm:w-36!'],
        groups.length > 0 && ['group', 'Group', 'All groups', groups, 'sm:w-40!'],
        isSeveral && ['first', 'Compare this group', 'Compare a group…', groups, 'sm:w-44!'],
        isSeveral &&
          view.first !== null && ['second', 'With this group', '…with another', others, 'sm:w-40!'],
      ]}
    />
  );
}

function Enough({ n }: { n: number }) {
  const { few, some } = STATISTICS_LIMITS;
  if (n >= some) return null;
  const people = `${n} ${n === 1 ? 'attempt' : 'attempts'}`;
  return (
    <Notice tone="neutral" title={n < few ? 'Too few attempts' : 'Few attempts'}>
      {n < few
        ? `${people}: too few to judge a question by. From ${few} on, questions are marked that deserve a look.`
        : `${people}: each of these figures can change much with the next people. From ${some} on they are steadier.`}
    </Notice>
  );
}

const NO_RELIABILITY = {
  few: 'Reliability needs at least two attempts.',
  papers:
    'Papers have different questions, so there is no reliability: it needs at least two questions that everyone had.',
  questions: 'Reliability needs at least two questions.',
  variance: 'Everyone has the same points, so there is no reliability.',
} as const;

const timeOf = (seconds: number | null) =>
  seconds === null ? '–' : formatTimeSpent(Math.round(seconds));

function TestFigures({ statistics: { test, medianTime } }: { statistics: QuizStatistics }) {
  const { reliability } = test;
  const percent = (value: number | null) => (value === null ? '–' : percentText(value, 1));
  const common = 'alpha' in reliability ? reliability.common : undefined;
  const ofPart = common === undefined ? '' : ', common part';
  return (
    <Card className="px-5 py-4">
      <LabelledValues
        values={[
          ['Attempts', numberText(test.n)],
          ['Mean', percent(test.mean)],
          ['Median', percent(test.median)],
          ['Standard deviation', percent(test.sd)],
          ['Skewness', figure(test.skewness)],
          ['Kurtosis', figure(test.kurtosis)],
          'alpha' in reliability && [
            `${reliability.kind === 'kr20' ? 'KR-20' : 'Cronbach’s alpha'}${ofPart}`,
            figure(reliability.alpha),
          ],
          'alpha' in reliability && [`Standard error${ofPart}`, percent(reliability.sem)],
          ['Median time', timeOf(medianTime)],
        ]}
      />
      {'none' in reliability && test.n > 1 && (
        <p className="mt-3 text-sm text-ink-2">{NO_RELIABILITY[reliability.none]}</p>
      )}
      {common !== undefined && (
        <p className="mt-3 text-sm text-ink-2">
          {`Papers have different questions. Reliability is that of the common part: the ${common} questions that everyone had, and the standard error is in percent of their points.`}
        </p>
      )}
    </Card>
  );
}

/** Columns that a narrow screen shows with the details instead. */
const WIDE = '@max-[57rem]:hidden';

function Questions({
  quiz,
  statistics: { questions, test },
  view,
}: {
  quiz: Quiz;
  statistics: QuizStatistics;
  view: View;
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isUnfolded, setUnfolded] = useState(false);
  const ordered = questions.toSorted((a, b) => placeOf(a, test.n) - placeOf(b, test.n));
  const marked = ordered.filter((question) => placeOf(question, test.n) <= PLACES.marked);
  const shown = ordered.filter((question) => placeOf(question, test.n) < PLACES.drawnForFew);
  const folded = ordered.length - shown.length;
  const toggle = (id: string) => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <Card
      title="Questions"
      aside={
        <p className="text-sm text-ink-3">
          {marked.length === 0 ? 'None is marked' : `${marked.length} to look at first`}
        </p>
      }
    >
      <TableRows
        label="Statistics of the questions"
        rows={isUnfolded ? ordered : shown}
        keyOf={({ questionId }) => questionId}
        columns={[
          ...COLUMNS,
          {
            head: 'Details',
            isHeadHidden: true,
            end: true,
            cell: ({ number, questionId }) => (
              <IconButton
                label={`Details of question ${number}`}
                aria-expanded={open.has(questionId)}
                onClick={() => toggle(questionId)}
              >
                <ChevronDown className={open.has(questionId) ? 'rotate-180' : ''} />
              </IconButton>
            ),
          },
        ]}
        below={(question) =>
          open.has(question.questionId) && (
            <tr>
              <td
                colSpan={9}
                className="border-b border-line bg-sunken px-3 py-4 *:not-first:mt-4 sm:px-5"
              >
                {/* Said of the whole above, where everyone had the question. */}
                {question.n < test.n && <Enough n={question.n} />}
                <Details quiz={quiz} question={question} view={view} />
              </td>
            </tr>
          )
        }
      />
      {folded > 0 && (
        <div className="border-y border-line px-1.5 py-2">
          <Button
            variant="ghost"
            icon={<ChevronDown className={isUnfolded ? 'rotate-180' : ''} />}
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {folded === 1
              ? '1 drawn question, too few people'
              : `${folded} drawn questions, too few people each`}
          </Button>
        </div>
      )}
      <p className="px-5 py-3 text-sm text-ink-3">
        Facility: mean share of the points. With the rest: correlation with the rest of the paper.
        Upper − lower: facility of the best 27&nbsp;% less that of the lowest. Weight: share in the
        spread of the totals.
      </p>
    </Card>
  );
}

/** The size of the difference between two groups with the same total; null if it does not matter. */
function differenceIn({ comparison }: QuestionStatistics): 'B' | 'C' | null {
  const size = comparison?.class ?? 'A';
  return size === 'A' ? null : size;
}

/** The order of questions: doubtful ones, those that everyone had, drawn ones; the folded ones last. */
const PLACES = { wrongKey: 0, marked: 1, everyone: 2, drawn: 3, drawnForFew: 4 } as const;

function placeOf(question: QuestionStatistics, people: number): number {
  if (question.suspicions.includes('key')) return PLACES.wrongKey;
  if (question.suspicions.length > 0 || differenceIn(question) !== null) return PLACES.marked;
  // Nobody has a question that was left out.
  if (question.n === people || question.n === 0) return PLACES.everyone;
  return hadFew(question) ? PLACES.drawnForFew : PLACES.drawn;
}

const hadFew = ({ n }: QuestionStatistics) => n > 0 && n < STATISTICS_LIMITS.few;
/** A dash where too few had the question for it to mean anything. */
const judged = (question: QuestionStatistics, value: number | null) =>
  figure(hadFew(question) ? null : value);

const COLUMNS: readonly Column<QuestionStatistics>[] = [
  {
    head: 'Question',
    cell: (question) => (
      <span className="flex gap-2">
        <span className="w-6 flex-none text-end text-ink-3">{question.number}</span>
        <span className="grid min-w-0 gap-1">
          <span className="line-clamp-2 wrap-anywhere">
            <Content text={question.question} format={question.format} inline />
          </span>
          <span className="@min-[57rem]:hidden">
            <Marks question={question} />
          </span>
        </span>
      </span>
    ),
  },
  { head: 'People', end: true, className: WIDE, cell: ({ n }) => numberText(n) },
  {
    head: 'Facility',
    cell: ({ facility }) => (
      <span className="flex items-center gap-2">
        <span className="w-10 text-end">{figure(facility)}</span>
        <span aria-hidden="true" className="h-2 w-16 rounded-full bg-fill @max-[28rem]:hidden">
          <span
            data-shape=""
            className="block h-full rounded-full bg-chart"
            style={{ width: `${100 * Math.max(0, facility ?? 0)}%` }}
          />
        </span>
      </span>
    ),
  },
  { head: 'With the rest', end: true, className: WIDE, cell: (one) => judged(one, one.itemRest) },
  {
    head: 'Upper − lower',
    end: true,
    className: WIDE,
    cell: (one) => judged(one, one.discrimination),
  },
  {
    head: 'Weight',
    end: true,
    className: WIDE,
    cell: ({ effectiveWeight: weight }) => (weight === null ? '–' : percentText(100 * weight, 1)),
  },
  { head: 'Blank', end: true, className: WIDE, cell: (one) => one.omitted + one.notReached },
  { head: 'Look at first', className: WIDE, cell: (one) => <Marks question={one} /> },
];

/** A wrong key makes a question hard and without discrimination as well: only the cause is told. */
const toTell = ({ suspicions }: QuestionStatistics) =>
  suspicions.includes('key') ? (['key'] as const) : suspicions;

function Marks({ question }: { question: QuestionStatistics }) {
  const difference = differenceIn(question);
  return (
    <span className="flex flex-wrap gap-1">
      {question.correction === 'left_out' && <Badge>Left out</Badge>}
      {hadFew(question) && <Badge>Too few</Badge>}
      {toTell(question).map((one) => (
        <Badge key={one} tone={one === 'key' ? 'bad' : 'warn'} glyph="half">
          {SUSPICIONS[one].name}
        </Badge>
      ))}
      {difference !== null && (
        <Badge tone={difference === 'C' ? 'bad' : 'warn'} glyph="half">
          {`Groups differ (${difference})`}
        </Badge>
      )}
    </span>
  );
}

function Details({
  quiz,
  question,
  view,
}: {
  quiz: Quiz;
  question: QuestionStatistics;
  view: View;
}) {
  const may = useMayOnQuiz(quiz);
  return (
    <div className="grid gap-4">
      {toTell(question).map((one) => (
        <Notice
          key={one}
          tone={one === 'key' ? 'bad' : 'warn'}
          icon={<Search />}
          title={SUSPICIONS[one].name}
        >
          {SUSPICIONS[one].advice}
        </Notice>
      ))}
      {question.options.length > 0 && <OptionTable question={question} />}
      <LabelledValues
        values={[
          ['People', numberText(question.n)],
          ['With the rest', judged(question, question.itemRest)],
          ['Upper − lower', judged(question, question.discrimination)],
          ['Standard deviation', figure(question.sd)],
          ['Omitted', question.omitted],
          ['Not reached', question.notReached],
          ['Median time', timeOf(question.medianSeconds)],
          ['Reliability without it', figure(question.alphaWithout)],
        ]}
      />
      {question.comparison !== undefined && (
        <Comparison
          comparison={question.comparison}
          first={view.first ?? ''}
          second={view.second ?? ''}
        />
      )}
      {may('questions.edit') && (
        <div className="flex flex-wrap gap-3">
          {may('scores.correct') && <Correct quizId={quiz.id} question={question} />}
          <Link
            to={editorOf({ id: question.questionId, quizId: quiz.id })}
            className={buttonClasses('secondary', 'admin')}
          >
            Edit the question
          </Link>
        </div>
      )}
    </div>
  );
}

/** The dry run that exists, for this question. */
function Correct({ quizId, question }: { quizId: string; question: QuestionStatistics }) {
  const [open, setOpen] = useState(false);
  const stored = useQuery({ ...bankQuestionQuery(question.questionId), enabled: open });
  return (
    <>
      <Button onClick={() => setOpen(true)}>Correct how it counts</Button>
      {stored.isLoadingError && <LoadFailure title="Could not load the question" read={stored} />}
      {open && stored.data !== undefined && (
        <RescoreDialog
          question={stored.data}
          definition={stored.data.definition}
          quizId={quizId}
          asked
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

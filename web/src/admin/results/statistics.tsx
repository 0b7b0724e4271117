import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  exportQuizStatistics,
  getQuizStatistics,
  type QuestionStatistics,
  type QuizStatistics,
} from '@invigil/core/contract/review/statistics';
import { numberText, percentText } from '@invigil/core/domain/locale';
import { STATISTICS_LIMITS } from '@invigil/core/domain/results/statistics';
import { t } from '@invigil/core/texts/i18n';
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
          {t('results.statistics', 'Statistics')}
        </h2>
        <StatisticsTools quiz={quiz} view={view} onChange={setView} />
        <DownloadButton
          onDownload={async (format) => {
            const query = { ...queryOf(view), ...formatQuery(format) };
            const file = {
              name: t(/* name of a download */ 'results.statistics', 'Statistics'),
              fallback: `statistics.${format}`,
            };
            await downloadFile(file, exportQuizStatistics, { params, query });
          }}
          onFailed={(error) =>
            showFailure(
              t('results.statistics.downloadFailed', 'Failed to download the statistics'),
              error,
            )
          }
        >
          {t(/* a button */ 'results.download', 'Download')}
        </DownloadButton>
      </div>
      {statistics.isPlaceholderData && (
        <p role="status">{t('results.statistics.computing', 'Computing statistics...')}</p>
      )}
      {statistics.isError && data === undefined ? (
        <LoadFailure
          title={t('results.statistics.loadFailed', 'Failed to load the statistics')}
          read={statistics}
        />
      ) : data === undefined ? (
        <SkeletonRows>{t('results.statistics.computing', 'Computing statistics...')}</SkeletonRows>
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

const statusOptions = () => [
  {
    value: 'completed' as const,
    label: t(/* of an attempt */ 'results.status.completed', 'Completed'),
  },
  {
    value: 'dismissed' as const,
    label: t(
      /* of an attempt: its candidate was sent off */ 'results.status.dismissed',
      'Dismissed',
    ),
  },
];
const periodOptions = () =>
  [7, 30, 90, 365].map((count) => ({
    value: String(count),
    label: t(
      /* a period until now */ 'results.lastDays',
      '{count, plural, one {Last # day} other {Last # days}}',
      { count },
    ),
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
        [
          'status',
          t('results.filter.status', 'Status of the attempts'),
          t('portal.anyStatus', 'Any status'),
          statusOptions(),
          'sm:min-w-36',
        ],
        [
          'days',
          t('results.filter.period', 'Period of the statistics'),
          t('results.filter.anyTime', 'Any time'),
          periodOptions(),
          'sm:min-w-36',
        ],
        groups.length > 0 && [
          'group',
          t(/* a filter: a group of people */ 'results.filter.group', 'Group'),
          t('results.filter.allGroups', 'All groups'),
          groups,
          'sm:min-w-40',
        ],
        isSeveral && [
          'first',
          t('results.compare.first', 'Compare this group'),
          t(
            /* goes on with “…with another” beside it */ 'results.compare.firstAny',
            'Compare a group…',
          ),
          groups,
          'sm:min-w-44',
        ],
        isSeveral &&
          view.first !== null && [
            'second',
            t(
              /* the second of two groups that are compared */ 'results.compare.second',
              'With this group',
            ),
            t(
              /* goes on from “Compare a group…” beside it */ 'results.compare.withAnother',
              '…with another',
            ),
            others,
            'sm:min-w-40',
          ],
      ]}
    />
  );
}

function Enough({ n }: { n: number }) {
  const { few, some } = STATISTICS_LIMITS;
  if (n >= some) return null;
  return (
    <Notice
      tone="neutral"
      title={
        n < few
          ? t('results.enough.tooFew', 'Too few attempts')
          : t('results.enough.few', 'Few attempts')
      }
    >
      {n < few
        ? t(
            'results.enough.tooFewText',
            '{count, plural, one {# attempt: too few to judge a question by. From {few} on, questions are marked that deserve a look.} other {# attempts: too few to judge a question by. From {few} on, questions are marked that deserve a look.}}',
            { count: n, few },
          )
        : t(
            'results.enough.fewText',
            '{count, plural, one {# attempt: each of these figures can change much with the next people. From {some} on they are steadier.} other {# attempts: each of these figures can change much with the next people. From {some} on they are steadier.}}',
            { count: n, some },
          )}
    </Notice>
  );
}

const NO_RELIABILITY = {
  few: () =>
    t(
      /* reliability: a figure of statistics */ 'results.noReliability.few',
      'Reliability needs at least two attempts.',
    ),
  papers: () =>
    t(
      'results.noReliability.papers',
      'Papers have different questions, so there is no reliability: it needs at least two questions that everyone had.',
    ),
  questions: () =>
    t('results.noReliability.questions', 'Reliability needs at least two questions.'),
  variance: () =>
    t(
      'results.noReliability.variance',
      'Everyone has the same points, so there is no reliability.',
    ),
} as const;

/** @param isOfPart it is that of the questions that everyone had */
function reliabilityName(kind: 'kr20' | 'alpha', isOfPart: boolean): string {
  if (kind === 'kr20') {
    return isOfPart
      ? t(
          /* KR-20: a figure of statistics, of the questions that everyone had */ 'results.kr20Common',
          'KR-20, common part',
        )
      : 'KR-20';
  }
  return isOfPart
    ? t(
        /* a figure of statistics, of the questions that everyone had */ 'results.alphaCommon',
        'Cronbach’s alpha, common part',
      )
    : t(/* a figure of statistics */ 'results.alpha', 'Cronbach’s alpha');
}

const timeOf = (seconds: number | null) =>
  seconds === null ? '–' : formatTimeSpent(Math.round(seconds));

function TestFigures({ statistics: { test, medianTime } }: { statistics: QuizStatistics }) {
  const { reliability } = test;
  const percent = (value: number | null) => (value === null ? '–' : percentText(value, 1));
  const common = 'alpha' in reliability ? reliability.common : undefined;
  const isOfPart = common !== undefined;
  return (
    <Card className="px-5 py-4">
      <LabelledValues
        values={[
          [t(/* how many there are */ 'results.attempts', 'Attempts'), numberText(test.n)],
          [t(/* a term of statistics: the average */ 'results.mean', 'Mean'), percent(test.mean)],
          [t(/* a term of statistics */ 'results.median', 'Median'), percent(test.median)],
          [
            t(/* a term of statistics */ 'results.standardDeviation', 'Standard deviation'),
            percent(test.sd),
          ],
          [t(/* a term of statistics */ 'results.skewness', 'Skewness'), figure(test.skewness)],
          [t(/* a term of statistics */ 'results.kurtosis', 'Kurtosis'), figure(test.kurtosis)],
          'alpha' in reliability && [
            reliabilityName(reliability.kind, isOfPart),
            figure(reliability.alpha),
          ],
          'alpha' in reliability && [
            isOfPart
              ? t(
                  /* of the questions that everyone had */ 'results.standardErrorCommon',
                  'Standard error, common part',
                )
              : t(/* a term of statistics */ 'results.standardError', 'Standard error'),
            percent(reliability.sem),
          ],
          [t('results.medianTime', 'Median time'), timeOf(medianTime)],
        ]}
      />
      {'none' in reliability && test.n > 1 && (
        <p className="mt-3 text-sm text-ink-2">{NO_RELIABILITY[reliability.none]()}</p>
      )}
      {common !== undefined && (
        <p className="mt-3 text-sm text-ink-2">
          {t(
            'results.commonPart',
            '{count, plural, one {Papers have different questions. Reliability is that of the common part: the # question that everyone had, and the standard error is in percent of its points.} other {Papers have different questions. Reliability is that of the common part: the # questions that everyone had, and the standard error is in percent of their points.}}',
            { count: common },
          )}
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
      title={t('portal.questions', 'Questions')}
      aside={
        <p className="text-sm text-ink-3">
          {marked.length === 0
            ? t(/* of the questions */ 'results.noneMarked', 'None is marked')
            : t(
                /* of questions */ 'results.toLookAt',
                '{count, plural, one {# to look at first} other {# to look at first}}',
                { count: marked.length },
              )}
        </p>
      }
    >
      <TableRows
        label={t('results.questionsTable', 'Statistics of the questions')}
        rows={isUnfolded ? ordered : shown}
        keyOf={({ questionId }) => questionId}
        columns={[
          ...columnsOf(),
          {
            head: t(/* a column of buttons, read out */ 'results.details', 'Details'),
            isHeadHidden: true,
            end: true,
            cell: ({ number, questionId }) => (
              <IconButton
                label={t('results.detailsOf', 'Details of question {number}', { number })}
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
            {t(
              /* a button: drawn means taken from the bank by a rule */ 'results.folded',
              '{count, plural, one {# drawn question, too few people} other {# drawn questions, too few people each}}',
              { count: folded },
            )}
          </Button>
        </div>
      )}
      <p className="px-5 py-3 text-sm text-ink-3">
        {t(
          /* explains the columns Facility, With the rest, Upper − lower, Weight */ 'results.legend',
          'Facility: mean share of the points. With the rest: correlation with the rest of the paper. Upper − lower: facility of the best 27\u00a0% less that of the lowest. Weight: share in the spread of the totals.',
        )}
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

const columnsOf = (): readonly Column<QuestionStatistics>[] => [
  {
    head: t(/* a column */ 'portal.question', 'Question'),
    cell: (question) => (
      <span className="flex gap-2">
        <span className="w-6 flex-none text-end text-ink-3">{question.number}</span>
        <span className="grid min-w-0 gap-1">
          <bdi className="line-clamp-2 wrap-anywhere">
            <Content text={question.question} format={question.format} inline />
          </bdi>
          <span className="@min-[57rem]:hidden">
            <Marks question={question} />
          </span>
        </span>
      </span>
    ),
  },
  {
    head: t(/* a column: how many had the question */ 'results.peopleCount', 'People'),
    end: true,
    className: WIDE,
    cell: ({ n }) => numberText(n),
  },
  {
    head: t(
      /* a column, a term of statistics: mean share of the points */ 'results.facility',
      'Facility',
    ),
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
  {
    head: t(
      /* a column: correlation with the rest of the paper */ 'results.withTheRest',
      'With the rest',
    ),
    end: true,
    className: WIDE,
    cell: (one) => judged(one, one.itemRest),
  },
  {
    head: t(
      /* a column: facility of the best less that of the lowest */ 'results.upperLower',
      'Upper − lower',
    ),
    end: true,
    className: WIDE,
    cell: (one) => judged(one, one.discrimination),
  },
  {
    head: t(
      /* a column, a term of statistics: share in the spread of the totals */ 'results.weight',
      'Weight',
    ),
    end: true,
    className: WIDE,
    cell: ({ effectiveWeight: weight }) => (weight === null ? '–' : percentText(100 * weight, 1)),
  },
  {
    head: t(/* a column: how many gave no answer */ 'results.blank', 'Blank'),
    end: true,
    className: WIDE,
    cell: (one) => one.omitted + one.notReached,
  },
  {
    head: t(/* a column: what to look at first */ 'results.lookFirst', 'Look at first'),
    className: WIDE,
    cell: (one) => <Marks question={one} />,
  },
];

/** A wrong key makes a question hard and without discrimination as well: only the cause is told. */
const toTell = ({ suspicions }: QuestionStatistics) =>
  suspicions.includes('key') ? (['key'] as const) : suspicions;

function Marks({ question }: { question: QuestionStatistics }) {
  const difference = differenceIn(question);
  return (
    <span className="flex flex-wrap gap-1">
      {question.correction === 'left_out' && (
        <Badge>
          {t(/* said of a question that does not count */ 'results.leftOut', 'Left out')}
        </Badge>
      )}
      {hadFew(question) && (
        <Badge>{t(/* too few people had the question */ 'results.tooFew', 'Too few')}</Badge>
      )}
      {toTell(question).map((one) => (
        <Badge key={one} tone={one === 'key' ? 'bad' : 'warn'} glyph="half">
          {SUSPICIONS[one].name()}
        </Badge>
      ))}
      {difference !== null && (
        <Badge tone={difference === 'C' ? 'bad' : 'warn'} glyph="half">
          {t(
            /* class: B or C, a term of statistics */ 'results.groupsDiffer',
            'Groups differ ({class})',
            { class: difference },
          )}
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
          title={SUSPICIONS[one].name()}
        >
          {SUSPICIONS[one].advice()}
        </Notice>
      ))}
      {question.options.length > 0 && <OptionTable question={question} />}
      <LabelledValues
        values={[
          [
            t(/* a column: how many had the question */ 'results.peopleCount', 'People'),
            numberText(question.n),
          ],
          [
            t(
              /* a column: correlation with the rest of the paper */ 'results.withTheRest',
              'With the rest',
            ),
            judged(question, question.itemRest),
          ],
          [
            t(
              /* a column: facility of the best less that of the lowest */ 'results.upperLower',
              'Upper − lower',
            ),
            judged(question, question.discrimination),
          ],
          [
            t(/* a term of statistics */ 'results.standardDeviation', 'Standard deviation'),
            figure(question.sd),
          ],
          [
            t(/* how many gave no answer but went on */ 'results.omitted', 'Omitted'),
            question.omitted,
          ],
          [
            t(
              /* how many did not get as far as the question */ 'results.notReached',
              'Not reached',
            ),
            question.notReached,
          ],
          [t('results.medianTime', 'Median time'), timeOf(question.medianSeconds)],
          [
            t(/* it: the question */ 'results.reliabilityWithout', 'Reliability without it'),
            figure(question.alphaWithout),
          ],
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
            {t('results.editQuestion', 'Edit the question')}
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
      <Button onClick={() => setOpen(true)}>
        {t(
          /* a button: changes how a question counts */ 'results.correct',
          'Correct how it counts',
        )}
      </Button>
      {stored.isLoadingError && (
        <LoadFailure
          title={t('results.correct.loadFailed', 'Could not load the question')}
          read={stored}
        />
      )}
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

import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { getQuizResults, type QuizResults } from '@invigil/core/contract/review/results';
import { figureText, listText, numberText, percentText } from '@invigil/core/domain/locale';
import type { ResultRules } from '@invigil/core/domain/results/outcome';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { countText } from '../../lib/format.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { PercentChart } from '../../ui/bar-chart.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useMayOnQuiz } from '../data/assessments.ts';
import { type Column, TableRows } from '../list/list.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { WhoMay } from '../parts/permitted.tsx';
import { ReleaseCard } from './release-card.tsx';
import { RulesDialog } from './rules-dialog.tsx';
import { Statistics } from './statistics.tsx';

/** The numbers of passes, the distribution, the attempts with their report, and the statistics of an assessment. */
export function ResultsTab({
  quiz,
  attempts,
  report,
}: {
  quiz: Quiz;
  /** The list of its attempts. */
  attempts: ReactNode;
  /** The button that downloads its report. */
  report: ReactNode;
}) {
  const may = useMayOnQuiz(quiz);
  const seesFigures = may('figures.see');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {seesFigures && <Results quiz={quiz} />}
      {may('records.see') ? (
        <section aria-labelledby="attempts">
          <h2 id="attempts" className="mb-4">
            {t('results.attempts', 'Attempts')}
          </h2>
          {attempts}
        </section>
      ) : (
        <>
          {report}
          <WhoMay permissions={['records.see']} what="readSingleAttempts" />
        </>
      )}
      {/* Last: it has a row for each question. */}
      {seesFigures && <Statistics quiz={quiz} />}
    </div>
  );
}

function Results({ quiz }: { quiz: Quiz }) {
  const results = useQuery(endpointQuery(getQuizResults, { params: { id: quiz.id } }));
  if (results.isError)
    return (
      <LoadFailure title={t('results.loadFailed', 'Failed to load the results')} read={results} />
    );
  if (results.data === undefined)
    return <SkeletonRows rows={7}>{t('results.loading', 'Loading results...')}</SkeletonRows>;
  const { figures, rules } = results.data;
  return (
    <div className="@container grid gap-4">
      <Figures results={results.data} />
      <div className="grid items-start gap-4 @min-[57rem]:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          <Distribution results={results.data} />
          {rules !== null && rules.grades.length > 0 && (
            <Counts
              title={t('results.grades', 'Grades')}
              rows={figures.grades.map(({ name, attempts }) => [name, attempts])}
              of={figures.ended}
            />
          )}
        </div>
        <div className="grid gap-4">
          <RulesCard quiz={quiz} results={results.data} />
          <ReleaseCard quiz={quiz} />
        </div>
      </div>
      {figures.sections.length > 0 && <Sections sections={figures.sections} />}
    </div>
  );
}

const shareOf = (n: number, all: number) =>
  all === 0 ? '–' : percentText(Math.round((100 * n) / all));

function Figures({ results: { figures, rules } }: { results: QuizResults }) {
  const { ended, passed, failed, meanPercent } = figures;
  const tiles: [word: string, figure: string, beside?: string][] = [
    [t(/* attempts that have ended: how many */ 'results.finished', 'Finished'), numberText(ended)],
    [t('results.mean', 'Mean'), meanPercent === null ? '–' : percentText(meanPercent)],
    ...(rules === null || rules.passMark === null
      ? []
      : ([
          [
            t(/* how many passed */ 'results.passed', 'Passed'),
            numberText(passed),
            shareOf(passed, ended),
          ],
          [
            t(/* how many failed the assessment */ 'results.failed', 'Failed'),
            numberText(failed),
            shareOf(failed, ended),
          ],
        ] as [string, string, string][])),
  ];
  return (
    <ul
      aria-label={t('portal.results', 'Results')}
      className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-line [gap:1px] @min-[36rem]:auto-cols-fr @min-[36rem]:grid-flow-col"
    >
      {tiles.map(([word, figure, beside]) => (
        <li key={word} className="bg-surface px-4 py-3">
          {/* Boxes of their own: figures in one line would stand from left to right, in every language. */}
          <span className="flex items-baseline gap-2 tabular-nums">
            <span className="text-2xl font-semibold">{figure}</span>
            {beside !== undefined && <span className="text-sm text-ink-3">{beside}</span>}
          </span>
          <span className="block text-sm text-ink-2">{word}</span>
        </li>
      ))}
    </ul>
  );
}

/** The pass mark on the axis of percentages; null where papers have different points. */
function markOf({ rules, maxPoints }: QuizResults): number | null {
  const mark = rules?.passMark ?? null;
  if (mark === null) return null;
  if ('percent' in mark) return mark.percent;
  return maxPoints === null || maxPoints === 0
    ? null
    : Math.min(100, (100 * mark.points) / maxPoints);
}

function Distribution({ results }: { results: QuizResults }) {
  const { distribution, ended } = results.figures;
  const mark = markOf(results);
  return (
    <Card
      title={t('results.distribution', 'Score distribution')}
      aside={
        <p className="text-sm text-ink-3">
          {t('results.distribution.note', 'Finished attempts by percentage')}
        </p>
      }
    >
      {ended === 0 ? (
        <EmptyState>
          {t(
            /* in the place of a chart */ 'results.distribution.empty',
            'No attempt has finished yet',
          )}
        </EmptyState>
      ) : (
        <PercentChart
          caption={t('results.distribution', 'Score distribution')}
          countHead={t(/* a column */ 'results.distribution.count', 'Finished attempts')}
          distribution={distribution}
          mark={mark === null ? undefined : { at: mark, label: t('results.passMark', 'Pass mark') }}
        />
      )}
    </Card>
  );
}

function Counts({
  title,
  rows,
  of,
}: {
  title: string;
  rows: readonly [name: string, n: number][];
  of: number;
}) {
  return (
    <Card title={title}>
      <ul className="grid gap-2 px-5 py-4 tabular-nums">
        {rows.map(([name, n]) => (
          <li key={name} className="grid grid-cols-[7rem_minmax(0,1fr)_5rem] items-center gap-3">
            <bdi className="min-w-0 truncate" title={name}>
              {name}
            </bdi>
            <span aria-hidden="true" className="h-2 rounded-full bg-fill">
              <span
                data-shape=""
                className="block h-full rounded-full bg-chart"
                style={{ width: `${(100 * n) / Math.max(1, of)}%` }}
              />
            </span>
            <span className="text-end text-sm text-ink-2">{`${n} · ${shareOf(n, of)}`}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Section = QuizResults['figures']['sections'][number];

const belowColumn = (): Column<Section> => ({
  head: t(
    /* a column: how many are below the minimum of a section */ 'results.belowMinimum',
    'Below minimum',
  ),
  end: true,
  cell: ({ below }) => countText(below),
});

function Sections({ sections }: { sections: readonly Section[] }) {
  const haveMarks = sections.some(({ below }) => below !== null);
  return (
    <Card title={t('portal.sections', 'Sections')}>
      <TableRows
        label={t('portal.sections', 'Sections')}
        rows={sections}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t(/* a column */ 'results.column.section', 'Section'),
            cellClass: 'min-w-24 wrap-anywhere',
            cell: ({ title }) => title,
          },
          {
            head: t('results.attempts', 'Attempts'),
            end: true,
            cell: (one) => numberText(one.attempts),
          },
          {
            head: t('results.mean', 'Mean'),
            end: true,
            cell: (one) => percentText(one.meanPercent),
          },
          ...(haveMarks ? [belowColumn()] : []),
        ]}
      />
    </Card>
  );
}

/** The rules in sentences. */
function sentencesOf({ passMark, sectionMarks, grades }: ResultRules): ReactNode[] {
  return [
    passMark === null
      ? t('results.noPassMark', 'No pass mark.')
      : 'percent' in passMark
        ? t('results.passMarkPercent', 'Pass mark: {percent}.', {
            percent: percentText(passMark.percent),
          })
        : t(
            'results.passMarkPoints',
            '{count, plural, one {Pass mark: {points} point.} other {Pass mark: {points} points.}}',
            { count: passMark.points, points: figureText(passMark.points) },
          ),
    ...sectionMarks.map(({ title, percent }) =>
      t(
        /* section: its title; a minimum to pass */ 'results.sectionMinimum',
        'In “{section}” at least {percent}.',
        { section: isolated(title), percent: percentText(percent) },
      ),
    ),
    grades.length === 0
      ? t('results.noGradesSentence', 'No grades.')
      : t('results.gradesList', 'Grades: {list}.', {
          list: listText(
            grades.map(({ name, from }) =>
              t(
                /* the name of a grade and the percentage from which it is given */ 'results.gradeFrom',
                '{name} from {percent}',
                { name: isolated(name), percent: percentText(from) },
              ),
            ),
            'unit',
          ),
        }),
  ];
}

function RulesCard({ quiz, results }: { quiz: Quiz; results: QuizResults }) {
  const mayChange = useMayOnQuiz(quiz)('scores.correct');
  const [open, setOpen] = useState(false);
  const { rules } = results;
  return (
    <Card title={t('results.rules', 'Pass mark and grades')}>
      <div className="grid gap-3 px-5 py-4 text-ink-2">
        {rules === null ? (
          <p>
            {t(
              /* none: there are no rules */ 'results.noRules',
              'None. Results are points and percentages; candidates read that their results are under review.',
            )}
          </p>
        ) : (
          <>
            {sentencesOf(rules).map((sentence, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences without state
              <p key={i}>{sentence}</p>
            ))}
            <p className="text-sm text-ink-3">
              {t(
                'results.rounding',
                'Percentages are rounded to two decimals, half up. Who has the verdict “Breach of the rules” fails, and who was dismissed fails unless the verdict is “No concern”.',
              )}
            </p>
          </>
        )}
        {mayChange && (
          <Button className="w-fit" onClick={() => setOpen(true)}>
            {rules === null
              ? t(/* a button */ 'results.setRules', 'Set pass mark and grades')
              : t(/* a button: changes the rules */ 'results.change', 'Change')}
          </Button>
        )}
      </div>
      {open && <RulesDialog quiz={quiz} results={results} onClose={() => setOpen(false)} />}
    </Card>
  );
}

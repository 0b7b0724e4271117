import type { LiveAttempt, LiveEnded } from '@invigil/core/contract/review/live';
import { LIVE_LIMITS } from '@invigil/core/domain/limits';
import { compareNames, currentLanguage } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { formatClock, formatTime } from '../../../lib/format.ts';
import { timesInText } from '../../../lib/portal-times.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { Glyph } from '../../../ui/badges/glyphs.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card, EmptyState, PageHeader } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useMayOn } from '../../data/assessments.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { ActionBar } from '../../parts/action-dialog.tsx';
import { personName, sidesOf, useAnnouncements, useSteadyOrder } from './board-hooks.ts';
import { Halls } from './halls.tsx';
import { AttentionCard, LiveTile } from './live-tile.tsx';
import { OutageNotices } from './outage-notices.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { type Board, useLiveBoard } from './use-live-board.ts';

export function LiveScreen() {
  const [tries, setTries] = useState(1);
  // After a refusal, the administrator may have signed in in another tab: open another stream.
  return <LiveView key={tries} onRetry={() => setTries(tries + 1)} />;
}

function LiveView({ onRetry }: { onRetry(): void }) {
  const { board, isUp, refused } = useLiveBoard();
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('quizId');
  const setWanted = (quizId: string | null, group: string | null = null) =>
    setAddress(
      { ...(quizId === null ? {} : { quizId }), ...(group === null ? {} : { group }) },
      { replace: true },
    );
  const names = (board?.quizzes ?? []).map((quiz) => ({ value: quiz.quizId, label: quiz.title }));
  // An assessment without attempts in progress leaves the board, and the selection with it.
  const quizId = names.some(({ value }) => value === wanted) ? wanted : null;
  const groups = groupsOf(board, quizId);
  const wantedGroup = address.get('group');
  const group = groups.find((name) => name === wantedGroup) ?? null;
  return (
    <>
      <PageHeader
        title={t(/* the name of this page: attempts under way */ 'live.title', 'Live now')}
        subtitle={board === null ? everyoneText() : lastEndSentence(board, quizId)}
      >
        <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto">
          {board !== null && (
            <p className="text-sm text-ink-3 tabular-nums">
              {t(/* when this board was */ 'live.updated', 'Updated {time}', {
                time: formatClock(board.at),
              })}
            </p>
          )}
          <FilterSelect
            label={t(/* the name of a filter */ 'portal.assessment', 'Assessment')}
            any={t('portal.allAssessments', 'All Assessments')}
            className="sm:min-w-58"
            options={names}
            value={quizId}
            onChange={(id) => setWanted(id)}
          />
          {groups.length > 0 && (
            <FilterSelect
              label={t(/* of people */ 'people.field.group', 'Group')}
              any={t('people.allGroups', 'All groups')}
              className="sm:min-w-44"
              options={groups.map((name) => ({ value: name, label: name }))}
              value={group}
              onChange={(name) => setWanted(quizId, name)}
            />
          )}
        </div>
      </PageHeader>
      <OutageNotices />
      {refused !== null ? (
        <FailureNotice
          title={t('live.notAvailable', 'The live view is not available')}
          onRetry={onRetry}
        >
          {refused.sentence}
        </FailureNotice>
      ) : board === null ? (
        <Card>
          <SkeletonRows rows={5}>{t('live.loading', 'Loading the live board...')}</SkeletonRows>
        </Card>
      ) : (
        <BoardView board={board} isUp={isUp} quizId={quizId} group={group} />
      )}
    </>
  );
}

/** The groups of those who are taking an assessment. */
function groupsOf(board: Board | null, quizId: string | null): string[] {
  const all = [...(board?.attempts.values() ?? [])].flatMap((attempt) =>
    quizId === null || attempt.quizId === quizId ? (attempt.groups ?? []) : [],
  );
  return [...new Set(all)].sort(compareNames);
}

interface Opened {
  id: string;
  last: LiveAttempt | null;
}

function BoardView({
  board,
  isUp,
  quizId,
  group,
}: {
  board: Board;
  isUp: boolean;
  quizId: string | null;
  group: string | null;
}) {
  const { attempts, endsAt, clockOffsetMs } = board;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const sides = useMemo(() => sidesOf(attempts.values(), quizId, group), [attempts, quizId, group]);
  const attention = useSteadyOrder(sides.needAttention);
  const quiet = useSteadyOrder(sides.quiet);
  const announcement = useAnnouncements(sides.needAttention);
  // Stable functions, so that unchanged tiles are not rendered again.
  const onSelect = useCallback((id: string, on: boolean) => {
    setSelected((now) => {
      const next = new Set(now);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const shown = [...attention.order, ...quiet.order];
  const chosen = shown.filter(({ id }) => selected.has(id));
  const there = chosen.map(({ id }) => id);
  const quizIds = new Set(chosen.map(({ quizId }) => quizId));
  const onOpen = useCallback((id: string) => setOpened({ id, last: null }), []);
  const severalQuizzes = quizId === null && board.quizzes.length > 1;
  // A tile is drawn again only when its attempt changes.
  const language = currentLanguage();
  const tileOf = (attempt: LiveAttempt) => ({
    attempt,
    quizTitle: severalQuizzes ? attempt.quizTitle : null,
    endsAt: endsAt.get(attempt.id) ?? 0,
    selected: selected.has(attempt.id),
    clockOffsetMs,
    onSelect,
    onOpen,
  });
  // The dialog stays open with the last state when the attempt ends: a message may be half typed.
  const present = opened === null ? undefined : attempts.get(opened.id);
  if (opened !== null && present !== undefined && present !== opened.last) {
    setOpened({ id: opened.id, last: present });
  }
  const person = present ?? opened?.last ?? null;

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {!isUp && (
        <div className="mb-4">
          <Notice
            tone="warn"
            role="status"
            title={t('live.noConnection', 'No connection to the server')}
          >
            {t('live.outOfDate', 'This is out of date. Reconnecting…')}
          </Notice>
        </div>
      )}
      <Halls quizId={quizId} />
      <LiveFigures board={board} quizId={quizId} needAttention={sides.needAttention.length} />
      {shown.length === 0 && (
        <Card className="mb-7">
          <EmptyState>{noOneText()}</EmptyState>
        </Card>
      )}
      <ActionBar
        all={shown.map(({ id }) => id)}
        selected={there}
        paused={chosen.filter(({ pause }) => pause !== undefined).length}
        quizId={quizIds.size === 1 ? [...quizIds][0] : undefined}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <Side
        id="live-attention"
        title={t(/* a heading: candidates who need it */ 'live.attention.title', 'Needs attention')}
        note={t('live.attention.order', 'Most urgent first')}
        {...attention}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))] gap-4"
      >
        {(attempt) => <AttentionCard key={`${language} ${attempt.id}`} {...tileOf(attempt)} />}
      </Side>
      <Side
        id="live-writing"
        title={t(/* a heading: candidates under way */ 'live.inProgress.title', 'In progress')}
        note={t('live.inProgress.about', 'Questions answered, time left')}
        {...quiet}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-3"
      >
        {(attempt) => <LiveTile key={`${language} ${attempt.id}`} {...tileOf(attempt)} />}
      </Side>
      <EndedList ended={board.ended} quizId={quizId} />
      <p className="mt-3 text-sm text-ink-3">{timesInText()}</p>
      {person !== null && (
        <PersonDialog
          attempt={person}
          ended={present === undefined}
          endsAt={endsAt.get(person.id) ?? 0}
          clockOffsetMs={clockOffsetMs}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function Side({
  id,
  title,
  note,
  order,
  hold,
  className,
  children,
}: ReturnType<typeof useSteadyOrder> & {
  id: string;
  title: string;
  note: string;
  className: string;
  children(attempt: LiveAttempt): ReactNode;
}) {
  if (order.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mb-7">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={id}>{title}</h2>
        <span className="text-sm text-ink-3">{note}</span>
      </div>
      <ul {...hold} className={className}>
        {order.map(children)}
      </ul>
    </section>
  );
}

const everyoneText = () => t('live.subtitle', 'Everyone who is taking an assessment');
const noOneText = () => t('live.noOne', 'No one is taking an assessment right now.');

/** `Network Fundamentals. The last attempt ends at 11:04.` */
export function lastEndSentence(board: Board, quizId: string | null): string {
  const title = board.quizzes.find((quiz) => quiz.quizId === quizId)?.title;
  const attempts = [...board.attempts.values()].filter(
    (attempt) => quizId === null || attempt.quizId === quizId,
  );
  if (attempts.length === 0) {
    return title === undefined
      ? noOneText()
      : t(
          /* title: of an assessment */ 'live.noOneIn',
          '{title}. No one is taking an assessment right now.',
          { title: isolated(title) },
        );
  }
  // Nobody knows when one ends that is paused until somebody says so.
  const ends = attempts
    .filter(({ pause }) => pause === undefined || pause.until !== undefined)
    .map(({ id }) => board.endsAt.get(id) ?? 0);
  if (ends.length === 0) return title === undefined ? everyoneText() : isolated(title);
  const time = formatTime(Math.max(...ends));
  return title === undefined
    ? t('live.lastEnd', 'The last attempt ends at {time}.', { time })
    : t(
        /* title: of an assessment */ 'live.lastEndIn',
        '{title}. The last attempt ends at {time}.',
        { title: isolated(title), time },
      );
}

export function LiveFigures({
  board,
  quizId,
  needAttention,
}: {
  board: Board;
  quizId: string | null;
  needAttention: number;
}) {
  const quizzes = board.quizzes.filter((quiz) => quizId === null || quiz.quizId === quizId);
  const sum = (name: 'notStarted' | 'completed' | 'dismissed') =>
    quizzes.reduce((all, quiz) => all + quiz[name], 0);
  const writing = [...board.attempts.values()].filter(
    (attempt) => quizId === null || attempt.quizId === quizId,
  ).length;
  const figures: [label: string, sign: ReactNode, count: number][] = [
    [
      t(/* how many attempts */ 'live.figures.inProgress', 'In progress'),
      <Glyph key="sign" name="half" className="text-accent-ink" />,
      writing,
    ],
    [
      t(/* how many candidates */ 'live.figures.needAttention', 'Need attention'),
      <TriangleAlert key="sign" className="size-3.5 text-warn-ink" />,
      needAttention,
    ],
    [
      t(/* how many candidates have not */ 'live.figures.notStarted', 'Not started'),
      <Glyph key="sign" name="dashed" />,
      sum('notStarted'),
    ],
    [
      t(/* how many attempts */ 'live.figures.completed', 'Completed'),
      <Glyph key="sign" name="ticked" className="text-ok-ink" />,
      sum('completed'),
    ],
    [
      t(/* how many attempts were ended under the rules */ 'live.figures.dismissed', 'Dismissed'),
      <Glyph key="sign" name="slashed" className="text-bad-ink" />,
      sum('dismissed'),
    ],
  ];
  return (
    <Card className="mb-6">
      <dl className="grid grid-cols-2 gap-y-3 px-5 py-3.5 tabular-nums md:grid-cols-5 md:divide-x md:divide-line md:p-0">
        {figures.map(([label, sign, count]) => (
          <div key={label} className="md:px-5 md:py-3.5">
            <dt className="flex items-center gap-1.5 text-sm text-ink-2">
              {sign}
              {label}
            </dt>
            <dd className="text-2xl font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line px-5 py-2 text-sm text-ink-3">
        {t(
          'live.figures.about',
          'For assessments in progress. Completed and dismissed cover the last 24 hours.',
        )}
      </p>
    </Card>
  );
}

/** Leads to the record where the reader may see it. */
function PersonOf({ id, quizId, children }: { id: string; quizId: string; children: string }) {
  const mayRead = useMayOn(quizId)('records.see');
  if (!mayRead) return <bdi className="min-w-0 truncate font-medium">{children}</bdi>;
  return (
    <Link
      to={`/admin/participants/${id}`}
      dir="auto"
      className="min-w-0 truncate font-medium hover:text-accent-ink hover:underline"
    >
      {children}
    </Link>
  );
}

/** Attempts that ended in the last half hour; hidden if there are none. */
export function EndedList({
  ended,
  quizId,
}: {
  ended: readonly LiveEnded[];
  quizId: string | null;
}) {
  const shown = ended
    .filter((one) => quizId === null || one.quizId === quizId)
    .slice(0, LIVE_LIMITS.endedMax);
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="live-ended">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id="live-ended">
          {t(/* a heading: attempts that have ended */ 'live.finished.title', 'Finished')}
        </h2>
        <span className="text-sm text-ink-3">
          {shown.length === LIVE_LIMITS.endedMax
            ? t(
                /* attempts that have ended, so many of them */ 'live.finished.latest',
                '{count, plural, one {In the last 30 minutes, the latest #} other {In the last 30 minutes, the latest #}}',
                { count: LIVE_LIMITS.endedMax },
              )
            : t(/* attempts that have ended */ 'live.finished.when', 'In the last 30 minutes')}
        </span>
      </div>
      <Card>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(24rem,100%),1fr))] gap-x-6 px-5 py-2">
          {shown.map((one) => (
            <li
              key={one.id}
              className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 py-1"
            >
              <PersonOf id={one.id} quizId={one.quizId}>
                {personName(one)}
              </PersonOf>
              <span className="flex flex-none items-center gap-3 text-sm text-ink-2 tabular-nums">
                <StatusBadge status={one.status} />
                <time dateTime={one.submittedAt}>{formatTime(one.submittedAt)}</time>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

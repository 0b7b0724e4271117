import {
  getMailProblems,
  type MailProblems as Problems,
} from '@invigil/core/contract/invitations/outbox';
import type { Stats } from '@invigil/core/contract/review/stats';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn, ChevronRight, KeyRound, MailWarning, Plus, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDateTime, wholeMinutes } from '../../lib/format.ts';
import { scoreText } from '../../lib/score-text.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Glyph } from '../../ui/badges/glyphs.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx';
import { Trans } from '../../ui/trans.tsx';
import { useMayCreateQuiz, useQuizFigures, useQuizzes } from '../data/assessments.ts';
import { useMay, useMayAnywhere } from '../data/own-rights.ts';

/** The first steps, and which of them are done; gone once someone has started an assessment. */
export function FirstSteps({ hasAttempts }: { hasAttempts: boolean }) {
  const quizzes = useQuizzes().data;
  const figures = useQuizFigures();
  const mayCreate = useMayCreateQuiz();
  if (hasAttempts || quizzes === undefined || !mayCreate) return null;
  const [newest] = quizzes;
  const page = newest === undefined ? '/admin/quizzes' : `/admin/quizzes/${newest.id}`;
  const isReady = quizzes.some((quiz) => quiz.questionCount >= quiz.totalQuestions);
  const isInvited = [...figures.values()].some(({ invited }) => invited > 0);
  const steps = [
    {
      name: t('dashboard.steps.create', 'Create an assessment'),
      words: t('dashboard.steps.create.text', 'Title, duration, end date, and what is monitored.'),
      to: '/admin/quizzes',
      state: { create: true },
      isDone: quizzes.length > 0,
    },
    {
      name: t('portal.addQuestions', 'Add questions'),
      words: t(
        /* them: questions */ 'dashboard.steps.questions.text',
        'Write them, or bring them from a file.',
      ),
      to: `${page}/questions`,
      isDone: isReady,
    },
    {
      name: t('dashboard.steps.invite', 'Check and invite'),
      words: t(
        'dashboard.steps.invite.text',
        'Send yourself a test invitation, then invite candidates by email.',
      ),
      to: page,
      isDone: isInvited,
    },
    {
      name: t('dashboard.steps.watch', 'Watch and review'),
      words: t(
        /* writing: taking the assessment */ 'dashboard.steps.watch.text',
        'See who is writing, decide what was detected, download the report.',
      ),
      to: '/admin/guide/invigilator',
      isDone: false,
    },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <div className="mb-4">
      <Card
        title={t('dashboard.steps', 'First steps')}
        aside={
          <Link to="/admin/guide" className="text-sm font-medium text-accent-ink hover:underline">
            {t('dashboard.steps.guide', 'Read the guide')}
          </Link>
        }
      >
        <ol className="grid @min-[57rem]:grid-cols-4">
          {steps.map(({ name, words, to, state, isDone }, index) => {
            const isReachable = index === 0 || index === 3 || newest !== undefined;
            const text = (
              <>
                <span className="flex items-center gap-2 font-medium">
                  <Glyph name={isDone ? 'ticked' : index === next ? 'ring' : 'dashed'} />
                  {`${index + 1}. ${isolated(name)}`}
                  {isDone && (
                    <span className="sr-only">
                      {t(/* read out after a step that is done */ 'dashboard.steps.done', ', done')}
                    </span>
                  )}
                </span>
                <span className="mt-0.5 block text-sm text-ink-2">{words}</span>
              </>
            );
            return (
              <li
                key={name}
                className="border-b border-line last:border-b-0 @min-[57rem]:border-e @min-[57rem]:border-b-0 @min-[57rem]:last:border-e-0"
              >
                {isReachable ? (
                  <Link to={to} state={state} className="block h-full px-5 py-3.5 hover:bg-hover">
                    {text}
                  </Link>
                ) : (
                  <div className="px-5 py-3.5">{text}</div>
                )}
              </li>
            );
          })}
        </ol>
      </Card>
    </div>
  );
}

/** Label, number and explanation. Zero is shown as 0; the height is fixed while loading. */
export function StatCard({
  label,
  figure,
  loading = figure === undefined,
  meaning,
  aside,
}: {
  label: string;
  figure: number | string | undefined;
  loading?: boolean;
  meaning: string;
  aside: ReactNode;
}) {
  return (
    // Two cards side by side on a phone have no room next to the label: wrap the badge.
    <section
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)_auto] content-start items-start gap-x-2 rounded-lg border border-line bg-surface px-4 py-3.5 @min-[28rem]:px-5 @min-[28rem]:py-4"
    >
      <h2 className="min-h-5.5 text-base leading-5 font-medium text-ink-2 @max-[28rem]:col-span-2">
        {label}
      </h2>
      <span className="text-ink-3 @max-[28rem]:col-start-2 @max-[28rem]:row-start-2 @max-[28rem]:mt-4 [&>svg]:size-5 @max-[28rem]:[&>svg]:hidden">
        {aside}
      </span>
      {loading ? (
        <div
          role="status"
          className="col-span-full mt-2 grid h-14.5 content-center gap-3 @max-[28rem]:col-span-1"
        >
          <span className="sr-only">
            {t(
              /* figure: the name of a card, “Total Assessments” */ 'dashboard.loadingFigure',
              'Loading {figure}',
              { figure: label },
            )}
          </span>
          <Skeleton className="h-7 w-16" />
          <Skeleton className="w-2/3" />
        </div>
      ) : (
        <>
          <p className="mt-2 mb-0.5 text-3xl font-semibold tabular-nums @min-[28rem]:col-span-full">
            {figure}
          </p>
          <p className="col-span-full text-sm text-ink-3">{meaning}</p>
        </>
      )}
    </section>
  );
}

export function TopScorers({
  scorers,
  timeZone,
}: {
  scorers: Stats['topScorers'] | undefined;
  /** The time zone in which the week begins on Monday at 00:00. */
  timeZone: string | undefined;
}) {
  return (
    <Card
      title={t('dashboard.topScorers', 'Top Scorers This Week')}
      aside={
        timeZone && (
          <p className="text-sm text-ink-3">
            {t(
              /* when the week began */ 'dashboard.sinceMonday',
              'Since Monday 00:00, {timeZone}',
              { timeZone },
            )}
          </p>
        )
      }
    >
      {scorers === undefined ? (
        <SkeletonRows rows={3}>
          {t('dashboard.topScorers.loading', 'Loading scorers...')}
        </SkeletonRows>
      ) : scorers.length === 0 ? (
        <EmptyState>{t('dashboard.topScorers.none', 'No scorers data available')}</EmptyState>
      ) : (
        <ol className="tabular-nums">
          {scorers.map((scorer, index) => (
            <li
              key={`${scorer.name} ${scorer.quiz}`}
              className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-5 py-2 last:border-b-0"
            >
              <span
                data-shape=""
                className={`grid size-7 place-items-center rounded-full border-[1.5px] text-sm font-semibold ${index === 0 ? 'border-accent bg-accent text-on-accent' : 'border-line-strong text-ink-2'}`}
              >
                {index + 1}
              </span>
              <span className="min-w-0">
                <bdi className="block w-fit max-w-full truncate font-medium" title={scorer.name}>
                  {isolated(scorer.name)}
                </bdi>
                <bdi
                  className="block w-fit max-w-full truncate text-sm text-ink-3"
                  title={scorer.quiz}
                >
                  {scorer.quiz}
                </bdi>
              </span>
              <span className="text-end">
                <span className="block font-semibold">{scoreText(scorer, ' / ')}</span>
                <span className="text-sm text-ink-3">
                  {t(/* minutes */ 'dashboard.minutes', '{minutes} min', {
                    minutes: wholeMinutes(scorer.timeSpent),
                  })}
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

/** Open assessments that close within two weeks; hidden if there are none. */
export function EndingSoon({ quizzes }: { quizzes: Stats['endingSoon'] }) {
  if (quizzes.length === 0) return null;
  return (
    <Card title={t(/* title: assessments that close soon */ 'dashboard.endingSoon', 'Ending soon')}>
      <ul className="tabular-nums">
        {quizzes.map(({ quizId, title, endDate, invited, started }) => (
          <li
            key={quizId}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-b border-line px-5 py-2 last:border-b-0"
          >
            <span className="min-w-0">
              <Link
                to={`/admin/quizzes/${quizId}`}
                title={title}
                dir="auto"
                className="block w-fit max-w-full truncate font-medium underline-offset-4 hover:underline touch:leading-11"
              >
                {title}
              </Link>
              <time dateTime={endDate} className="block text-sm text-ink-3">
                {formatDateTime(endDate)}
              </time>
            </span>
            <span className="text-end text-sm text-ink-2">
              {t(
                /* numbers of people */ 'dashboard.startedInvited',
                '{started} started, {invited} invited',
                { started, invited },
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Unused one-time passwords that end within a week, with links to their holders; hidden if there are none. */
export function CodesEnding({ quizzes }: { quizzes: Stats['codesEnding'] }) {
  const mayRemind = useMayAnywhere()('people.see');
  if (quizzes.length === 0 || !mayRemind) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        icon={<KeyRound />}
        title={t('dashboard.codesEnding', 'Unused one-time passwords end within a week')}
      >
        <ul className="grid gap-0.5">
          {quizzes.map(({ quizId, title, people, until }) => (
            <li key={quizId}>
              <Trans
                id="dashboard.codesEnding.quiz"
                comment="one-time passwords that end: of how many invitations, to which assessment, when"
                message="{count, plural, one {<link># invitation to {title}</link>, on {time}} other {<link># invitations to {title}</link>, the first on {time}}}"
                values={{
                  count: people,
                  title: isolated(title),
                  time: <time dateTime={until}>{formatDateTime(until)}</time>,
                }}
                components={{
                  link: (
                    <Link
                      to={`/admin/quizzes/${quizId}/candidates?state=code_ending`}
                      className="font-medium underline underline-offset-4"
                    />
                  ),
                }}
              />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

const ACTIONS = [
  // The list opens the dialog, but not again on Back.
  {
    name: () => t(/* a link */ 'dashboard.createNew', 'Create New Assessment'),
    to: '/admin/quizzes',
    state: { create: true },
    Icon: Plus,
    permission: 'quizzes.edit',
  },
  {
    name: () => t(/* a link */ 'dashboard.sendInvitations', 'Send Invitations'),
    to: '/admin/quizzes',
    state: null,
    Icon: Send,
    permission: 'people.invite',
  },
  {
    name: () => t(/* a link */ 'dashboard.viewReports', 'View Reports'),
    to: '/admin/participants',
    state: null,
    Icon: ChartNoAxesColumn,
    permission: 'records.see',
  },
] as const;

export function QuickActions() {
  const mayAnywhere = useMayAnywhere();
  const mayCreate = useMayCreateQuiz();
  const own = ACTIONS.filter(({ permission }) =>
    permission === 'quizzes.edit' ? mayCreate : mayAnywhere(permission),
  );
  if (own.length === 0) return null;
  return (
    <Card title={t('dashboard.quickActions', 'Quick Actions')}>
      <ul>
        {own.map(({ name, to, state, Icon, permission }) => (
          <li key={permission} className="border-b border-line last:border-b-0">
            <Link
              to={to}
              state={state}
              className="flex min-h-12 items-center gap-3 pe-4 ps-5 font-medium hover:bg-hover"
            >
              <Icon aria-hidden="true" className="size-5 flex-none text-accent-ink" />
              <span>{name()}</span>
              <ChevronRight className="ms-auto size-4 flex-none text-ink-3" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const PROBLEMS = endpointQuery(getMailProblems, {});
const LINK = 'font-medium underline underline-offset-4';

/** Email that failed or is delayed, with links to it. Renders nothing without problems. */
export function MailProblems() {
  const { data } = useQuery({ ...PROBLEMS, enabled: useMay()('mail.see') });
  if (data === undefined) return null;
  const { quizzes, other, delayed, paused } = data;
  const failed = quizzes.reduce((sum, quiz) => sum + quiz.failed, 0) + other;
  if (failed + delayed === 0 && paused === undefined) return null;
  return (
    <div className="mb-4 grid gap-4">
      {paused !== undefined && <Paused {...paused} />}
      {failed + delayed > 0 && (
        <Notice
          tone={failed > 0 ? 'bad' : 'warn'}
          icon={<MailWarning />}
          title={
            failed > 0
              ? t(
                  'dashboard.mail.failed',
                  '{count, plural, one {# email could not be delivered} other {# emails could not be delivered}}',
                  { count: failed },
                )
              : t(
                  'dashboard.mail.delayed',
                  '{count, plural, one {# email is delayed} other {# emails are delayed}}',
                  { count: delayed },
                )
          }
        >
          <ul className="grid gap-0.5">
            {quizzes.map(({ id, title, failed: n }) => (
              <li key={id}>
                <Link to={`/admin/quizzes/${id}/candidates?state=failed`} className={LINK}>
                  {t(
                    /* emails that could not be delivered; title: of an assessment */ 'dashboard.mail.invitations',
                    '{count, plural, one {# invitation to {title}} other {# invitations to {title}}}',
                    { count: n, title: isolated(title) },
                  )}
                </Link>
              </li>
            ))}
            {other > 0 && (
              <li>
                <Link to="/admin/settings/outbox" className={LINK}>
                  {t(
                    'dashboard.mail.inOutbox',
                    '{count, plural, one {# email in the outbox} other {# emails in the outbox}}',
                    { count: other },
                  )}
                </Link>
              </li>
            )}
            {delayed > 0 && (
              <li>
                {t(
                  'dashboard.mail.notAccepted',
                  '{count, plural, one {The mail server has not accepted # email after several tries.} other {The mail server has not accepted # emails after several tries.}}',
                  { count: delayed },
                )}{' '}
                <Link to="/admin/settings/outbox" className={LINK}>
                  {t(/* a link */ 'dashboard.mail.openOutbox', 'Open the outbox')}
                </Link>
              </li>
            )}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function Paused({ reason, advice, waiting, nextTryAt }: NonNullable<Problems['paused']>) {
  return (
    <Notice
      tone="warn"
      icon={<MailWarning />}
      title={t(
        'dashboard.mail.paused',
        '{count, plural, one {# email waits for your mail provider} other {# emails wait for your mail provider}}',
        { count: waiting },
      )}
    >
      <p className="wrap-anywhere">{/[.!?]$/.test(reason) ? reason : `${reason}.`}</p>
      <p>{advice}</p>
      <p>
        {t('dashboard.mail.nextTry', 'No email is lost or marked as failed. Next try: {time}.', {
          time: formatDateTime(nextTryAt),
        })}{' '}
        <Link to="/admin/settings/outbox" className={LINK}>
          {t(/* a link */ 'dashboard.mail.openOutbox', 'Open the outbox')}
        </Link>
      </p>
    </Notice>
  );
}

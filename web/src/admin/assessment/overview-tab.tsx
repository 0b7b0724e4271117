import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { getQuizActivity, getStats } from '@invigil/core/contract/review/stats';
import type { InvitationState } from '@invigil/core/domain/invitation-states';
import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { policySummary } from '@invigil/core/texts/policy-form';
import { retakesText } from '@invigil/core/texts/retakes';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countText, formatDate, zoneName } from '../../lib/format.ts';
import { momentText } from '../../lib/moment-text.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { LabelledValues } from '../../ui/tables/table.tsx';
import { useMailServer, useMayOnQuiz } from '../data/assessments.ts';
import { useInvitationCounts } from '../data/invitations.ts';
import { LoadFailure } from '../parts/failures.tsx';
import { atOnceText, noEndDateText, otherTimesText, startByText } from '../parts/own-times.tsx';
import { WhoMay } from '../parts/permitted.tsx';
import { RecentActivity } from '../parts/recent-activity.tsx';
import { policyTitle } from './form/policy-editor.tsx';
import { startLabel, startText } from './form/start-together-fields.tsx';
import { PracticeCard } from './practice-card.tsx';

/** How an assessment stands: its people, what needs attention, its times, its policy, what happened last. */
export function OverviewTab({ quiz, check }: { quiz: Quiz; check: ReactNode }) {
  const may = useMayOnQuiz(quiz);
  const seesPeople = may('people.see');
  const canSend = useMailServer() === 'configured';
  const counts = useInvitationCounts(quiz.id, '', canSend, seesPeople);
  const latest = useQuery({
    ...endpointQuery(getQuizActivity, { params: { id: quiz.id } }),
    enabled: seesPeople,
  });
  // The statistics have the zone of the institution, and every role may read them.
  const stats = useQuery({ ...endpointQuery(getStats, {}), refetchOnMount: true });
  const mayCheck = may('people.invite') || may('quizzes.edit');
  return (
    <div className="@container grid gap-4">
      {quiz.asPractice !== undefined ? (
        <PracticeCard quiz={quiz} />
      ) : !seesPeople ? (
        <WhoMay permissions={['people.see']} what="seeCandidates" />
      ) : counts.isError ? (
        <LoadFailure
          title={t('assessment.figures.loadFailed', 'Failed to load the figures')}
          read={counts}
        />
      ) : (
        <Figures quizId={quiz.id} counts={counts.data} />
      )}
      <div className="grid items-start gap-4 @min-[57rem]:grid-cols-[minmax(0,1.72fr)_minmax(0,1fr)]">
        <div className="grid gap-4">
          {/* Before the first invitation, the check says what is missing. */}
          {quiz.asPractice !== undefined ? null : mayCheck &&
            (!seesPeople || counts.data?.all === 0) ? (
            check
          ) : (
            <Attention quiz={quiz} counts={counts.data} />
          )}
          {!seesPeople || quiz.asPractice !== undefined ? null : latest.isError ? (
            <LoadFailure
              title={t('assessment.activity.failed', 'Failed to load the activity')}
              read={latest}
            />
          ) : (
            <RecentActivity
              title={t('assessment.activity.title', 'Latest activity')}
              items={latest.data?.activity}
              all={may('records.see') ? `/admin/participants?quizId=${quiz.id}` : null}
            />
          )}
        </div>
        <div className="grid gap-4">
          <Times
            quiz={quiz}
            timeZone={stats.data?.timeZone ?? (stats.isError ? zoneName() : null)}
          />
          <PolicyCard quiz={quiz} />
        </div>
      </div>
    </div>
  );
}

const FIGURES: readonly { state: InvitationState | null; word: () => string }[] = [
  { state: null, word: () => t(/* how many candidates */ 'assessment.figures.invited', 'Invited') },
  {
    state: 'sent',
    word: () => t(/* how many emails */ 'assessment.figures.delivered', 'Delivered'),
  },
  { state: 'failed', word: () => t(/* how many emails */ 'assessment.figures.failed', 'Failed') },
  {
    state: 'signed_in',
    word: () => t(/* how many candidates */ 'assessment.figures.signedIn', 'Signed in'),
  },
  {
    state: 'started',
    word: () => t(/* how many candidates */ 'assessment.figures.started', 'Started'),
  },
  {
    state: 'finished',
    word: () => t(/* how many candidates */ 'assessment.figures.finished', 'Finished'),
  },
  {
    state: 'to_review',
    word: () => t(/* how many attempts are */ 'assessment.figures.toReview', 'To review'),
  },
];

/** Each figure leads to the people whom it counts. */
function Figures({ quizId, counts }: { quizId: string; counts: InvitationCounts | undefined }) {
  return (
    <ul
      aria-label={t(/* the name of a list of figures */ 'portal.candidates', 'Candidates')}
      className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-line [gap:1px] @min-[36rem]:grid-cols-4 @min-[57rem]:grid-cols-7"
    >
      {FIGURES.map(({ state, word }) => {
        // Revoked invitations are in the list of all, and invite no one.
        const n = state === null ? counts && counts.all - counts.revoked : counts?.[state];
        return (
          <li
            key={state ?? 'all'}
            className="bg-surface @max-[36rem]:first:col-span-2 @min-[36rem]:@max-[57rem]:first:col-span-2"
          >
            <Link
              to={`/admin/quizzes/${quizId}/candidates${state === null ? '' : `?state=${state}`}`}
              className="block px-4 py-3 hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span
                className={`block text-2xl font-semibold tabular-nums ${state === 'failed' && (n ?? 0) > 0 ? 'text-bad-ink' : ''}`}
              >
                {countText(n)}
              </span>
              <span className="text-sm text-ink-2">{word()}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const showText = () => t(/* these candidates; a link (verb) */ 'assessment.attention.show', 'Show');

/** Lists what needs to be done, each with a link. */
function Attention({ quiz, counts }: { quiz: Quiz; counts: InvitationCounts | undefined }) {
  const mailServer = useMailServer();
  const may = useMayOnQuiz(quiz);
  const to = (path: string, name: string) => (
    <Link to={path} className="font-medium text-accent-ink underline underline-offset-4">
      {name}
    </Link>
  );
  const page = `/admin/quizzes/${quiz.id}`;
  const { failed = 0, to_review: toReview = 0, code_ending: ending = 0, queued = 0 } = counts ?? {};
  const missing = quiz.totalQuestions - quiz.questionCount;
  const points: (false | readonly [sentence: string, link: ReactNode])[] = [
    missing > 0 && [
      t(
        /* an assessment */ 'assessment.attention.questions',
        '{total, plural, one {It has {count} of # question.} other {It has {count} of # questions.}}',
        { count: numberText(quiz.questionCount), total: quiz.totalQuestions },
      ),
      may('questions.edit') &&
        to(`${page}/questions`, t(/* a link */ 'portal.addQuestions', 'Add questions')),
    ],
    queued > 0 &&
      (mailServer === 'missing' || mailServer === 'off') && [
        mailServer === 'off'
          ? t(
              'assessment.attention.mailOff',
              '{count, plural, one {# person waits for an email, and the mail server is switched off.} other {# people wait for an email, and the mail server is switched off.}}',
              { count: queued },
            )
          : t(
              'assessment.attention.noMail',
              '{count, plural, one {# person waits for an email, and there is no mail server.} other {# people wait for an email, and there is no mail server.}}',
              { count: queued },
            ),
        to('/admin/settings', t(/* a link */ 'assessment.attention.settings', 'Open the settings')),
      ],
    failed > 0 && [
      t(
        'assessment.attention.failed',
        '{count, plural, one {The email to # person could not be delivered.} other {The email to # people could not be delivered.}}',
        { count: failed },
      ),
      to(`${page}/candidates?state=failed`, showText()),
    ],
    ending > 0 && [
      t(
        'assessment.attention.passwords',
        '{count, plural, one {The one-time password of # person ends soon.} other {The one-time passwords of # people end soon.}}',
        { count: ending },
      ),
      to(`${page}/candidates?state=code_ending`, showText()),
    ],
    toReview > 0 && [
      t(
        'assessment.attention.toReview',
        '{count, plural, one {# attempt waits for a reviewer.} other {# attempts wait for a reviewer.}}',
        { count: toReview },
      ),
      may('records.see') &&
        to(
          `/admin/participants?quizId=${quiz.id}&review=open`,
          t(/* attempts; a link (verb) */ 'assessment.attention.review', 'Review'),
        ),
    ],
  ];
  const due = points.filter((point) => point !== false);
  if (counts === undefined) return null;
  if (due.length === 0) {
    return (
      <Notice tone="ok" icon={<CircleCheck />}>
        {t('assessment.attention.none', 'Nothing needs attention.')}
      </Notice>
    );
  }
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={t(/* what does; a heading */ 'assessment.attention.title', 'Needs attention')}
    >
      <ul className="grid gap-1">
        {due.map(([sentence, link]) => (
          <li key={sentence}>
            {sentence} {link}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The times in the institution's zone, with the reader's own beside it; a dash until the zone is known. */
function Times({ quiz, timeZone }: { quiz: Quiz; timeZone: string | null }) {
  const mayEdit = useMayOnQuiz(quiz)('quizzes.edit');
  const moment = (at: string | null | undefined, none: string) =>
    at == null ? (
      none
    ) : timeZone === null ? (
      '–'
    ) : (
      <time dateTime={at}>{momentText(at, timeZone, zoneName())}</time>
    );
  return (
    <Card
      title={t(
        /* when an assessment opens and ends; a heading */ 'assessment.times.title',
        'Times',
      )}
    >
      <div className="px-5 py-4">
        <LabelledValues
          values={[
            [
              t(/* when an assessment does */ 'assessment.times.opens', 'Opens'),
              moment(quiz.opensAt, atOnceText()),
            ],
            [t('assessment.times.endDate', 'End date'), moment(quiz.endDate, noEndDateText())],
            ...(quiz.startBy === undefined
              ? []
              : ([[startByText(), moment(quiz.startBy, '')]] as const)),
            [
              t('portal.duration', 'Duration'),
              t('assessment.times.minutes', '{count, plural, one {# minute} other {# minutes}}', {
                count: quiz.duration,
              }),
            ],
            ...(quiz.startTogether
              ? [[startLabel(), startText(quiz.startTogether.by)] as const]
              : []),
            [
              t(/* when an assessment was */ 'assessment.times.created', 'Created'),
              formatDate(quiz.createdAt),
            ],
          ]}
        />
        {quiz.retakes !== undefined && quiz.retakes.attempts > 1 && (
          <p className="mt-3 text-sm text-ink-2">{retakesText(quiz.retakes)}</p>
        )}
        {quiz.timeRules !== undefined && (
          <p className="mt-3 text-sm text-ink-2">
            {mayEdit ? (
              <Link
                to={`/admin/quizzes/${quiz.id}/settings`}
                className="font-medium text-accent-ink underline-offset-4 hover:underline"
              >
                {otherTimesText(quiz.timeRules)}
              </Link>
            ) : (
              otherTimesText(quiz.timeRules)
            )}
          </p>
        )}
        {quiz.endDate !== null && (
          <p className="mt-3 text-sm text-ink-2">
            {quiz.finishAfterEnd
              ? t('assessment.times.mayFinish', 'Who has started may finish after the end date.')
              : t(
                  'assessment.times.endsAll',
                  'The end date ends every attempt; who starts late has less time.',
                )}
          </p>
        )}
      </div>
    </Card>
  );
}

function PolicyCard({ quiz }: { quiz: Quiz }) {
  const { preset } = quiz.policy;
  const mayChange = useMayOnQuiz(quiz)('quizzes.edit');
  return (
    <Card title={policyTitle(preset)}>
      <div className="grid gap-2 px-5 py-4 text-ink-2">
        <p>{policySummary(quiz.policy)}</p>
        {mayChange && (
          <Link
            to={`/admin/quizzes/${quiz.id}/settings`}
            className="w-fit text-sm font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            {t(/* a policy; a link (verb) */ 'assessment.policy.change', 'Change')}
          </Link>
        )}
      </div>
    </Card>
  );
}

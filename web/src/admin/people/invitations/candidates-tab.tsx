import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import type { InvitationState } from '@invigil/core/domain/invitation-states';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { statusOf } from '@invigil/core/domain/quiz-status';
import { t } from '@invigil/core/texts/i18n';
import { Bell, Info, KeyRound, Send } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { countText, formatDateTime } from '../../../lib/format.ts';
import { timesInText } from '../../../lib/portal-times.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { SelectControl } from '../../../ui/fields/select-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PressButton } from '../../../ui/press-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { Trans } from '../../../ui/trans.tsx';
import { useMailServer, useMayOnQuiz } from '../../data/assessments.ts';
import {
  downloadInvitations,
  findInvitationIds,
  INVITATIONS_VIEW,
  type InvitationsFilter,
  STATE_WORDS,
  useInvitationCounts,
} from '../../data/invitations.ts';
import { showFailure } from '../../data/show-failure.ts';
import { useAllThatMatch, useSelection } from '../../list/selection-bar.tsx';
import { useView } from '../../list/use-view.ts';
import { DownloadButton } from '../../parts/download-button.tsx';
import { WhoMay } from '../../parts/permitted.tsx';
import { ToInvite } from '../invite/invite-people.tsx';
import { DeliveryProgress } from '../invite/invite-progress.tsx';
import { type InvitationDialog, InvitationDialogs } from './invitation-dialogs.tsx';
import { InvitationsList } from './invitations-list.tsx';

/** Everyone invited to an assessment, with their mail, their progress and their result. */
export function CandidatesTab({ quiz }: { quiz: Quiz }) {
  const { view: filter, show, narrow } = useView(INVITATIONS_VIEW);
  const mailServer = useMailServer();
  const canSend = mailServer === 'configured';
  const mayInvite = useMayOnQuiz(quiz)('people.invite');
  const counts = useInvitationCounts(quiz.id, filter.search, canSend);
  // Only invitations on the screen may be revoked.
  const { selected, select, clear } = useSelection<string>({
    list: `${filter.state} ${filter.search}`,
  });
  const { state } = useLocation();
  const [opened, setOpened] = useState<InvitationDialog | null>(() => {
    const emails = mayInvite ? ToInvite.safeParse(state).data?.toInvite : undefined;
    return emails ? { action: 'invite', emails } : null;
  });
  const all = useAllThatMatch(
    t('people.invitations.failed', 'Failed to load invitations'),
    () => findInvitationIds(quiz.id, filter),
    select,
  );
  const toRemind = useAllThatMatch(
    t('people.invitations.failed', 'Failed to load invitations'),
    () => findInvitationIds(quiz.id, { state: 'not_started', search: '' }),
    (ids) => {
      if (ids.length > 0) setOpened({ action: 'remind', ids });
      else
        toast({
          title: t('invitations.noOneToRemind', 'No one to remind'),
          description: t('invitations.noOneToRemind.hint', 'Everyone invited has started.'),
        });
    },
  );
  const isDelivering = canSend && (counts.data?.queued ?? 0) + (counts.data?.uncertain ?? 0) > 0;

  return (
    <>
      <div className="grid gap-4">
        <CandidateNotices
          quiz={quiz}
          counts={counts.data}
          mayInvite={mayInvite}
          isEnding={filter.state === 'code_ending'}
        />
        <div className="flex flex-wrap items-center gap-3 sm:gap-y-4">
          <InvitationStates
            counts={counts.data}
            state={filter.state}
            onState={(state) => narrow({ state })}
          />
          <search className="min-w-0 flex-1 sm:max-w-80 sm:basis-48">
            <SearchBox
              label={t('people.search', 'Search by name, email, number or group')}
              placeholder={t('people.search.placeholder', 'Name, email, number or group')}
              maxLength={320}
              value={filter.search}
              onSearch={(search) => narrow({ search }, true)}
            />
          </search>
          <SelectControl
            aria-label={t(/* a label: how a list is sorted */ 'portal.order', 'Order')}
            className="w-full! sm:w-40!"
            options={orders()}
            value={filter.sort}
            onChange={(sort) => narrow({ sort })}
          />
          <div className="flex flex-wrap gap-2.5 sm:ms-auto">
            <DownloadButton
              onDownload={(format) => downloadInvitations(quiz.id, filter, format)}
              onFailed={(error) =>
                showFailure(t('people.download.failed', 'Failed to download the list'), error)
              }
            >
              {t(/* a button */ 'people.download', 'Download list')}
            </DownloadButton>
            {mayInvite && (
              <>
                <Button
                  icon={<Bell />}
                  aria-disabled={!quiz.isOpen}
                  busy={toRemind.isBusy && t('portal.loading', 'Loading…')}
                  onClick={toRemind.onSelect}
                >
                  <span>
                    <Trans
                      id="invitations.remindAll"
                      comment="a button; <more> is not shown on phones"
                      message="Remind all<more> who have not started</more>"
                      components={{ more: <span className="max-sm:sr-only" /> }}
                    />
                  </span>
                </Button>
                <Button
                  icon={<Send />}
                  aria-disabled={!quiz.isOpen}
                  onClick={() => setOpened({ action: 'invite' })}
                >
                  {t(/* a button */ 'invitations.send', 'Send invitations')}
                </Button>
              </>
            )}
          </div>
        </div>
        <InvitationsList
          quizId={quiz.id}
          isDelivering={isDelivering}
          selection={{
            selected,
            onSelect: select,
            onClear: clear,
            all,
            onAction: (action) => setOpened({ action, ids: [...selected] }),
          }}
          onAccommodate={(invitation) => setOpened({ action: 'accommodate', invitation })}
        />
        {!mayInvite && <WhoMay permissions={['people.invite']} what="inviteCandidates" />}
        <p className="text-sm text-ink-3">{timesInText()}</p>
      </div>
      <InvitationDialogs
        quiz={quiz}
        mailServer={mailServer}
        opened={opened}
        onClose={(which) => {
          setOpened((now) => (now === which ? null : now));
          // The people for whom it was opened are done: reloading does not open it again.
          if (state !== null) show(filter, true);
        }}
        onDone={clear}
      />
    </>
  );
}

/** Notices about what keeps people from being invited, from getting their emails and from signing in. */
function CandidateNotices({
  quiz,
  counts,
  mayInvite,
  isEnding,
}: {
  quiz: Quiz;
  counts: InvitationCounts | undefined;
  mayInvite: boolean;
  /** Whether the list shows those whose password ends soon. */
  isEnding: boolean;
}) {
  const mailServer = useMailServer();
  const ending = counts?.code_ending ?? 0;
  return (
    <>
      {!quiz.isOpen && mayInvite && (
        <Notice icon={<Info />}>
          {statusOf(quiz, Date.now()) === 'ended'
            ? t('invitations.ended', 'This assessment has ended, so no invitations can be sent.')
            : t(
                'invitations.inactive',
                'This assessment is inactive, so no invitations can be sent.',
              )}
        </Notice>
      )}
      {counts !== undefined && counts.queued + counts.uncertain > 0 && (
        <DeliveryProgress counts={counts} mailServer={mailServer} />
      )}
      {isEnding && ending > 0 && (
        <Notice tone="warn" icon={<KeyRound />} title={endingWords(ending, quiz.endDate === null)}>
          {quiz.endDate === null
            ? t(
                /* one: a one-time password */ 'invitations.reminderBrings',
                '{days, plural, one {A reminder brings a new one, valid for # day.} other {A reminder brings a new one, valid for # days.}}',
                { days: CODE_LIMITS.oneTimeCodeValidDays },
              )
            : t(
                'invitations.passwordsUntil',
                'Passwords are valid until the end date of the assessment, {end}.',
                { end: formatDateTime(quiz.endDate) },
              )}
        </Notice>
      )}
    </>
  );
}

/** No password of an open assessment with an end date has ended. */
function endingWords(count: number, mayHaveEnded: boolean): string {
  return mayHaveEnded
    ? t(
        'invitations.endingOrEnded',
        '{count, plural, one {# person has not started, and their one-time password ends soon or has ended} other {# people have not started, and their one-time passwords end soon or have ended}}',
        { count },
      )
    : t(
        'invitations.ending',
        '{count, plural, one {# person has not started, and their one-time password ends soon} other {# people have not started, and their one-time passwords end soon}}',
        { count },
      );
}

const orders = (): { value: InvitationsFilter['sort']; label: string }[] => [
  {
    value: 'invitedAt',
    label: t(/* the order of a list */ 'portal.newestFirst', 'Newest first'),
  },
  { value: 'name', label: t(/* the order of a list */ 'invitations.byName', 'By name') },
];

const ALL = 'all' as const;

const GROUPS: readonly { label: () => string; states: readonly InvitationState[] }[] = [
  {
    label: () =>
      t(/* the head of a column: what became of the email */ 'invitations.mail', 'Email'),
    states: ['queued', 'sent', 'uncertain', 'failed'],
  },
  {
    label: () => t(/* the head of states of candidates */ 'portal.candidate', 'Candidate'),
    states: [
      'not_started',
      'signed_in',
      'code_ending',
      'started',
      'finished',
      'to_review',
      'revoked',
    ],
  },
];

export function InvitationStates({
  counts,
  state,
  onState,
}: {
  counts: InvitationCounts | undefined;
  state: InvitationState | null;
  onState(state: InvitationState | null): void;
}) {
  const all = t(/* candidates */ 'invitations.all', 'All');
  // A state has no button until it has people.
  const isShown = (each: InvitationState) => each === state || (counts?.[each] ?? 0) > 0;
  const options = [null, ...GROUPS.flatMap(({ states }) => states.filter(isShown))].map((each) => ({
    value: each ?? ALL,
    label: `${each === null ? all : STATE_WORDS[each]()} (${figureOf(counts?.[each ?? 'all'])})`,
  }));
  return (
    <>
      {/* A phone has no room for ten buttons: use a select. */}
      <SelectControl
        aria-label={t(/* a label: of invitations */ 'portal.state', 'State')}
        className="min-w-0 flex-1 sm:hidden!"
        options={options}
        value={state ?? ALL}
        onChange={(next) => onState(next === ALL ? null : next)}
      />
      <div className="flex w-full flex-wrap items-center gap-x-5 gap-y-2 max-sm:hidden">
        <PressButton
          word={all}
          figure={figureOf(counts?.all)}
          isPressed={state === null}
          onPress={() => onState(null)}
        />
        {GROUPS.filter(({ states }) => states.some(isShown)).map(({ label, states }) => (
          <fieldset key={states[0]} className="flex flex-wrap items-center gap-1.5">
            <legend className="float-start me-1 text-sm text-ink-3">{label()}</legend>
            {states.filter(isShown).map((each) => (
              <PressButton
                key={each}
                word={STATE_WORDS[each]()}
                figure={figureOf(counts?.[each])}
                ink={INKS[each] ?? ''}
                isPressed={state === each}
                onPress={() => onState(state === each ? null : each)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </>
  );
}

const figureOf = (n: number | undefined) => countText(n);

const INKS: Partial<Record<InvitationState, string>> = {
  failed: 'text-bad-ink',
  code_ending: 'text-warn-ink',
};

import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { listText } from '@invigil/core/domain/locale';
import type { Permission } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import {
  Award,
  Bell,
  Clock,
  CopyPlus,
  KeyRound,
  MessageSquare,
  RotateCcw,
  SlidersHorizontal,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatDateTime, formatTimeSpent } from '../../../lib/format.ts';
import { mailReason, mailStatus } from '../../../lib/mail.ts';
import { scoreText } from '../../../lib/score-text.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { Trans } from '../../../ui/trans.tsx';
import { useMayOn } from '../../data/assessments.ts';
import {
  INVITATIONS_PER_PAGE,
  INVITATIONS_VIEW,
  invitations,
  NO_INVITATIONS_FILTER,
  useAccommodationTexts,
  useInvitations,
} from '../../data/invitations.ts';
import { unknownText } from '../../data/people.ts';
import { type Column, List, Rows } from '../../list/list.tsx';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { useView } from '../../list/use-view.ts';
import { KnownOf, PersonLink } from '../../parts/known-of.tsx';
import { OutcomeOf, PercentOf } from '../../parts/outcome.tsx';
import { ReviewState } from '../../parts/verdicts.tsx';

const CARDS_BELOW_PX = 1_040;

/** A page of those invited, as the filter selects them. */
export function InvitationsList({
  quizId,
  isDelivering,
  selection,
  onAccommodate,
}: {
  quizId: string;
  isDelivering: boolean;
  selection: Selection;
  onAccommodate(invitation: Invitation): void;
}) {
  const { view: filter, show, pages } = useView(INVITATIONS_VIEW);
  const page = useInvitations(quizId, filter, isDelivering);
  const may = useMayOn(quizId);
  const actions = ACTIONS.filter(({ permission }) => may(permission));
  const total = page.data?.total ?? 0;
  const { onAction, all, ...selected } = selection;
  return (
    <List
      read={page}
      failure={t('people.invitations.failed', 'Failed to load invitations')}
      loading={t('people.invitations.loading', 'Loading invitations...')}
      none={
        <EmptyState>
          {t('invitations.none', 'No one has been invited to this assessment yet.')}
        </EmptyState>
      }
      narrowed={
        (filter.state !== null || filter.search !== '') && {
          sentence: t('invitations.noMatch', 'No invitation matches these filters.'),
          onClear: () => show(NO_INVITATIONS_FILTER),
        }
      }
      pages={{ ...pages, perPage: INVITATIONS_PER_PAGE, total: invitations }}
      cardsBelow={CARDS_BELOW_PX}
      above={
        actions.length > 0 && (
          <SelectionBar
            {...selected}
            label={t('people.selectAll', 'Select all on this page')}
            ids={(page.data?.rows ?? []).map(({ id }) => id)}
            all={{ total, most: total, ...all }}
            isZeroShown={false}
          >
            {actions.map(({ action, word, Icon }) => (
              <Button
                key={action}
                variant={action === 'revoke' ? 'danger-ghost' : 'secondary'}
                size="dense"
                icon={<Icon />}
                onClick={() => onAction(action)}
              >
                {word()}
              </Button>
            ))}
          </SelectionBar>
        )
      }
    >
      {(rows, asCards) => (
        <InvitationRows
          rows={rows}
          asCards={asCards}
          may={may}
          selected={selection.selected}
          onSelect={selection.onSelect}
          onAccommodate={onAccommodate}
        />
      )}
    </List>
  );
}

interface Selection {
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onClear(): void;
  onAction(action: SelectionAction): void;
  /** Selects all that match. */
  all: { isBusy: boolean; onSelect(): void };
}

type Attempt = NonNullable<Invitation['attempt']>;

/** A value that exists once the person has started; before, a card leaves it out. */
const ofAttempt =
  (show: (attempt: Attempt) => ReactNode) =>
  ({ attempt }: Invitation) =>
    attempt == null ? null : show(attempt);

const columns = (): readonly Column<Invitation>[] => [
  {
    head: t(/* the head of a column: what became of the email */ 'invitations.mail', 'Email'),
    cell: (row) => <MailOf invitation={row} />,
    card: false,
  },
  {
    head: t(/* the head of a column */ 'portal.status', 'Status'),
    card: false,
    cell: (row) => (
      <>
        <StatusBadge status={row.status} />
        <div className="mt-0.5 text-xs whitespace-nowrap text-ink-3">
          <LatestStep invitation={row} />
        </div>
      </>
    ),
  },
  {
    head: t(/* the head of a column */ 'portal.score', 'Score'),
    end: true,
    cellClass: 'whitespace-nowrap',
    cell: (row) => <ResultOf invitation={row} />,
    card: (row) => (row.attempt == null ? null : <ResultOf invitation={row} />),
  },
  {
    head: t(/* the head of a column */ 'portal.violations', 'Violations'),
    cell: ofAttempt(({ violationCount, violationLimit }) => (
      <ViolationPips count={violationCount} max={violationLimit} />
    )),
  },
  {
    head: t(/* the head of a column */ 'portal.timeSpent', 'Time Spent'),
    end: true,
    cellClass: 'whitespace-nowrap',
    cell: ofAttempt(({ timeSpent }) => formatTimeSpent(timeSpent)),
  },
  {
    head: t(/* the head of a column: noun */ 'invitations.column.review', 'Review'),
    cellClass: 'min-w-32',
    cell: ofAttempt((attempt) => <ReviewState row={attempt} />),
    card: ofAttempt((attempt) =>
      attempt.toReview || attempt.verdict !== null ? <ReviewState row={attempt} /> : null,
    ),
  },
];

function InvitationRows({
  rows,
  asCards,
  ...list
}: InvitationListProps & { rows: readonly Invitation[]; asCards: boolean }) {
  const actions = (row: Invitation) => <InvitationActions invitation={row} {...list} />;
  return (
    <Rows
      label={t(/* people who were invited */ 'portal.candidates', 'Candidates')}
      rows={rows}
      asCards={asCards}
      columns={[
        {
          head: t(/* the head of a column */ 'portal.candidate', 'Candidate'),
          cellClass: 'min-w-56',
          card: false,
          cell: (row) => (
            <>
              <NameOf invitation={row} {...list} />
              <div className="ms-7">
                <NotesOf invitation={row} />
              </div>
            </>
          ),
        },
        ...columns(),
        {
          head: t(/* the head of a column of buttons */ 'portal.actions', 'Actions'),
          isHeadHidden: true,
          end: true,
          cellClass: 'pe-2! ps-0!',
          card: false,
          cell: actions,
        },
      ]}
      valuesClass="ms-7 max-sm:ms-0"
      cardHead={(row) => (
        <>
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 flex-1 gap-1.5">
              <NameOf invitation={row} {...list} />
              <span className="ms-7 flex flex-wrap gap-1.5 max-sm:ms-0">
                <MailOf invitation={row} />
                <StatusBadge status={row.status} />
              </span>
            </div>
            {actions(row)}
          </div>
          <div className="ms-7 grid gap-1 max-sm:ms-0">
            <p className="text-sm text-ink-2">
              <LatestStep invitation={row} />
            </p>
            <NotesOf invitation={row} />
          </div>
        </>
      )}
    />
  );
}

/** The last step that has happened, and when. */
export function LatestStep({ invitation }: { invitation: Invitation }) {
  const { submittedAt, startedAt, signedInAt, invitedAt } = invitation;
  if (submittedAt !== null) {
    return (
      <Trans
        id="invitations.step.finished"
        comment="said of a candidate; time: a date and a time of day"
        message="Finished {time}"
        values={{ time: <TimeOf at={submittedAt} /> }}
      />
    );
  }
  if (startedAt !== null) {
    return (
      <Trans
        id="invitations.step.started"
        comment="said of a candidate; time: a date and a time of day"
        message="Started {time}"
        values={{ time: <TimeOf at={startedAt} /> }}
      />
    );
  }
  return signedInAt !== null ? (
    <Trans
      id="invitations.step.signedIn"
      comment="said of a candidate; time: a date and a time of day"
      message="Signed in {time}"
      values={{ time: <TimeOf at={signedInAt} /> }}
    />
  ) : (
    <Trans
      id="invitations.step.invited"
      comment="said of a candidate; time: a date and a time of day"
      message="Invited {time}"
      values={{ time: <TimeOf at={invitedAt} /> }}
    />
  );
}

/** `11 of 15`, in points where questions have them; a dash before the end. */
function ResultOf({ invitation: { attempt } }: { invitation: Invitation }) {
  const text = attempt && scoreText(attempt, ' of ');
  return text ? (
    <>
      <span className="font-medium">{text}</span> <PercentOf of={attempt} />
      <div className="mt-0.5 *:flex-nowrap">
        <OutcomeOf outcome={attempt.outcome} />
      </div>
    </>
  ) : (
    <span className="text-ink-3">–</span>
  );
}

interface InvitationListProps {
  may: (permission: Permission) => boolean;
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onAccommodate(invitation: Invitation): void;
}

const addressOf = ({ email }: Invitation) => email ?? unknownText();
const nameOf = (invitation: Invitation) => isolated(invitation.userName ?? addressOf(invitation));

/** The person of a row, with a checkbox for readers who have an action for it. */
function NameOf({
  invitation,
  may,
  selected,
  onSelect,
}: Omit<InvitationListProps, 'onAccommodate'> & { invitation: Invitation }) {
  const name = (
    <span className="font-medium break-all touch:py-3">
      <PersonLink userId={invitation.userId} isErased={invitation.email === null}>
        {nameOf(invitation)}
      </PersonLink>
    </span>
  );
  if (!ACTIONS.some(({ permission }) => may(permission))) return <div className="ms-7">{name}</div>;
  return (
    <div className="flex items-start">
      <Checkbox
        label=""
        aria-label={nameOf(invitation)}
        checked={selected.has(invitation.id)}
        onChange={(event) => onSelect([invitation.id], event.target.checked)}
      />
      {name}
    </div>
  );
}

export function MailOf({ invitation: { mail, revokedAt } }: { invitation: Invitation }) {
  if (revokedAt !== null) return <StatusBadge status="revoked" />;
  return <StatusBadge status={mail === null ? 'no_email' : mailStatus(mail)} />;
}

/** Why the email has not arrived, until when the password works, and this person's accommodations. */
export function NotesOf({ invitation }: { invitation: Invitation }) {
  const { mail, revokedAt, codeValidUntil } = invitation;
  const reason = mail === null || revokedAt !== null ? null : mailReason(mail);
  const arranged = useAccommodationTexts(invitation);
  return (
    <>
      <KnownOf person={invitation} email={addressOf(invitation)} />
      {reason !== null && (
        <p
          className={`text-sm wrap-anywhere ${mail?.state === 'failed' ? 'text-bad-ink' : 'text-ink-2'}`}
        >
          {reason}
        </p>
      )}
      {codeValidUntil !== null && (
        <p className="text-sm text-ink-3">
          {Date.parse(codeValidUntil) < Date.now() ? (
            <Trans
              id="invitations.passwordEnded"
              comment="time: a date and a time of day"
              message="Password ended {time}"
              values={{ time: <TimeOf at={codeValidUntil} /> }}
            />
          ) : (
            <Trans
              id="invitations.passwordUntil"
              comment="time: a date and a time of day"
              message="Password until {time}"
              values={{ time: <TimeOf at={codeValidUntil} /> }}
            />
          )}
        </p>
      )}
      {arranged.length > 0 && (
        <p className="text-sm text-ink-2">
          {t(
            /* {list}: '+25 % time', 'no camera' */ 'people.accommodations',
            'Accommodations: {list}',
            { list: listText(arranged, 'unit') },
          )}
        </p>
      )}
    </>
  );
}

function TimeOf({ at }: { at: string | null }) {
  if (at === null) return <span className="text-ink-3">–</span>;
  return <time dateTime={at}>{formatDateTime(at)}</time>;
}

/** A link to the record if there is one; before, the accommodations. */
function InvitationActions({
  invitation,
  may,
  onAccommodate,
}: Pick<InvitationListProps, 'may' | 'onAccommodate'> & { invitation: Invitation }) {
  const { participantId } = invitation;
  const email = nameOf(invitation);
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {participantId !== null && may('records.see') && (
        <Link
          to={`/admin/participants/${participantId}`}
          aria-label={t(
            /* of an attempt; {name}: of a person */ 'invitations.openRecord',
            'Open the record of {name}',
            { name: isolated(email) },
          )}
          className="flex-none text-sm leading-8 font-medium text-accent-ink underline-offset-4 hover:underline touch:leading-11"
        >
          {t(/* a link, to the record of an attempt */ 'people.invitations.open', 'Open')}
        </Link>
      )}
      {may('people.invite') && (
        <IconButton
          label={t('invitations.accommodate.of', 'Times and devices of {name}', {
            name: isolated(email),
          })}
          tooltip={t('invitations.accommodate.title', 'Times and devices')}
          unavailable={
            invitation.status === 'not_started'
              ? undefined
              : t(
                  'invitations.accommodate.inRecord',
                  'Give extra time in the record of the attempt',
                )
          }
          onClick={() => onAccommodate(invitation)}
        >
          <SlidersHorizontal />
        </IconButton>
      )}
    </span>
  );
}

export type SelectionAction =
  | 'resend'
  | 'remind'
  | 'revoke'
  | 'extend'
  | 'message'
  | 'passwords'
  | 'another'
  | 'release';

const ACTIONS = [
  {
    action: 'remind',
    word: () => t(/* a button; candidates */ 'invitations.remind', 'Remind'),
    Icon: Bell,
    permission: 'people.invite',
  },
  {
    action: 'resend',
    word: () => t(/* a button; invitations */ 'invitations.resend', 'Resend'),
    Icon: RotateCcw,
    permission: 'people.invite',
  },
  {
    action: 'extend',
    word: () => t(/* a button */ 'portal.extraTime', 'Extra time'),
    Icon: Clock,
    permission: 'attempts.act',
  },
  {
    action: 'message',
    word: () => t(/* a label; what is sent to a candidate */ 'portal.message', 'Message'),
    Icon: MessageSquare,
    permission: 'attempts.act',
  },
  {
    action: 'passwords',
    word: () => t('invite.passwords', 'One-time passwords'),
    Icon: KeyRound,
    permission: 'passwords.print',
  },
  {
    action: 'another',
    word: () => t(/* a button */ 'invitations.another.confirm', 'Allow another attempt'),
    Icon: CopyPlus,
    permission: 'attempts.act',
  },
  {
    action: 'release',
    word: () => t(/* a button */ 'invitations.release', 'Release results'),
    Icon: Award,
    permission: 'scores.correct',
  },
  {
    action: 'revoke',
    word: () => t(/* a button; invitations */ 'invitations.revoke', 'Revoke'),
    Icon: Undo2,
    permission: 'people.invite',
  },
] as const;

import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import type { Permission } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
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
import { useMayOn } from '../../data/assessments.ts';
import {
  accommodationText,
  INVITATIONS_PER_PAGE,
  INVITATIONS_VIEW,
  invitations,
  NO_INVITATIONS_FILTER,
  useInvitations,
} from '../../data/invitations.ts';
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
      failure="Failed to load invitations"
      loading="Loading invitations..."
      none={<EmptyState>No one has been invited to this assessment yet.</EmptyState>}
      narrowed={
        (filter.state !== null || filter.search !== '') && {
          sentence: 'No invitation matches these filters.',
          onClear: () => show(NO_INVITATIONS_FILTER),
        }
      }
      pages={{ ...pages, perPage: INVITATIONS_PER_PAGE, total: invitations }}
      cardsBelow={CARDS_BELOW_PX}
      above={
        actions.length > 0 && (
          <SelectionBar
            {...selected}
            label="Select all on this page"
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
                {word}
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

const COLUMNS: readonly Column<Invitation>[] = [
  { head: 'Email', cell: (row) => <MailOf invitation={row} />, card: false },
  {
    head: 'Status',
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
    head: 'Score',
    end: true,
    cellClass: 'whitespace-nowrap',
    cell: (row) => <ResultOf invitation={row} />,
    card: (row) => (row.attempt == null ? null : <ResultOf invitation={row} />),
  },
  {
    head: 'Violations',
    cell: ofAttempt(({ violationCount, violationLimit }) => (
      <ViolationPips count={violationCount} max={violationLimit} />
    )),
  },
  {
    head: 'Time Spent',
    end: true,
    cellClass: 'whitespace-nowrap',
    cell: ofAttempt(({ timeSpent }) => formatTimeSpent(timeSpent)),
  },
  {
    head: 'Review',
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
      label="Candidates"
      rows={rows}
      asCards={asCards}
      columns={[
        {
          head: 'Candidate',
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
        ...COLUMNS,
        {
          head: 'Actions',
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

const STEPS = [
  ['Finished', 'submittedAt'],
  ['Started', 'startedAt'],
  ['Signed in', 'signedInAt'],
  ['Invited', 'invitedAt'],
] as const;

/** The last step that has happened, and when. */
export function LatestStep({ invitation }: { invitation: Invitation }) {
  const [word, step] = STEPS.find(([, each]) => invitation[each] !== null) ?? STEPS[3];
  return (
    <>
      {`${word} `}
      <TimeOf at={invitation[step]} />
    </>
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

const nameOf = ({ userName, email }: Invitation) => isolated(userName ?? email ?? 'Unknown');

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
  const arranged = accommodationText(invitation);
  return (
    <>
      <KnownOf person={invitation} email={invitation.email ?? 'Unknown'} />
      {reason !== null && (
        <p
          className={`text-sm wrap-anywhere ${mail?.state === 'failed' ? 'text-bad-ink' : 'text-ink-2'}`}
        >
          {reason}
        </p>
      )}
      {codeValidUntil !== null && (
        <p className="text-sm text-ink-3">
          {`Password ${Date.parse(codeValidUntil) < Date.now() ? 'ended' : 'until'} `}
          <time dateTime={codeValidUntil}>{formatDateTime(codeValidUntil)}</time>
        </p>
      )}
      {arranged.length > 0 && (
        <p className="text-sm text-ink-2">{`Accommodations: ${arranged.join(', ')}`}</p>
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
          aria-label={`Open the record of ${isolated(email)}`}
          className="flex-none text-sm leading-8 font-medium text-accent-ink underline-offset-4 hover:underline touch:leading-11"
        >
          Open
        </Link>
      )}
      {may('people.invite') && (
        <IconButton
          label={`Extra time and devices of ${isolated(email)}`}
          tooltip="Extra time and devices"
          unavailable={
            invitation.status === 'not_started'
              ? undefined
              : 'Give extra time in the record of the attempt'
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
  { action: 'remind', word: 'Remind', Icon: Bell, permission: 'people.invite' },
  { action: 'resend', word: 'Resend', Icon: RotateCcw, permission: 'people.invite' },
  { action: 'extend', word: 'Extra time', Icon: Clock, permission: 'attempts.act' },
  { action: 'message', word: 'Message', Icon: MessageSquare, permission: 'attempts.act' },
  {
    action: 'passwords',
    word: 'One-time passwords',
    Icon: KeyRound,
    permission: 'passwords.print',
  },
  {
    action: 'another',
    word: 'Allow another attempt',
    Icon: CopyPlus,
    permission: 'attempts.act',
  },
  { action: 'release', word: 'Release results', Icon: Award, permission: 'scores.correct' },
  { action: 'revoke', word: 'Revoke', Icon: Undo2, permission: 'people.invite' },
] as const;

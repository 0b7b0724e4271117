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
import { Link } from 'react-router';
import { formatDateTime, formatTimeSpent, scoreText } from '../../../lib/format.ts';
import { mailReason, mailStatus } from '../../../lib/mail.ts';
import { Badge, StatusBadge } from '../../../ui/badges/badge.tsx';
import { MailBadge } from '../../../ui/badges/mail-badge.tsx';
import { ViolationPips } from '../../../ui/badges/violation-pips.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Card, EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { ListFooter } from '../../../ui/tables/pagination.tsx';
import {
  Cell,
  HeadCell,
  LabelledValue,
  LabelledValues,
  Row,
  Table,
  useContainerWidth,
} from '../../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { useMayOn } from '../../data/assessments.ts';
import {
  accommodationText,
  INVITATIONS_PER_PAGE,
  type InvitationsFilter,
  invitations,
  NO_INVITATIONS_FILTER,
  useInvitations,
} from '../../data/invitations.ts';
import { SelectionBar } from '../../list/selection-bar.tsx';
import { LoadFailure } from '../../parts/failures.tsx';
import { KnownOf, PersonLink } from '../../parts/known-of.tsx';
import { OutcomeOf, PercentOf } from '../../parts/outcome.tsx';
import { ReviewState } from '../../parts/verdicts.tsx';

const CARDS_BELOW_PX = 1_040;

export function InvitationsList({
  quizId,
  filter,
  onChange,
  isDelivering,
  onAccommodate,
  ...selection
}: {
  quizId: string;
  filter: InvitationsFilter;
  onChange(next: InvitationsFilter): void;
  isDelivering: boolean;
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onSelectAll(): void;
  selectingAll: boolean;
  onClear(): void;
  onAction(action: SelectionAction): void;
  onAccommodate(invitation: Invitation): void;
}) {
  const page = useInvitations(quizId, filter, isDelivering);
  const [container, width] = useContainerWidth();
  const List = width !== null && width < CARDS_BELOW_PX ? InvitationCards : InvitationTable;
  const { data } = page;
  const may = useMayOn(quizId);
  const actions = ACTIONS.filter(({ permission }) => may(permission));
  const isFiltered = filter.state !== null || filter.search !== '';
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / INVITATIONS_PER_PAGE));

  if (data === undefined && page.isError) {
    return <LoadFailure title="Failed to load invitations" read={page} />;
  }
  return (
    <div ref={container}>
      <Card>
        {data === undefined ? (
          <SkeletonRows>Loading invitations...</SkeletonRows>
        ) : data.total === 0 ? (
          isFiltered ? (
            <EmptyState
              action={
                <Button onClick={() => onChange(NO_INVITATIONS_FILTER)}>Clear filters</Button>
              }
            >
              No invitation matches these filters.
            </EmptyState>
          ) : (
            <EmptyState>No one has been invited to this assessment yet.</EmptyState>
          )
        ) : data.rows.length === 0 ? (
          <EmptyState
            action={<Button onClick={() => onChange({ ...filter, page: 1 })}>First page</Button>}
          >
            This page is now empty.
          </EmptyState>
        ) : (
          <div
            aria-busy={page.isPlaceholderData}
            className={page.isPlaceholderData ? 'opacity-60' : ''}
          >
            {actions.length > 0 && (
              <InvitationsSelection
                {...selection}
                actions={actions}
                pageIds={data.rows.map((row) => row.id)}
                total={data.total}
              />
            )}
            <List
              rows={data.rows}
              may={may}
              selected={selection.selected}
              onSelect={selection.onSelect}
              onAccommodate={onAccommodate}
            />
          </div>
        )}
        {data !== undefined && data.total > 0 && (
          <ListFooter
            total={invitations(data.total)}
            page={filter.page}
            pages={pages}
            onPage={(page) => onChange({ ...filter, page })}
          />
        )}
      </Card>
    </div>
  );
}

function InvitationTable({ rows, ...list }: InvitationListProps) {
  return (
    <Table label="Candidates">
      <thead>
        <tr>
          <HeadCell>Candidate</HeadCell>
          <HeadCell>Email</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell end>Score</HeadCell>
          <HeadCell>Violations</HeadCell>
          <HeadCell end>Time Spent</HeadCell>
          <HeadCell>Review</HeadCell>
          <HeadCell end>
            <VisuallyHidden>Actions</VisuallyHidden>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell className="min-w-64">
              <NameOf invitation={row} {...list} />
              <div className="ml-7">
                <NotesOf invitation={row} />
              </div>
            </Cell>
            <Cell>
              <MailOf invitation={row} />
            </Cell>
            <Cell>
              <StatusBadge status={row.status} />
              <div className="mt-0.5 text-xs whitespace-nowrap text-ink-3">
                <LatestStep invitation={row} />
              </div>
            </Cell>
            <Cell end className="whitespace-nowrap">
              <ResultOf invitation={row} />
            </Cell>
            <Cell>
              {row.attempt && (
                <ViolationPips
                  count={row.attempt.violationCount}
                  max={row.attempt.violationLimit}
                />
              )}
            </Cell>
            <Cell end className="whitespace-nowrap">
              {row.attempt && formatTimeSpent(row.attempt.timeSpent)}
            </Cell>
            <Cell className="min-w-32">{row.attempt && <ReviewState row={row.attempt} />}</Cell>
            <Cell end className="pr-2! pl-0!">
              <InvitationActions invitation={row} {...list} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
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
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <span className="font-medium">{text}</span> <PercentOf of={attempt} />
      <OutcomeOf outcome={attempt.outcome} />
    </span>
  ) : (
    <span className="text-ink-3">–</span>
  );
}

function InvitationCards({ rows, ...list }: InvitationListProps) {
  return (
    <ul aria-label="Candidates">
      {rows.map((row) => (
        <li key={row.id} className="grid gap-2.5 border-b border-line px-4 py-3 last:border-b-0">
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 flex-1 gap-1.5">
              <NameOf invitation={row} {...list} />
              <span className="ml-7 flex flex-wrap gap-1.5">
                <MailOf invitation={row} />
                <StatusBadge status={row.status} />
              </span>
            </div>
            <InvitationActions invitation={row} {...list} />
          </div>
          <div className="ml-7 grid gap-1 max-sm:ml-0">
            <p className="text-sm text-ink-2">
              <LatestStep invitation={row} />
            </p>
            <NotesOf invitation={row} />
          </div>
          {row.attempt && (
            <div className="ml-7 max-sm:ml-0">
              <LabelledValues>
                <LabelledValue label="Score">
                  <ResultOf invitation={row} />
                </LabelledValue>
                <LabelledValue label="Violations">
                  <ViolationPips
                    count={row.attempt.violationCount}
                    max={row.attempt.violationLimit}
                  />
                </LabelledValue>
                <LabelledValue label="Time Spent">
                  {formatTimeSpent(row.attempt.timeSpent)}
                </LabelledValue>
                {(row.attempt.toReview || row.attempt.verdict !== null) && (
                  <LabelledValue label="Review">
                    <ReviewState row={row.attempt} />
                  </LabelledValue>
                )}
              </LabelledValues>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

interface InvitationListProps {
  rows: readonly Invitation[];
  may: (permission: Permission) => boolean;
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onAccommodate(invitation: Invitation): void;
}

const nameOf = ({ userName, email }: Invitation) => isolated(userName ?? email ?? 'Unknown');

/** To be selected by those who can do something with it. */
function NameOf({
  invitation,
  may,
  selected,
  onSelect,
}: Omit<InvitationListProps, 'rows' | 'onAccommodate'> & { invitation: Invitation }) {
  const name = (
    <span className="font-medium break-all touch:py-3">
      <PersonLink userId={invitation.userId} isErased={invitation.email === null}>
        {nameOf(invitation)}
      </PersonLink>
    </span>
  );
  if (!ACTIONS.some(({ permission }) => may(permission))) return <div className="ml-7">{name}</div>;
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
  if (revokedAt !== null) {
    return (
      <Badge tone="neutral" glyph="slashed">
        Revoked
      </Badge>
    );
  }
  if (mail === null) {
    return (
      <Badge tone="neutral" glyph="dashed">
        No email
      </Badge>
    );
  }
  return <MailBadge status={mailStatus(mail)} />;
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
          className={`text-sm break-words ${mail?.state === 'failed' ? 'text-bad-ink' : 'text-ink-2'}`}
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
          aria-label={`Open the record of ${email}`}
          className="flex-none text-sm leading-8 font-medium text-accent-ink underline-offset-4 hover:underline touch:leading-11"
        >
          Open
        </Link>
      )}
      {may('people.invite') && (
        <IconButton
          label={`Extra time and devices of ${email}`}
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

function InvitationsSelection({
  actions,
  pageIds,
  selected,
  total,
  onSelect,
  onSelectAll,
  selectingAll,
  onClear,
  onAction,
}: {
  actions: readonly (typeof ACTIONS)[number][];
  pageIds: readonly string[];
  selected: ReadonlySet<string>;
  total: number;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onSelectAll(): void;
  selectingAll: boolean;
  onClear(): void;
  onAction(action: SelectionAction): void;
}) {
  return (
    <SelectionBar
      label="Select all on this page"
      ids={pageIds}
      selected={selected}
      all={{ total, most: total, isBusy: selectingAll, onSelect: onSelectAll }}
      isZeroShown={false}
      onSelect={onSelect}
    >
      {selected.size > 0 && (
        <>
          <Button variant="ghost" size="dense" onClick={onClear}>
            Clear selection
          </Button>
          <span className="flex flex-wrap gap-2 xl:ml-auto">
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
          </span>
        </>
      )}
    </SelectionBar>
  );
}

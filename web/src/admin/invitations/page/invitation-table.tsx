import { StatusBadge } from '../../../ui/badges/status-badge.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Cell, HeadCell, Row, Table } from '../../../ui/tables/table.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import {
  InvitationActions,
  type InvitationListProps,
  MailOf,
  NotesOf,
  nameOf,
  TimeOf,
} from './invitation-cells.tsx';

/** Invited people: their email and their progress. */
export function InvitationTable({ rows, selected, onSelect, onAccommodate }: InvitationListProps) {
  return (
    <Table label="Invitations">
      <thead>
        <tr>
          <HeadCell>Candidate</HeadCell> <HeadCell>Email</HeadCell>
          <HeadCell>Status</HeadCell>
          <HeadCell>Invited</HeadCell>
          <HeadCell>Signed in</HeadCell>
          <HeadCell>Started</HeadCell>
          <HeadCell>Finished</HeadCell>
          <HeadCell end>
            <VisuallyHidden>Actions</VisuallyHidden>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell className="min-w-64">
              <Checkbox
                label={<span className="font-medium break-all">{nameOf(row)}</span>}
                checked={selected.has(row.id)}
                onChange={(event) => onSelect([row.id], event.target.checked)}
              />
              <div className="ml-7">
                <NotesOf invitation={row} />
              </div>
            </Cell>
            <Cell>
              <MailOf invitation={row} />
            </Cell>
            <Cell>
              <StatusBadge status={row.status} />
            </Cell>
            {[row.invitedAt, row.signedInAt, row.startedAt, row.submittedAt].map((at, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change places
              <Cell key={column} className="text-sm text-ink-2">
                <TimeOf at={at} />
              </Cell>
            ))}
            <Cell end className="pr-2! pl-0!">
              <InvitationActions invitation={row} onAccommodate={() => onAccommodate(row)} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

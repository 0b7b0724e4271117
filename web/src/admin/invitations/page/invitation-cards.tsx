import { StatusBadge } from '../../../ui/badges/status-badge.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { LabelledValue, LabelledValues } from '../../../ui/labelled-values.tsx';
import {
  InvitationActions,
  type InvitationListProps,
  MailOf,
  NotesOf,
  nameOf,
  TimeOf,
} from './invitation-cells.tsx';

/** A card shows only steps that have happened. */
const STEPS = [
  ['Invited', 'invitedAt'],
  ['Signed in', 'signedInAt'],
  ['Started', 'startedAt'],
  ['Finished', 'submittedAt'],
] as const;

/** The table on narrow screens, in the order of its columns. */
export function InvitationCards({ rows, selected, onSelect, onAccommodate }: InvitationListProps) {
  return (
    <ul aria-label="Invitations">
      {rows.map((row) => (
        <li key={row.id} className="grid gap-2.5 border-b border-line px-4 py-3 last:border-b-0">
          <div className="flex items-start justify-between gap-3">
            <div className="grid min-w-0 flex-1 gap-1.5">
              <Checkbox
                label={<span className="font-medium break-all">{nameOf(row)}</span>}
                checked={selected.has(row.id)}
                onChange={(event) => onSelect([row.id], event.target.checked)}
              />
              <span className="ml-7 flex flex-wrap gap-1.5">
                <MailOf invitation={row} />
                <StatusBadge status={row.status} />
              </span>
            </div>
            <InvitationActions invitation={row} onAccommodate={() => onAccommodate(row)} />
          </div>
          <NotesOf invitation={row} />
          <LabelledValues>
            {STEPS.map(
              ([label, step]) =>
                row[step] !== null && (
                  <LabelledValue key={label} label={label}>
                    <TimeOf at={row[step]} />
                  </LabelledValue>
                ),
            )}
          </LabelledValues>
        </li>
      ))}
    </ul>
  );
}

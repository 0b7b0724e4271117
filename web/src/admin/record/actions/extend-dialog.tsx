import { useState } from 'react';
import { formatDateTime } from '../../../lib/dates.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { type ActionDialogProps, MINUTES_PROBLEM, minutesOf, personOf } from '../action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction } from '../record-api.ts';

/** Extends a running attempt. */
export function ExtendDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const minutes = minutesOf(typed);
  const until =
    minutes === null
      ? null
      : formatDateTime(new Date(Date.parse(record.deadlineAt) + minutes * 60_000).toISOString());
  return (
    <ReasonDialog
      title="Give extra time"
      consequence={
        <p>
          {`${personOf(record)} has until ${formatDateTime(record.deadlineAt)}. The timer on their screen changes within seconds. Extra time cannot be taken back.`}
        </p>
      }
      confirmLabel="Give extra time"
      busyLabel="Giving…"
      doneTitle="Extra time given"
      failTitle="Failed to give extra time"
      unsaved={typed !== ''}
      validate={() => {
        setProblem(minutes === null ? MINUTES_PROBLEM : undefined);
        return minutes !== null;
      }}
      onConfirm={(reason) => action.mutateAsync({ kind: 'extend', minutes: minutes ?? 0, reason })}
      onClose={onClose}
    >
      <TextField
        label="Minutes"
        inputMode="numeric"
        required
        autoComplete="off"
        value={typed}
        hint={until === null ? 'Whole minutes, 1 to 180.' : `The new deadline is ${until}.`}
        error={minutes === null ? problem : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

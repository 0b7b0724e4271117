import { useState } from 'react';
import { formatDateTime } from '../../../lib/dates.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { type ActionDialogProps, personOf } from '../action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction } from '../record-api.ts';

/** 1 to 180 whole minutes, or `null`. */
function minutesOf(typed: string): number | null {
  const minutes = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  return minutes >= 1 && minutes <= 180 ? minutes : null;
}

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
        setProblem(minutes === null ? 'Whole minutes, 1 to 180' : undefined);
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
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

import { useState } from 'react';
import { formatTimeSpent } from '../../../lib/time-spent.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import {
  type ActionDialogProps,
  MINUTES_PROBLEM,
  minutesOf,
  personOf,
  secondsLeftOf,
} from '../action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction } from '../record-api.ts';

/** Allows another attempt with a new paper and the full time. */
export function AnotherAttemptDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      title="Allow another attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} can start again with the same one-time password: new questions, the full time, nothing carried over.`}
          </p>
          <p>
            This attempt is removed from lists and reports. It stays in the record as an earlier
            attempt.
          </p>
        </>
      }
      confirmLabel="Allow another attempt"
      busyLabel="Allowing…"
      doneTitle="Another attempt allowed"
      failTitle="Failed to allow another attempt"
      onConfirm={(reason) => action.mutateAsync({ kind: 'replace', how: 'another', reason })}
      onClose={onClose}
    />
  );
}

/** Reinstates the attempt with the same paper, the time left, and minutes beside it. */
export function ReinstateDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const left = secondsLeftOf(record);
  const minutes = minutesOf(typed) ?? 0;
  const isRight = minutes > 0 || (typed.trim() === '' && left > 0);
  return (
    <ReasonDialog
      title="Reinstate this attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} continues with the same one-time password, questions, answers and flags. Violations are counted from 0. ${left === 0 ? 'No time was left, so give some minutes. The time starts when they enter.' : `The remaining time is ${formatTimeSpent(left)}. It starts when they enter.`}`}
          </p>
          <p>
            This attempt is removed from lists and reports. It stays in the record as an earlier
            attempt.
          </p>
        </>
      }
      confirmLabel="Reinstate attempt"
      busyLabel="Reinstating…"
      doneTitle="The attempt is reinstated"
      failTitle="Failed to reinstate the attempt"
      unsaved={typed !== ''}
      validate={() => {
        setProblem(isRight ? undefined : MINUTES_PROBLEM);
        return isRight;
      }}
      onConfirm={(reason) =>
        action.mutateAsync({
          kind: 'replace',
          how: 'reinstate',
          ...(minutes > 0 && { minutes }),
          reason,
        })
      }
      onClose={onClose}
    >
      <TextField
        label={left === 0 ? 'Minutes' : 'Additional minutes'}
        inputMode="numeric"
        required={left === 0}
        autoComplete="off"
        value={typed}
        hint={
          minutes === 0
            ? 'Whole minutes, 1 to 180.'
            : `They have ${formatTimeSpent(left + minutes * 60)} from the moment they enter.`
        }
        error={isRight ? undefined : problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

import { formatTimeSpent } from '../../../lib/time-spent.ts';
import { type ActionDialogProps, personOf, secondsLeftOf } from '../action.ts';
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

/** Reinstates the attempt with the same paper and the time left. */
export function ReinstateDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const left = secondsLeftOf(record);
  return (
    <ReasonDialog
      title="Reinstate this attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} continues with the same one-time password, questions, answers and flags. Violations are counted from 0. The remaining time is ${formatTimeSpent(left)}. It starts when they enter.`}
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
      onConfirm={(reason) => action.mutateAsync({ kind: 'replace', how: 'reinstate', reason })}
      onClose={onClose}
    />
  );
}

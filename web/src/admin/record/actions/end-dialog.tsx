import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type ActionDialogProps, personOf } from '../action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction } from '../record-api.ts';

/** Ends a running attempt. */
export function EndDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      danger
      title="End this attempt now"
      consequence={
        <>
          <p>
            {`${personOf(record)} has ${ATTEMPT_LIMITS.endNowDelayMs / 1_000} seconds left, so that answers still in their browser are saved. Then the attempt ends and the saved answers are scored.`}
          </p>
          <p>
            An ended attempt does not continue. You can allow another attempt or reinstate this one.
          </p>
        </>
      }
      confirmLabel="End attempt now"
      busyLabel="Ending…"
      doneTitle="The attempt is ending"
      failTitle="Failed to end the attempt"
      onConfirm={(reason) => action.mutateAsync({ kind: 'end', reason })}
      onClose={onClose}
    />
  );
}

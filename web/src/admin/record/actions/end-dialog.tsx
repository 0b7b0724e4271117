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
            {`${personOf(record)} has ${ATTEMPT_LIMITS.endNowDelayMs / 1_000} seconds left, so that what their browser still holds is saved. Then the attempt ends and the stored answers are scored.`}
          </p>
          <p>An ended attempt does not run on. You can allow another one, or reinstate it.</p>
        </>
      }
      confirmLabel="End Attempt Now"
      busyLabel="Ending…"
      doneTitle="The attempt is ending"
      failTitle="Failed to end the attempt"
      onConfirm={(reason) => action.mutateAsync({ kind: 'end', reason })}
      onClose={onClose}
    />
  );
}

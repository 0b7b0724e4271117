import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type DeedDialogProps, personOf } from '../deed.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useDeed } from '../record-api.ts';

/** Ends a running attempt. */
export function EndDialog({ record, onClose }: DeedDialogProps) {
  const deed = useDeed(record.participant);
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
      onConfirm={(reason) => deed.mutateAsync({ kind: 'end', reason })}
      onClose={onClose}
    />
  );
}

import { useState } from 'react';
import { TextField } from '../../../ui/fields/text-field.tsx';
import type { ActionDialogProps } from '../action.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction } from '../record-api.ts';

/** Erases a person's identifying data; the address must be typed. */
export function EraseDialog({ record, onClose }: ActionDialogProps) {
  const { userEmail } = record.participant;
  const action = useAction(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const word = userEmail ?? 'erase';
  const agrees = typed.trim().toLowerCase() === word.toLowerCase();
  return (
    <ReasonDialog
      danger
      title="Erase this person's data"
      consequence={
        <>
          <p>
            The email address, notes, feedback text, device checks and the network address of the
            consent are erased, in every assessment. Scores and answers stay without a name.
            Invitations of this person stop working.
          </p>
          <p className="font-medium text-bad-ink">No one can undo this.</p>
        </>
      }
      confirmLabel="Erase data"
      busyLabel="Erasing…"
      doneTitle="The person's data is erased"
      failTitle="Failed to erase the data"
      unsaved={typed !== ''}
      validate={() => {
        setProblem(agrees ? undefined : `Type ${word} to confirm`);
        return agrees;
      }}
      onConfirm={(reason) => action.mutateAsync({ kind: 'erase', reason })}
      onClose={onClose}
    >
      <TextField
        label={`Type ${word} to confirm`}
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

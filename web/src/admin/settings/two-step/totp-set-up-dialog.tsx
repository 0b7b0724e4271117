import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpTotp } from './totp-set-up.tsx';

/** Set up two-step sign-in, from Settings. */
export function SetUpTotpDialog({
  onClose,
  onChanged,
}: {
  onClose(): void;
  onChanged(): Promise<unknown>;
}) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title={codes === null ? 'Set up two-step sign-in' : 'Two-step sign-in is on'}
      description={codes === null ? 'You will be signed out on other devices.' : undefined}
      unsaved={codes !== null}
    >
      {codes === null ? (
        <SetUpTotp
          onRecoveryCodes={(made) => {
            setCodes(made);
            void onChanged();
          }}
          aside={
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
          }
        />
      ) : (
        <RecoveryCodes codes={codes} onDone={onClose} />
      )}
    </Dialog>
  );
}

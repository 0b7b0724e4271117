import type { Totp } from '@invigil/core/contract/accounts/totp';
import { useState } from 'react';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { LoadFailure, showFailure } from '../../failures.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useRequireTotp, useTotp, useTotpChanged } from './totp-api.ts';
import { BothStepsDialog } from './totp-both-steps-dialog.tsx';
import { SetUpTotp } from './totp-set-up.tsx';

/** Two-step sign-in of this account, and whether it is required for all administrators. */
export function TotpCard() {
  const totp = useTotp();
  return (
    <Card title="Two-step sign-in">
      {totp.isError ? (
        <div className="p-5">
          <LoadFailure title="Failed to load two-step sign-in" read={totp} />
        </div>
      ) : totp.isPending ? (
        <SkeletonRows rows={2}>Loading two-step sign-in...</SkeletonRows>
      ) : (
        <OwnTotp totp={totp.data} />
      )}
    </Card>
  );
}

function OwnTotp({ totp }: { totp: Totp }) {
  const [open, setOpen] = useState<'set-up' | 'renew' | 'off' | null>(null);
  const changed = useTotpChanged();
  const close = () => setOpen(null);
  return (
    <div className="grid gap-4 px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <p className="text-ink-2">
          {totp.enabled
            ? `You sign in with your password and a code from your authenticator app. ${recoveryWords(totp.recoveryCodesLeft)}`
            : 'Requires a code from an authenticator app in addition to your password.'}
        </p>
        <Badge tone={totp.enabled ? 'ok' : 'neutral'} glyph={totp.enabled ? 'ticked' : 'ring'}>
          {totp.enabled ? 'On' : 'Off'}
        </Badge>
      </div>
      <div className="flex flex-wrap gap-2">
        {totp.enabled ? (
          <>
            <Button size="dense" onClick={() => setOpen('renew')}>
              New recovery codes
            </Button>
            <Button size="dense" onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button size="dense" onClick={() => setOpen('set-up')}>
            Set up
          </Button>
        )}
      </div>
      <RequireOfAll totp={totp} />
      {open === 'set-up' && <SetUpTotpDialog onClose={close} onChanged={changed} />}
      {(open === 'renew' || open === 'off') && (
        <BothStepsDialog action={open} onClose={close} onChanged={changed} />
      )}
    </div>
  );
}

function recoveryWords(left: number): string {
  if (left === 0) return 'No recovery codes are left. Create new ones.';
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
}

function RequireOfAll({ totp }: { totp: Totp }) {
  const require = useRequireTotp();
  // Set on click: the mutation's state is updated later, and the checkbox would flicker.
  const [wanted, setWanted] = useState<boolean | null>(null);
  // An administrator who requires it must have used it, or all could be locked out.
  const unavailable = !totp.enabled && !totp.required;
  return (
    <div className="border-t border-line pt-3">
      <Checkbox
        label="Required for all administrators"
        hint={
          unavailable
            ? 'Set it up for yourself first.'
            : 'Administrators without it must set it up before anything else.'
        }
        checked={wanted ?? totp.required}
        disabled={unavailable}
        onChange={(event) => {
          setWanted(event.target.checked);
          require.mutate(event.target.checked, {
            onSettled: () => setWanted(null),
            onSuccess: ({ totpRequired }) =>
              toast({
                title: totpRequired
                  ? 'Two-step sign-in is required for all'
                  : 'Two-step sign-in is optional',
              }),
            onError: (error) => showFailure('Failed to change the sign-in requirements', error),
          });
        }}
      />
    </div>
  );
}

/** Set up two-step sign-in, from Settings. */
function SetUpTotpDialog({
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

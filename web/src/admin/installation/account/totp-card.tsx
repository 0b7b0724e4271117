import { zodResolver } from '@hookform/resolvers/zod';
import { type Admin, listAdmins } from '@invigil/core/contract/accounts/admins';
import {
  getTotp,
  putSignInPolicy,
  renewRecoveryCodes,
  resetTotp,
  switchOffTotp,
  type Totp,
} from '@invigil/core/contract/accounts/totp';
import { getSystemInformation } from '@invigil/core/contract/installation/system';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { callEndpoint } from '../../../net/api.ts';
import { changeCached, endpointKey, endpointQuery } from '../../../net/endpoint-query.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';
import { RecoveryCodes, SetUpTotp } from './totp-set-up.tsx';

export function TotpCard() {
  return <LoadedTotp rows={2}>{(totp) => <OwnTotp totp={totp} />}</LoadedTotp>;
}

/** The setting for every administrator, while `TotpCard` is about one's own. */
export function RequireTotpCard() {
  return <LoadedTotp rows={1}>{(totp) => <RequireOfAll totp={totp} />}</LoadedTotp>;
}

function LoadedTotp({ rows, children }: { rows: number; children(totp: Totp): ReactNode }) {
  return (
    <LoadedCard
      title="Two-step sign-in"
      read={useTotp()}
      failure="Failed to load two-step sign-in"
      loading="Loading two-step sign-in..."
      rows={rows}
    >
      {children}
    </LoadedCard>
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
            ? `You sign in with your password and a code from your authenticator app. ${recoveryText(totp.recoveryCodesLeft)}`
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
      {open === 'set-up' && <SetUpTotpDialog onClose={close} onChanged={changed} />}
      {(open === 'renew' || open === 'off') && (
        <BothStepsDialog action={open} onClose={close} onChanged={changed} />
      )}
    </div>
  );
}

function recoveryText(left: number): string {
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
    <div className="px-5 py-4">
      <Checkbox
        label="Required for all administrators"
        hint={
          unavailable
            ? 'Set it up for yourself first, in your account.'
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
      {!totp.enabled && (
        <Link
          to="/admin/account"
          className="mt-2 inline-flex items-center font-medium text-accent-ink hover:underline touch:min-h-11"
        >
          Set up two-step sign-in
        </Link>
      )}
    </div>
  );
}

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

const ACTIONS = {
  renew: {
    title: 'New recovery codes',
    description: 'The earlier ones no longer work.',
    confirm: 'Create new codes',
    done: 'New recovery codes created',
    failed: 'Failed to create new recovery codes',
  },
  off: {
    title: 'Turn off two-step sign-in',
    description:
      'You can then sign in with your password alone. You will be signed out on other devices.',
    confirm: 'Turn off',
    done: 'Two-step sign-in is off',
    failed: 'Failed to turn off two-step sign-in',
  },
} as const;

/** Weakening the sign-in requires both steps again. */
function BothStepsDialog({
  action,
  onClose,
  onChanged,
}: {
  action: keyof typeof ACTIONS;
  onClose(): void;
  onChanged(): Promise<unknown>;
}) {
  const words = ACTIONS[action];
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({
    resolver: zodResolver(switchOffTotp.body),
    defaultValues: { currentPassword: '', code: '' },
  });
  if (codes !== null) {
    return (
      <Dialog open onClose={onClose} title={words.title} unsaved>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={words.title}
      description={words.description}
      submitLabel={words.confirm}
      busyLabel="One moment…"
      danger={action === 'off'}
      failed={words.failed}
      fieldOf={{ THROTTLED: 'code' }}
      onClose={onClose}
      onSubmit={async (body) => {
        if (action === 'renew') {
          setCodes((await callEndpoint(renewRecoveryCodes, { body })).recoveryCodes);
        } else {
          await callEndpoint(switchOffTotp, { body });
          onClose();
        }
        toast({ title: words.done });
        void onChanged();
        return undefined;
      }}
    >
      <PasswordField
        label="Current password"
        required
        autoComplete="current-password"
        {...fieldIn(form, 'currentPassword')}
      />
      <TextField
        label="Code"
        required
        autoComplete="one-time-code"
        inputClassName="code tracking-[0.12em]"
        hint="Six digits from the app, or a recovery code."
        {...fieldIn(form, 'code')}
      />
    </FormDialog>
  );
}

const TOTP = endpointQuery(getTotp, {});
const ADMINS = endpointKey(listAdmins);
const SYSTEM = endpointKey(getSystemInformation);

function useTotp() {
  return useQuery(TOTP);
}

function useTotpChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      // The list of administrators is at the parent path.
      [ADMINS, SYSTEM].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
}

function useRequireTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (totpRequired: boolean) =>
      callEndpoint(putSignInPolicy, {
        body: { totpRequired, before: { totpRequired: !totpRequired } },
      }),
    onSuccess: async ({ totpRequired }) => {
      await changeCached<Totp>(client, TOTP.queryKey, (own) => ({
        ...own,
        required: totpRequired,
      }));
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}

export function useResetTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(resetTotp, { params: { id } }),
    onSuccess: async (_, id) => {
      await changeCached<Admin[]>(client, ADMINS, (list) =>
        list.map((admin) => (admin.id === id ? { ...admin, hasTotp: false } : admin)),
      );
      await client.invalidateQueries({ queryKey: SYSTEM });
    },
  });
}

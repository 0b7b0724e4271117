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
import { t } from '@invigil/core/texts/i18n';
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
      title={t('account.totp', 'Two-step sign-in')}
      read={useTotp()}
      failure={t('account.totp.failed', 'Failed to load two-step sign-in')}
      loading={t('account.totp.loading', 'Loading two-step sign-in...')}
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
            ? `${t('account.totp.isOn', 'You sign in with your password and a code from your authenticator app.')} ${recoveryText(totp.recoveryCodesLeft)}`
            : t(
                /* said of two-step sign-in */ 'account.totp.isOff',
                'Requires a code from an authenticator app in addition to your password.',
              )}
        </p>
        <Badge tone={totp.enabled ? 'ok' : 'neutral'} glyph={totp.enabled ? 'ticked' : 'ring'}>
          {totp.enabled
            ? t(/* two-step sign-in is switched on */ 'account.totp.on', 'On')
            : t(/* two-step sign-in is switched off */ 'account.totp.off', 'Off')}
        </Badge>
      </div>
      <div className="flex flex-wrap gap-2">
        {totp.enabled ? (
          <>
            <Button size="dense" onClick={() => setOpen('renew')}>
              {t('account.recovery.new', 'New recovery codes')}
            </Button>
            <Button size="dense" onClick={() => setOpen('off')}>
              {t(/* a button: two-step sign-in */ 'account.turnOff', 'Turn off')}
            </Button>
          </>
        ) : (
          <Button size="dense" onClick={() => setOpen('set-up')}>
            {t(/* a button: two-step sign-in */ 'account.totp.setUpButton', 'Set up')}
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
  return left === 0
    ? t('account.recovery.none', 'No recovery codes are left. Create new ones.')
    : t(
        'account.recovery.left',
        '{count, plural, one {# recovery code is left.} other {# recovery codes are left.}}',
        { count: left },
      );
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
        label={t(
          /* a choice: two-step sign-in */ 'account.totp.required',
          'Required for all administrators',
        )}
        hint={
          unavailable
            ? t(
                /* “it”: two-step sign-in */ 'account.totp.setUpFirst',
                'Set it up for yourself first, in your account.',
              )
            : t(
                /* “it”: two-step sign-in */ 'account.totp.requiredHint',
                'Administrators without it must set it up before anything else.',
              )
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
                  ? t('account.totp.nowRequired', 'Two-step sign-in is required for all')
                  : t('account.totp.nowOptional', 'Two-step sign-in is optional'),
              }),
            onError: (error) =>
              showFailure(
                t('account.totp.requireFailed', 'Failed to change the sign-in requirements'),
                error,
              ),
          });
        }}
      />
      {!totp.enabled && (
        <Link
          to="/admin/account"
          className="mt-2 inline-flex items-center font-medium text-accent-ink hover:underline touch:min-h-11"
        >
          {t('account.totp.setUp', 'Set up two-step sign-in')}
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
      title={
        codes === null
          ? t('account.totp.setUp', 'Set up two-step sign-in')
          : t('account.totp.isOnTitle', 'Two-step sign-in is on')
      }
      description={
        codes === null
          ? t('account.willSignOutElsewhere', 'You will be signed out on other devices.')
          : undefined
      }
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
              <Button>
                {t(/* a button: leaves a dialog without doing anything */ 'ui.cancel', 'Cancel')}
              </Button>
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
    title: () => t('account.recovery.new', 'New recovery codes'),
    description: () =>
      t(/* recovery codes */ 'account.recovery.earlier', 'The earlier ones no longer work.'),
    confirm: () => t(/* a button: recovery codes */ 'account.recovery.create', 'Create new codes'),
    done: () => t('account.recovery.created', 'New recovery codes created'),
    failed: () => t('account.recovery.failed', 'Failed to create new recovery codes'),
  },
  off: {
    title: () => t('account.turnOff.title', 'Turn off two-step sign-in'),
    description: () =>
      t(
        'account.turnOff.description',
        'You can then sign in with your password alone. You will be signed out on other devices.',
      ),
    confirm: () => t(/* a button: two-step sign-in */ 'account.turnOff', 'Turn off'),
    done: () => t('account.turnOff.done', 'Two-step sign-in is off'),
    failed: () => t('account.turnOff.failed', 'Failed to turn off two-step sign-in'),
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
      <Dialog open onClose={onClose} title={words.title()} unsaved>
        <RecoveryCodes codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={words.title()}
      description={words.description()}
      submitLabel={words.confirm()}
      busyLabel={t(/* on a button, while it works */ 'account.oneMoment', 'One moment…')}
      danger={action === 'off'}
      failed={words.failed()}
      fieldOf={{ THROTTLED: 'code' }}
      onClose={onClose}
      onSubmit={async (body) => {
        if (action === 'renew') {
          setCodes((await callEndpoint(renewRecoveryCodes, { body })).recoveryCodes);
        } else {
          await callEndpoint(switchOffTotp, { body });
          onClose();
        }
        toast({ title: words.done() });
        void onChanged();
        return undefined;
      }}
    >
      <PasswordField
        label={t(/* a field */ 'account.currentPassword', 'Current password')}
        required
        autoComplete="current-password"
        {...fieldIn(form, 'currentPassword')}
      />
      <TextField
        label={t('login.code', 'Code')}
        required
        autoComplete="one-time-code"
        inputClassName="code tracking-[0.12em]"
        hint={t('account.totp.codeHint', 'Six digits from the app, or a recovery code.')}
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

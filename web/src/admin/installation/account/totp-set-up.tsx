import { beginTotp, confirmTotp } from '@invigil/core/contract/accounts/totp';
import { t } from '@invigil/core/texts/i18n';
import { Copy } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSession } from '../../../lib/person/session.tsx';
import { callEndpoint, inTime } from '../../../net/api.ts';
import { Mark } from '../../../ui/badges/mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { copyAndSay, showFailure } from '../../data/show-failure.ts';
import { useSecretForm } from '../../parts/use-secret-form.ts';

type Stage = { at: 'password' } | { at: 'app'; secret: string; uri: string };

/**
 * Set-up of two-step sign-in: the password, then a secret for the app as QR code and text, then the
 * app's first code.
 */
export function SetUpTotp({
  onRecoveryCodes,
  aside,
}: {
  /** Two-step sign-in is on; the recovery codes are shown only now. */
  onRecoveryCodes(codes: string[]): void;
  aside: ReactNode;
}) {
  const [stage, setStage] = useState<Stage>({ at: 'password' });
  return stage.at === 'password' ? (
    <OneField
      key="password"
      kind="password"
      submitLabel={t(/* a button: goes to the next step */ 'account.continue', 'Continue')}
      aside={aside}
      onSubmit={async (currentPassword) =>
        setStage({
          at: 'app',
          ...(await callEndpoint(beginTotp, { body: { currentPassword }, signal: inTime() })),
        })
      }
    />
  ) : (
    <OneField
      key="code"
      kind="code"
      submitLabel={t(/* a button: two-step sign-in */ 'account.turnOn', 'Turn on')}
      aside={aside}
      onSubmit={async (code) => {
        const answer = await callEndpoint(confirmTotp, { body: { code }, signal: inTime() });
        // Over a failure of an earlier code, which would stay beside this.
        toast({ title: t('account.totp.isOnTitle', 'Two-step sign-in is on') });
        onRecoveryCodes(answer.recoveryCodes);
      }}
    >
      <Secret secret={stage.secret} uri={stage.uri} />
    </OneField>
  );
}

/**
 * Drawn locally: the secret is sent to no other host. Black on white in both themes, or apps cannot
 * read it.
 */
function Secret({ secret, uri }: { secret: string; uri: string }) {
  return (
    <>
      <p>
        {t(
          /* “this”: a QR code; the key is a secret below it */ 'account.totp.scan',
          'Scan this with your authenticator app, or enter the key there.',
        )}
      </p>
      <span className="mx-auto overflow-hidden rounded-md">
        <QRCodeSVG
          value={uri}
          size={176}
          marginSize={4}
          title={t('account.totp.qrCode', 'QR code with the key')}
        />
      </span>
      <p className="text-center">
        <span className="text-sm text-ink-3">
          {t(/* a secret that an app is given to make codes from */ 'account.key', 'Key')}
        </span>
        <br />
        <span data-totp-key="" className="code break-all select-all">
          {(secret.match(/.{1,4}/g) ?? []).join(' ')}
        </span>
      </p>
    </>
  );
}

function OneField({
  kind,
  submitLabel,
  aside,
  onSubmit,
  children,
}: {
  kind: 'password' | 'code';
  submitLabel: string;
  aside: ReactNode;
  onSubmit(value: string): Promise<void>;
  children?: ReactNode;
}) {
  const { submit, busy, field, focus } = useSecretForm(kind, async (value) => {
    try {
      await onSubmit(value);
    } catch (error) {
      showFailure(t('account.totp.turnOnFailed', 'Could not turn on two-step sign-in'), error);
      throw error;
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it appears
  useEffect(focus, []);

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {children}
      {kind === 'password' ? (
        <PasswordField
          label={t(/* a field */ 'account.currentPassword', 'Current password')}
          required
          autoComplete="current-password"
          {...field}
        />
      ) : (
        <TextField
          label={t('login.code', 'Code')}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          inputClassName="code max-w-40 tracking-[0.12em]"
          hint={t(
            /* of an authenticator app */ 'account.totp.sixDigits',
            'The six digits shown in the app.',
          )}
          {...field}
        />
      )}
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        {aside}
        <Button
          variant="primary"
          type="submit"
          busy={busy && t(/* on a button, while it works */ 'account.oneMoment', 'One moment…')}
        >
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

/** Replaces every page of the portal while this installation requires two-step sign-in. */
export function SetUpTotpScreen() {
  const { signOut, refresh } = useSession();
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <main className="grid min-h-dvh justify-items-center bg-surface px-5 py-8 md:place-items-center">
      <title>{`${t('account.totp', 'Two-step sign-in')} · Invigil`}</title>
      <div className="grid w-full max-w-110 content-start gap-5">
        <Mark withName />
        <div>
          <h1>
            {codes === null
              ? t('account.totp.setUp', 'Set up two-step sign-in')
              : t('account.totp.isOnTitle', 'Two-step sign-in is on')}
          </h1>
          {codes === null && (
            <p className="mt-0.5 text-ink-2">
              {t(
                /* “it”: two-step sign-in */ 'account.totp.requiredHere',
                'This installation requires it of all administrators.',
              )}
            </p>
          )}
        </div>
        {codes === null ? (
          <SetUpTotp
            onRecoveryCodes={setCodes}
            aside={
              <Button onClick={() => void signOut()}>
                {t(/* a button */ 'portal.signOut', 'Sign out')}
              </Button>
            }
          />
        ) : (
          <RecoveryCodes codes={codes} onDone={() => void refresh().catch(() => undefined)} />
        )}
      </div>
    </main>
  );
}

/** The ten recovery codes, each valid once without the app. Shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }) {
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const copy = () =>
    copyAndSay(
      codes.join('\n'),
      t('account.recovery.copied', 'Recovery codes copied'),
      t('account.recovery.copyFailed', 'Could not copy the codes'),
      t('account.recovery.copyAdvice', 'Select the codes and copy them yourself.'),
    );
  return (
    <div className="grid gap-4">
      <p ref={start} tabIndex={-1} className="outline-none">
        {t(
          'account.recovery.store',
          'Store these recovery codes in a safe place. Each works once, in place of a code from the app. They are not shown again.',
        )}
      </p>
      <ul
        aria-label={t('account.recovery', 'Recovery codes')}
        className="code grid gap-x-6 gap-y-1.5 rounded-lg bg-sunken px-4 py-3 select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button icon={<Copy />} onClick={() => void copy()}>
          {t(/* a button: copies recovery codes */ 'portal.copy', 'Copy')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t(
            /* a button; “them”: recovery codes */ 'account.recovery.stored',
            'I have stored them',
          )}
        </Button>
      </div>
    </div>
  );
}

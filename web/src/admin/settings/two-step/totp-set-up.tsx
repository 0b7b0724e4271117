import { beginTotp, confirmTotp } from '@invigil/core/contract/accounts/totp';
import { QRCodeSVG } from 'qrcode.react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, callEndpoint, inTime, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';

/** The stage of setting up two-step sign-in. */
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
  /** Next to the button of each stage. */
  aside: ReactNode;
}) {
  const [stage, setStage] = useState<Stage>({ at: 'password' });
  return stage.at === 'password' ? (
    <OneField
      key="password"
      kind="password"
      submitLabel="Continue"
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
      submitLabel="Turn on"
      aside={aside}
      onSubmit={async (code) => {
        const answer = await callEndpoint(confirmTotp, { body: { code }, signal: inTime() });
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
      <p>Scan this with your authenticator app, or enter the key there.</p>
      <span className="mx-auto overflow-hidden rounded-md">
        <QRCodeSVG value={uri} size={176} marginSize={4} title="QR code with the key" />
      </span>
      <p className="text-center">
        <span className="text-sm text-ink-3">Key</span>
        <br />
        <span data-totp-key="" className="code break-all select-all">
          {(secret.match(/.{1,4}/g) ?? []).join(' ')}
        </span>
      </p>
    </>
  );
}

const FIELDS = {
  password: { issue: 'currentPassword', empty: 'Enter your password' },
  code: { issue: 'code', empty: 'Enter the code' },
} as const;

function OneField({
  kind,
  submitLabel,
  aside,
  onSubmit,
  children,
}: {
  kind: keyof typeof FIELDS;
  submitLabel: string;
  aside: ReactNode;
  onSubmit(value: string): Promise<void>;
  children?: ReactNode;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => field.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const value = field.current?.value ?? '';
    setProblem(value === '' ? FIELDS[kind].empty : undefined);
    if (value === '') return field.current?.focus();
    setBusy(true);
    try {
      await onSubmit(value);
    } catch (error) {
      setBusy(false);
      const sentence = sentenceOf(error);
      setProblem((error instanceof ApiError && error.issueAt(FIELDS[kind].issue)) || sentence);
      toast({
        title: 'Could not turn on two-step sign-in',
        description: sentence,
        variant: 'destructive',
      });
      field.current?.focus();
      field.current?.select();
    }
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {children}
      {kind === 'password' ? (
        <PasswordField
          ref={field}
          label="Current password"
          required
          autoComplete="current-password"
          error={problem}
        />
      ) : (
        <TextField
          ref={field}
          label="Code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          inputClassName="code max-w-40 tracking-[0.12em]"
          hint="The six digits shown in the app."
          error={problem}
        />
      )}
      <div className="flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        {aside}
        <Button variant="primary" type="submit" busy={busy && 'One moment…'}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}

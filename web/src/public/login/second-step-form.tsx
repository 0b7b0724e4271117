import { type Account, secondStep } from '@invigil/core/contract/accounts/auth';
import { t } from '@invigil/core/texts/i18n';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, callEndpoint, hasCode, inTime, sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { Trans } from '../../ui/trans.tsx';
import { WaitNotice } from './wait-notice.tsx';

/**
 * The second step of an administrator's sign-in, replacing the first. App code and recovery code share
 * a field; the server distinguishes them.
 */
export function SecondStepForm({
  email,
  pending,
  onSignedIn,
  onBack,
}: {
  email: string;
  /** Identifies the sign-in whose password was correct. */
  pending: string;
  onSignedIn(account: Account): void;
  /** Returns to the first step, also after a timeout. */
  onBack(): void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [recovery, setRecovery] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [throttle, setThrottle] = useState<{ seconds: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: cleared when the kind of code changes
  useEffect(() => field.current?.focus(), [recovery]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const code = field.current?.value.trim() ?? '';
    setProblem(code === '' ? t('login.enterCode', 'Enter the code') : undefined);
    if (code === '') return field.current?.focus();
    setBusy(true);
    setThrottle(null);
    try {
      onSignedIn(await callEndpoint(secondStep, { body: { pending, code }, signal: inTime() }));
    } catch (error) {
      setBusy(false);
      refused(error);
    }
  };

  const refused = (error: unknown) => {
    const isOver = hasCode(error, 'SIGN_IN_EXPIRED');
    const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
    toast({
      title: t('login.loginFailed', 'Login failed'),
      description: sentenceOf(error),
      variant: 'destructive',
    });
    if (isOver) return onBack();
    if (seconds !== null) setThrottle({ seconds });
    else setProblem(sentenceOf(error));
    field.current?.focus();
    field.current?.select();
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <p className="break-words text-ink-2">
        <Trans
          id="login.twoStep"
          message="Two-step sign-in for {email}"
          values={{ email: <span className="font-medium text-ink">{email}</span> }}
        />
      </p>
      <TextField
        key={recovery ? 'recovery' : 'app'}
        ref={field}
        label={recovery ? t('login.recoveryCode', 'Recovery code') : t('login.code', 'Code')}
        name="code"
        required
        size="candidate"
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        inputClassName="code tracking-[0.12em]"
        hint={
          recovery
            ? t('login.oneTenRecoveryCodes', 'One of your ten recovery codes. Each works once.')
            : t(
                'login.sixDigitsShownAuthenticator',
                'The six digits shown in your authenticator app.',
              )
        }
        error={problem}
      />
      {throttle !== null && <WaitNotice key={throttle.seconds} seconds={throttle.seconds} />}
      <Button
        variant="primary"
        size="large"
        type="submit"
        full
        busy={busy && t('login.signing', 'Signing in...')}
      >
        {t('login.sign', 'Sign In')}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="ghost"
          size="candidate"
          onClick={() => {
            setProblem(undefined);
            setRecovery(!recovery);
          }}
        >
          {recovery
            ? t('login.useApp', 'Use the app')
            : t('login.useRecoveryCode', 'Use a recovery code')}
        </Button>
        <Button variant="ghost" size="candidate" onClick={onBack}>
          {t('login.back', 'Back')}
        </Button>
      </div>
    </form>
  );
}

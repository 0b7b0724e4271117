import {
  getPasswordResetWays,
  requestPasswordReset,
  setResetPassword,
} from '@invigil/core/contract/accounts/auth';
import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { CircleCheck } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { callEndpoint, hasCode, inTime, sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { LOGIN_LINK, LoginFrame } from './login-frame.tsx';

const TICK = <CircleCheck />;

/** /reset-password: another password by email. With a token in the URL fragment, sets an administrator’s. */
export function ResetPasswordScreen() {
  const [token, setToken] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    // Single-use token: remove it from the history.
    if (window.location.hash !== '') {
      window.history.replaceState(window.history.state, '', window.location.pathname);
    }
  }, []);
  return (
    <LoginFrame
      title={
        token === ''
          ? t('login.forgotten', 'Forgotten password')
          : t('login.setPassword', 'Set your password')
      }
      subtitle={
        token === ''
          ? t('login.reset.everyone', 'For candidates and administrators')
          : t('login.reset.administrators', 'For administrators')
      }
    >
      {token === '' ? <RequestLink /> : <SetPassword token={token} onAgain={() => setToken('')} />}
      <Link to="/login" className={LOGIN_LINK}>
        {t('login.backSign', 'Back to sign-in')}
      </Link>
    </LoginFrame>
  );
}

function RequestLink() {
  const field = useRef<HTMLInputElement>(null);
  const [byMail, setByMail] = useState<boolean>();
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    callEndpoint(getPasswordResetWays, { signal: inTime() }).then(
      (ways) => setByMail(ways.byMail),
      // The form to request a link shows the problem.
      () => setByMail(true),
    );
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const email = field.current?.value.trim() ?? '';
    setProblem(email === '' ? t('login.enterEmailAddress', 'Enter your email address') : undefined);
    if (email === '') return field.current?.focus();
    setBusy(true);
    try {
      await callEndpoint(requestPasswordReset, { body: { email }, signal: inTime() });
      setSent(true);
    } catch (error) {
      setProblem(sentenceOf(error));
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  if (byMail === undefined) return <p role="status">{t('login.loading', 'Loading…')}</p>;
  if (sent) {
    return (
      <Notice tone="ok" role="status" icon={TICK} title={t('login.checkEmail', 'Check your email')}>
        {t(
          'login.emailOnItsWay',
          'If this address is known here, an email is on its way: to candidates with a new one-time password, to administrators with a link that works once, for 30 minutes.',
        )}
      </Notice>
    );
  }
  if (!byMail) {
    return (
      <div className="grid gap-3">
        <p>
          {t(
            'login.installationDoesNotSend',
            'This installation does not send email. Ask another administrator to delete your account and to add it again. Or send this line, with your address, to the people who run the server: it makes a new password.',
          )}
        </p>
        <p className="code rounded-md bg-sunken px-4 py-3 text-sm break-words select-text">
          <span translate="no">npm run admin:reset-password</span>{' '}
          <span className="whitespace-nowrap">{t('login.address', '-- your@address')}</span>
        </p>
        <p className="text-ink-2">
          {t(
            'login.candidatesUseOneTime',
            'Candidates: use the one-time password from your invitation, or ask the person who invited you for a new one.',
          )}
        </p>
      </div>
    );
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <p className="text-ink-2">
        {t(
          'login.weSendEmail',
          'Enter the address of your invitation or account. Candidates get an email with a new one-time password, administrators one with a link to set a new password.',
        )}
      </p>
      <TextField
        ref={field}
        label={t('login.emailAddress', 'Email address')}
        name="email"
        type="email"
        autoComplete="username"
        required
        size="candidate"
        error={problem}
      />
      <Button
        variant="primary"
        size="large"
        type="submit"
        full
        busy={busy && t(/* a link is on its way */ 'login.sending', 'Sending…')}
      >
        {t('login.sendEmail', 'Send email')}
      </Button>
    </form>
  );
}

function SetPassword({ token, onAgain }: { token: string; onAgain(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState<{ opens?: string | undefined } | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const newPassword = field.current?.value ?? '';
    const isShort = newPassword.length < SESSION_LIMITS.adminPasswordMinCharacters;
    setProblem(isShort ? t('login.least12Characters', 'At least 12 characters') : undefined);
    if (isShort) return field.current?.focus();
    setBusy(true);
    try {
      const body = { token, newPassword };
      setDone(await callEndpoint(setResetPassword, { body, signal: inTime() }));
    } catch (error) {
      const isOver = hasCode(error, 'RESET_LINK_EXPIRED');
      if (isOver) {
        toast({
          title: t('login.linkNotValid', 'Link not valid'),
          description: sentenceOf(error),
          variant: 'destructive',
        });
        return onAgain();
      }
      setProblem(sentenceOf(error));
      field.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  if (done?.opens !== undefined) {
    return (
      <Notice
        tone="ok"
        role="status"
        icon={TICK}
        title={t('login.passwordSet', 'Your password is set')}
      >
        <Link to={done.opens} className={LOGIN_LINK}>
          {t('login.sign2', 'Sign in with it')}
        </Link>
      </Notice>
    );
  }
  if (done) {
    return (
      <Notice
        tone="ok"
        role="status"
        icon={TICK}
        title={t('login.passwordChanged', 'Password changed')}
      >
        {t(
          'login.allSessionsHaveEnded',
          'All your sessions have ended. Sign in with the new password.',
        )}
      </Notice>
    );
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <PasswordField
        ref={field}
        label={t('login.newPassword', 'New password')}
        name="password"
        required
        size="candidate"
        autoComplete="new-password"
        hint={t('login.least12Characters2', 'At least 12 characters.')}
        error={problem}
      />
      <Button
        variant="primary"
        size="large"
        type="submit"
        full
        busy={busy && t('login.saving', 'Saving…')}
      >
        {t('login.setPassword2', 'Set password')}
      </Button>
    </form>
  );
}

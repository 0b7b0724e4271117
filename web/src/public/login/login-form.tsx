import { type Account, login, me } from '@invigil/core/contract/accounts/auth';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes } from '@invigil/core/domain/one-time-code';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Cookie, RefreshCw, WifiOff } from 'lucide-react';
import { type FormEvent, lazy, type Ref, type RefObject, Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { z } from 'zod';
import { forgetEnded } from '../../lib/person/ended-attempt.ts';
import { useSession } from '../../lib/person/session.tsx';
import { endedSessionEmail } from '../../lib/person/stored-auth.ts';
import {
  ApiError,
  answerWasLost,
  callEndpoint,
  hasCode,
  inTime,
  sentenceOf,
} from '../../net/api.ts';
import { useKeepTrying } from '../../net/use-keep-trying.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { CONTROL, CONTROL_SIZE, Field } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { WaitNotice } from './wait-notice.tsx';

/** Loaded only for administrators with two-step sign-in. */
const SecondStepForm = lazy(async () => ({
  default: (await import('./second-step-form.tsx')).SecondStepForm,
}));

const wrongPassword = () =>
  t(
    'login.wrongPassword',
    'Not correct. A one-time password has 15 letters and digits, as in the email, and no letters I or O. A newer email may have replaced it.',
  );

/** Errors of a one-time password that was valid before. */
const OVER = ['CODE_REPLACED', 'CODE_WITHDRAWN', 'CODE_EXPIRED'] as const;

/** Whether the session that has just begun is not known: the browser did not keep its cookie. */
async function isCookieRefused(): Promise<boolean> {
  try {
    await callEndpoint(me, { signal: inTime() });
    return false;
  } catch (error) {
    return error instanceof ApiError && error.isOurs && error.status === 401;
  }
}

/** How the attempt ended, for its page. */
function endedBy(error: unknown) {
  const { status, ended } = error instanceof ApiError ? error.details : {};
  return { dismissed: status === 'dismissed', ended };
}

/** Seconds until the next try may be made; null: at once. */
const waitOf = (error: unknown) =>
  error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;

/**
 * E-mail, password and captcha. The fields are uncontrolled, so that password managers can fill them
 * and no input is lost.
 */
function sayInvalidCaptcha() {
  toast({
    title: t('login.invalidCaptcha', 'Invalid Captcha'),
    description: t('login.pleaseEnterCorrectCaptcha', 'Please enter the correct captcha'),
    variant: 'destructive',
  });
}

/** @param wait seconds until the next try, if the server asks for some */
function sayFailed(sentence: string, wait: number | null) {
  toast({
    title: t('login.loginFailed', 'Login failed'),
    description:
      wait === null
        ? sentence
        : t('login.tooMany', 'Too many wrong attempts. Try again in {seconds} s.', {
            seconds: wait,
          }),
    variant: 'destructive',
  });
}

export function LoginForm() {
  const session = useSession();
  const [, navigate] = useLocation();
  const [captcha, setCaptcha] = useState(newCaptcha);
  const [problems, setProblems] = useState<LoginProblems>({});
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<'cookies' | null>(null);
  const [throttle, setThrottle] = useState<{ seconds: number } | null>(null);
  const [first, setFirst] = useState<{ email: string; pending: string } | null>(null);
  const emailRef = useRef<HTMLInputElement>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const captchaRef = useRef<HTMLInputElement>(null);
  const keepTrying = useKeepTrying(async () => {
    if (!pending) await submit();
  });

  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    const typed = {
      email: emailRef.current?.value ?? '',
      password: passwordRef.current?.value ?? '',
      captcha: captchaRef.current?.value ?? '',
    };
    const found = validateLogin(typed);
    setProblems(found);
    if (found.email !== undefined) return emailRef.current?.focus();
    if (found.password !== undefined) return passwordRef.current?.focus();
    if (found.captcha !== undefined) return captchaRef.current?.focus();
    if (!isCaptchaRight(typed.captcha, captcha)) return refuseCaptcha();

    setPending(true);
    setThrottle(null);
    setProblem(null);
    try {
      const { email, password } = typed;
      const answer = await callEndpoint(login, { body: { email, password }, signal: inTime() });
      if ('user' in answer) await welcome(answer);
      else setFirst({ email: email.trim(), pending: answer.pending });
    } catch (error) {
      setPending(false);
      refused(error);
    }
  };

  const refuseCaptcha = () => {
    setCaptcha(newCaptcha());
    setProblems({
      captcha: t('login.codeDidNotMatch', 'The code did not match. Enter the new one.'),
    });
    if (captchaRef.current !== null) {
      captchaRef.current.value = '';
      captchaRef.current.focus();
    }
    sayInvalidCaptcha();
  };

  const welcome = async (account: Account) => {
    keepTrying.stop();
    if (await isCookieRefused()) {
      setFirst(null);
      setPending(false);
      return setProblem('cookies');
    }
    forgetEnded();
    toast({
      title: () => t('login.loginSuccessful', 'Login successful'),
      description: () =>
        t('login.welcome', 'Welcome {email}', { email: isolated(account.user.email) }),
    });
    // The route guard redirects each account to its start page.
    session.signedIn(account);
  };

  const refused = (error: unknown) => {
    const sentence =
      sentenceOf(error, t('login.invalidCredentials', 'Invalid credentials')) ||
      t('login.invalidCredentials', 'Invalid credentials');
    if (hasCode(error, 'ALREADY_COMPLETED')) {
      forgetEnded();
      return navigate('/assessment-completed', { state: endedBy(error) });
    }
    const wait = waitOf(error);
    if (!answerWasLost(error)) keepTrying.stop();
    // Said once: the notice stays.
    else if (keepTrying.isTrying) return;
    else keepTrying.tryAgain();
    sayFailed(sentence, wait);
    if (wait !== null) setThrottle({ seconds: wait });
    const isOver = OVER.some((code) => hasCode(error, code));
    if (isOver || hasCode(error, 'INVALID_CREDENTIALS')) {
      setProblems({ password: isOver ? sentence : wrongPassword() });
      passwordRef.current?.focus();
      passwordRef.current?.select();
    }
  };

  if (first !== null) {
    const back = () => {
      setFirst(null);
      setPending(false);
      setCaptcha(newCaptcha());
    };
    return (
      <Suspense fallback={<p role="status">{t('login.loading', 'Loading…')}</p>}>
        <SecondStepForm {...first} onSignedIn={(account) => void welcome(account)} onBack={back} />
      </Suspense>
    );
  }
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={keepTrying.stop}
      className="grid gap-5"
    >
      <LoginFields
        refs={{ emailRef, passwordRef, captchaRef }}
        captcha={captcha}
        onRefresh={() => setCaptcha(newCaptcha())}
        problems={problems}
      />
      {problem === 'cookies' && <CookiesNotice />}
      {keepTrying.isTrying && <UnreachableNotice />}
      {throttle !== null && <WaitNotice key={throttle.seconds} seconds={throttle.seconds} />}
      <Button
        variant="primary"
        size="large"
        type="submit"
        full
        busy={pending && t('login.signing', 'Signing in...')}
      >
        {t('login.sign', 'Sign In')}
      </Button>
    </form>
  );
}

function UnreachableNotice() {
  return (
    <Notice
      tone="warn"
      role="status"
      icon={<WifiOff />}
      title={t('login.serverCannotReached', 'The server cannot be reached')}
    >
      {t('login.pageKeepsTryingSigns', 'This page keeps trying, and signs you in once it can be.')}
    </Notice>
  );
}

function CookiesNotice() {
  return (
    <Notice
      tone="warn"
      role="alert"
      icon={<Cookie />}
      title={t('login.browserDoesNotKeep', 'This browser does not keep cookies for this site')}
    >
      {t(
        'login.withoutThemNobodyCan',
        'Without them nobody can stay signed in here. Allow cookies for this site in the browser’s settings, switch off add-ons that block them, or use another browser. Then sign in again: your password is still valid.',
      )}
    </Notice>
  );
}

interface LoginProblems {
  email?: string;
  password?: string;
  captcha?: string;
}

/** Missing fields, checked before sending; the server validates the rest. */
export function validateLogin(typed: {
  email: string;
  password: string;
  captcha: string;
}): LoginProblems {
  const problems: LoginProblems = {};
  const email = typed.email.trim();
  if (email === '') problems.email = t('login.enterEmailAddress', 'Enter your email address');
  else if (!/^\S+@\S+$/.test(email))
    problems.email = t(
      'login.enterCompleteAddressLike',
      'Enter a complete address, like name@example.org',
    );
  if (typed.password === '') problems.password = t('login.enterPassword', 'Enter your password');
  if (typed.captcha.trim() === '')
    problems.captcha = t('login.enterCodeShown', 'Enter the code shown');
  return problems;
}

const HandedOver = z.object({ email: z.string().max(320) });

/**
 * The address from a link (`?email=`) or an earlier screen, or that of the person whose session expired
 * in this browser; otherwise empty.
 */
export function prefilledEmail(search: string, state: unknown): string {
  const handed = HandedOver.safeParse(state);
  if (handed.success) return handed.data.email;
  const linked = new URLSearchParams(search).get('email')?.slice(0, 320);
  return linked ?? endedSessionEmail() ?? '';
}

function CaptchaField({
  code,
  onRefresh,
  error,
  inputRef,
}: {
  code: string;
  onRefresh(): void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}) {
  return (
    <Field label={t('login.captcha', 'Captcha')} error={error}>
      {(ids) => (
        <span className="grid grid-cols-[auto_2.75rem_minmax(0,1fr)] gap-2">
          <output
            aria-label={t('login.captchaCode', 'Captcha code: {code}', {
              code: [...code].join(', '),
            })}
            className="code grid h-11 place-items-center rounded-md bg-sunken px-4 indent-[0.18em] text-[1.25rem] tracking-[0.18em] select-text"
          >
            {code}
          </output>
          <button
            type="button"
            aria-label={t('login.newCaptchaCode', 'New captcha code')}
            onClick={onRefresh}
            className={`${buttonClasses('secondary', 'candidate')} w-11 px-0!`}
          >
            <RefreshCw />
          </button>
          <input
            {...ids}
            ref={inputRef}
            name="captcha"
            type="text"
            required
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            placeholder={t('login.typeCode', 'Type the code')}
            className={`${CONTROL} ${CONTROL_SIZE.candidate} code tracking-[0.12em] uppercase placeholder:font-sans placeholder:font-normal placeholder:tracking-normal placeholder:normal-case`}
          />
        </span>
      )}
    </Field>
  );
}

/**
 * Creates a captcha as real text, accessible and easy to copy. The throttle protects, not the captcha.
 */
export function newCaptcha(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LIMITS.captchaCharacters));
  return codeFromBytes(bytes, CODE_LIMITS.captchaCharacters);
}

/** Ignores case (specification 5) and surrounding blanks from copying. */
export function isCaptchaRight(typed: string, shown: string): boolean {
  return typed.trim().toUpperCase() === shown;
}

function LoginFields({
  refs: { emailRef, passwordRef, captchaRef },
  captcha,
  onRefresh,
  problems,
}: {
  refs: Record<'emailRef' | 'passwordRef' | 'captchaRef', RefObject<HTMLInputElement | null>>;
  captcha: string;
  onRefresh(): void;
  problems: LoginProblems;
}) {
  return (
    <>
      <TextField
        ref={emailRef}
        label={t('login.emailAddress', 'Email address')}
        name="email"
        type="email"
        autoComplete="username"
        required
        size="candidate"
        defaultValue={prefilledEmail(window.location.search, window.history.state)}
        error={problems.email}
      />
      <PasswordField
        ref={passwordRef}
        label={t('login.password', 'Password')}
        name="password"
        required
        size="candidate"
        hint={t(
          'login.useOneTimePassword',
          'Use the one-time password provided in your email invitation.',
        )}
        error={problems.password}
      />
      <CaptchaField
        inputRef={captchaRef}
        code={captcha}
        onRefresh={onRefresh}
        error={problems.captcha}
      />
    </>
  );
}

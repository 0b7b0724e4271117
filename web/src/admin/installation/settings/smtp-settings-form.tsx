import {
  type SmtpSettings,
  SmtpSettingsBody,
  type SmtpTestResult,
} from '@invigil/core/contract/installation/smtp-settings';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
import { CircleCheck, Copy, Send, ShieldAlert, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { formatDateTime } from '../../../lib/format.ts';
import { useSession } from '../../../lib/person/session.tsx';
import { fillForm } from '../../../lib/typed-since.ts';
import { ApiError, ConnectionError, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { toast } from '../../../ui/toast.ts';
import { Trans } from '../../../ui/trans.tsx';
import {
  useCountWaiting,
  useSaveSmtpSettings,
  useSmtpSettings,
  useSmtpTest,
} from '../../data/mail.ts';
import { copyAndSay, showFailure } from '../../data/show-failure.ts';
import { fieldIn } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';
import { StaleVersions, staleSentence, useRead } from '../../parts/stale-notice.tsx';

const SMTP_FIELDS = ['host', 'port', 'username', 'password', 'fromEmail'] as const;
type SmtpField = (typeof SMTP_FIELDS)[number];
type SmtpFormValues = Record<SmtpField, string> & { needsSignIn: boolean };

export function smtpFormValuesOf(settings: SmtpSettings | null): SmtpFormValues {
  return {
    host: settings?.host ?? '',
    port: String(settings?.port ?? MAIL_LIMITS.smtpDefaultPort),
    username: settings?.username ?? '',
    password: '',
    fromEmail: settings?.fromEmail ?? '',
    needsSignIn: settings === null || settings.username !== '',
  };
}

/**
 * Whether the stored password still applies: only to the server and user it was entered for, so that it
 * cannot be sent elsewhere (product 8).
 */
function mayKeepPassword(values: SmtpFormValues, stored: SmtpSettings | null): boolean {
  return (
    stored?.hasPassword === true &&
    values.host.trim() === stored.host &&
    values.port.trim() === String(stored.port) &&
    values.username.trim() === stored.username
  );
}

type ValidatedSmtp =
  | { ok: true; body: z.output<typeof SmtpSettingsBody> }
  | { ok: false; problems: Partial<Record<SmtpField, string>> };

/** All five are required (specification 5); a stored password may be kept, and a server may need no sign-in. */
export function validateSmtp(values: SmtpFormValues, stored: SmtpSettings | null): ValidatedSmtp {
  const problems: Partial<Record<SmtpField, string>> = {};
  if (values.needsSignIn && values.password === '' && !mayKeepPassword(values, stored)) {
    problems.password =
      stored?.hasPassword === true
        ? t(
            'settings.smtp.passwordAgain',
            'Enter the password again: host, port or username changed',
          )
        : t('field.password', 'Enter a password');
  }
  if (values.port.trim() === '')
    problems.port = t(/* of a mail server */ 'settings.smtp.enterPort', 'Enter a port');
  const parsed = SmtpSettingsBody.safeParse({
    host: values.host,
    port: values.port,
    username: values.needsSignIn ? values.username : null,
    ...(values.needsSignIn && values.password !== '' ? { password: values.password } : {}),
    fromEmail: values.fromEmail.trim(),
    isActive: true,
  });
  for (const issue of parsed.error?.issues ?? []) {
    const field = SMTP_FIELDS.find((name) => name === issue.path[0]);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  if (parsed.success && Object.keys(problems).length === 0) return { ok: true, body: parsed.data };
  return { ok: false, problems };
}

const FIELD_OF: Partial<Record<string, SmtpField>> = {
  PASSWORD_NEEDED: 'password',
  FORBIDDEN_HOST: 'host',
};

const hostLabel = () => t(/* a field: the name of the mail server */ 'settings.smtp.host', 'Host');
const portLabel = () => t(/* a field: of the mail server */ 'settings.smtp.port', 'Port');
const usernameLabel = () =>
  t(/* a field: at the mail server */ 'settings.smtp.username', 'Username');
const fromLabel = () => t(/* a field: the sender’s address */ 'settings.smtp.from', 'From Email');

const wordsOf = ({ host, port, username, fromEmail }: SmtpFormValues) => ({
  [hostLabel()]: host,
  [portLabel()]: port,
  [usernameLabel()]:
    username || t(/* a mail server needs no user name */ 'settings.smtp.noUsername', 'none'),
  [fromLabel()]: fromEmail,
});

const resolverFor =
  (stored: SmtpSettings | null): Resolver<SmtpFormValues> =>
  (values) => {
    const validated = validateSmtp(values, stored);
    if (validated.ok) return { values, errors: {} };
    const errors: FieldErrors<SmtpFormValues> = {};
    for (const field of SMTP_FIELDS) {
      const message = validated.problems[field];
      if (message !== undefined) errors[field] = { type: 'validate', message };
    }
    return { values: {}, errors };
  };

const waitUntilText = (waiting: number) =>
  t(
    /* emails */ 'settings.smtp.waitUntil',
    '{count, plural, one {# message waits in the outbox until you start sending there.} other {# messages wait in the outbox until you start sending there.}}',
    { count: waiting },
  );

function testHint(stored: SmtpSettings | null, isDirty: boolean): string {
  return stored?.testedAt && !isDirty
    ? t(
        /* {time} is a date with its time */ 'settings.smtp.testedAt',
        'A test message was accepted on {time}.',
        { time: formatDateTime(stored.testedAt) },
      )
    : t(
        'settings.smtp.testHint',
        'Try the settings above before you save them. Nothing else is sent.',
      );
}

function SmtpForm({ stored }: { stored: SmtpSettings | null }) {
  const save = useSaveSmtpSettings();
  const test = useSmtpTest();
  const countWaiting = useCountWaiting();
  const own = useSession().account?.user.email ?? '';
  const [to, setTo] = useState(own);
  /** The setting that IT has to make so that the host of the last try may be used. */
  const [forIt, setForIt] = useState<string | null>(null);
  /** The settings of the last test: once others are entered, its result no longer applies. */
  const [tested, setTested] = useState('');
  const [asking, setAsking] = useState<{ waiting: number; values: SmtpFormValues } | null>(null);
  const form = useForm<SmtpFormValues>({
    defaultValues: smtpFormValuesOf(stored),
    resolver: resolverFor(stored),
  });
  const shown = useRef(stored);
  const read = useRead(stored);
  const seen = useEffectEvent(() => read.settle(stored));
  // Refetched on every visit: someone else may have changed them.
  useEffect(() => {
    if (shown.current === stored) return;
    fillForm(form, smtpFormValuesOf(shown.current), smtpFormValuesOf(stored));
    shown.current = stored;
    seen();
  }, [form, stored]);
  const { isDirty } = form.formState;
  useUnsaved(isDirty);

  const refused = (error: unknown) => {
    showIssues(error, form.setError, SMTP_FIELDS);
    if (!(error instanceof ApiError)) return;
    const field = FIELD_OF[error.code];
    if (field !== undefined) {
      form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
    }
    const { setting } = error.details;
    setForIt(typeof setting === 'string' ? setting : null);
  };
  const store = async (values: SmtpFormValues, waiting: number, isActive: boolean) => {
    const validated = validateSmtp(values, stored);
    if (!validated.ok) return;
    setForIt(null);
    try {
      const proof = test.data?.proof;
      const saved = await save.mutateAsync({
        ...validated.body,
        isActive,
        before: read.before,
        ...(proof === undefined ? {} : { proof }),
      });
      fillForm(form, values, smtpFormValuesOf(saved));
      read.settle(saved);
      toast({
        title: t('settings.smtp.updated', 'SMTP settings updated'),
        description: isActive
          ? t('settings.smtp.goOut', 'Waiting messages go out now.')
          : waitUntilText(waiting),
      });
    } catch (error) {
      refused(error);
      const areShown = read.refused(error);
      showFailure(
        t('settings.smtp.updateFailed', 'Failed to update SMTP settings'),
        areShown
          ? staleSentence()
          : error instanceof ConnectionError
            ? error.message
            : t(
                'settings.smtp.checkConfiguration',
                'Please check your configuration and try again.',
              ),
      );
    }
    setAsking(null);
  };
  const submit = form.handleSubmit(async (values) => {
    // Saving is better than asking again, if the count does not arrive.
    const waiting = await countWaiting().catch(() => 0);
    if (waiting > 0) setAsking({ waiting, values });
    else await store(values, 0, true);
  });
  const sendTest = form.handleSubmit(async (values) => {
    const validated = validateSmtp(values, stored);
    if (!validated.ok) return;
    const { isActive: _, ...typed } = validated.body;
    setForIt(null);
    setTested(JSON.stringify(values));
    await test
      .mutateAsync({ to: to.trim(), ...(isDirty ? { settings: typed } : {}) })
      .catch(refused);
  });

  return (
    <>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-5">
        <StaleVersions
          {...{ form, what: 'mailServer', read, wordsOf }}
          valuesIn={smtpFormValuesOf}
          onKeepMine={() => void submit()}
        />
        <ServerFields form={form} stored={stored} />
        <TextField
          label={t(/* a field: an address */ 'settings.smtp.testTo', 'Test message to')}
          type="email"
          autoComplete="off"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          hint={testHint(stored, isDirty)}
          error={test.error instanceof ApiError ? test.error.issueAt('to') : undefined}
        />
        {forIt !== null && <AskIt setting={forIt} />}
        {test.isError && forIt === null && !isAtField(test.error) && (
          <Notice tone="bad" role="alert" icon={<TriangleAlert />}>
            {sentenceOf(test.error)}
          </Notice>
        )}
        {test.data !== undefined && tested === JSON.stringify(form.watch()) && (
          <TestResult result={test.data} />
        )}
        <div className="flex flex-wrap justify-end gap-3">
          {isDirty && (
            <Button onClick={() => form.reset()}>
              {t(/* a button: of a form */ 'settings.undoChanges', 'Undo changes')}
            </Button>
          )}
          <Button
            icon={<Send />}
            busy={test.isPending && t(/* on a button */ 'portal.sending', 'Sending…')}
            onClick={() => void sendTest()}
          >
            {t(/* a button */ 'settings.smtp.test', 'Send test message')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={save.isPending && t(/* on a button */ 'portal.saving', 'Saving…')}
          >
            {t(/* a button */ 'settings.smtp.save', 'Save SMTP settings')}
          </Button>
        </div>
      </form>
      {asking !== null && (
        <WaitingDialog
          waiting={asking.waiting}
          busy={save.isPending}
          onClose={() => setAsking(null)}
          onAnswer={(sends) => void store(asking.values, asking.waiting, sends)}
        />
      )}
    </>
  );
}

function ServerFields({
  form,
  stored,
}: {
  form: UseFormReturn<SmtpFormValues>;
  stored: SmtpSettings | null;
}) {
  const keeps = mayKeepPassword(form.watch(), stored);
  const needsSignIn = form.watch('needsSignIn');
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <TextField
          label={hostLabel()}
          required
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          placeholder="smtp.example.org"
          {...fieldIn(form, 'host')}
        />
        <TextField
          label={portLabel()}
          required
          type="number"
          inputMode="numeric"
          min={1}
          max={65_535}
          {...fieldIn(form, 'port')}
        />
      </div>
      <Checkbox
        label={t(
          /* a choice: a mail server */ 'settings.smtp.noSignIn',
          'This server needs no sign-in',
        )}
        hint={t(
          /* “Some”: mail servers */ 'settings.smtp.noSignInHint',
          'Some take mail by network address, as is usual inside a university or company.',
        )}
        checked={!needsSignIn}
        onChange={({ target }) =>
          form.setValue('needsSignIn', !target.checked, { shouldDirty: true })
        }
      />
      {needsSignIn && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={usernameLabel()}
            required
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="off"
            {...fieldIn(form, 'username')}
          />
          <PasswordField
            label={t('login.password', 'Password')}
            required={!keeps}
            autoComplete="new-password"
            placeholder={
              keeps ? t(/* a password is stored */ 'settings.smtp.stored', 'Stored') : ''
            }
            hint={passwordHint(stored, keeps)}
            {...fieldIn(form, 'password')}
          />
        </div>
      )}
      <TextField
        label={fromLabel()}
        required
        type="email"
        autoComplete="off"
        placeholder="assessments@example.org"
        hint={t('settings.smtp.fromHint', 'Invitations are sent from this address.')}
        {...fieldIn(form, 'fromEmail')}
      />
    </>
  );
}

function passwordHint(stored: SmtpSettings | null, keeps: boolean): string {
  if (stored?.hasPassword !== true)
    return t(
      /* “It”: a password */ 'settings.smtp.passwordHint',
      'It is stored encrypted and never shown again.',
    );
  return keeps
    ? t(
        /* “this”: a field */ 'settings.smtp.keepPassword',
        'A password is stored. Leave this empty to keep it.',
      )
    : t(
        'settings.smtp.passwordAgainHint',
        'Enter the password again: host, port or username changed.',
      );
}

export function SmtpCard() {
  const settings = useSmtpSettings();
  return (
    <LoadedCard
      title={t(/* heading of a card */ 'settings.smtp.title', 'SMTP Email Configuration')}
      read={settings}
      failure={t('settings.smtp.loadFailed', 'Failed to load SMTP settings')}
      loading={t('settings.smtp.loading', 'Loading settings...')}
      rows={10}
      keeps
      aside={
        settings.data !== undefined && (
          <Badge
            tone={settings.data === null ? 'neutral' : settings.data.isActive ? 'ok' : 'warn'}
            glyph={settings.data?.isActive ? 'ticked' : 'ring'}
          >
            {settings.data === null
              ? t(/* a mail server */ 'settings.smtp.notSetUp', 'Not set up')
              : settings.data.isActive
                ? t(/* a mail server */ 'settings.smtp.inUse', 'In use')
                : t(/* a mail server */ 'settings.smtp.notSending', 'Not sending')}
          </Badge>
        )
      }
    >
      {(stored) => <SmtpForm stored={stored} />}
    </LoadedCard>
  );
}

const STAGES: Record<SmtpTestResult['stage'], () => string> = {
  settings: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.settings',
      'The settings are not usable',
    ),
  name: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.name',
      'The server’s name was not found',
    ),
  connection: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.connection',
      'No connection to the server',
    ),
  certificate: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.certificate',
      'The server’s certificate is not trusted',
    ),
  greeting: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.greeting',
      'This server’s name was refused',
    ),
  sign_in: () =>
    t(/* what a test message came to */ 'settings.smtp.stage.signIn', 'The sign-in was refused'),
  sender: () =>
    t(/* what a test message came to */ 'settings.smtp.stage.sender', 'The sender was refused'),
  recipient: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.recipient',
      'The recipient was refused',
    ),
  message: () =>
    t(/* what a test message came to */ 'settings.smtp.stage.message', 'The message was refused'),
  limit: () =>
    t(
      /* what a test message came to */ 'settings.smtp.stage.limit',
      'The account has reached a limit',
    ),
  done: () => t(/* what a test message came to */ 'settings.smtp.stage.done', 'Test message sent'),
};

/** Refusals that are shown at a field of the form. */
function isAtField(error: unknown): boolean {
  return error instanceof ApiError && (error.issues.length > 0 || error.code in FIELD_OF);
}

/** Whether to send now what waits: a wrong sender would be found in every one of them. */
function WaitingDialog({
  waiting,
  busy,
  onClose,
  onAnswer,
}: {
  waiting: number;
  busy: boolean;
  onClose(): void;
  onAnswer(sends: boolean): void;
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(
        /* emails */ 'settings.smtp.waiting',
        '{count, plural, one {# message waits in the outbox} other {# messages wait in the outbox}}',
        { count: waiting },
      )}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>
            {t(
              /* a button: messages keep waiting */ 'settings.smtp.saveAndWait',
              'Save, keep waiting',
            )}
          </Button>
          <Button
            variant="primary"
            busy={busy && t(/* on a button */ 'portal.saving', 'Saving…')}
            onClick={() => onAnswer(true)}
          >
            {t(/* a button */ 'settings.smtp.saveAndSend', 'Save and send now')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          /* “It”, “They”: messages */ 'settings.smtp.sendWhen',
          '{count, plural, one {It can go out as soon as the settings are saved. Or everything waits until you start sending in the outbox.} other {They can go out as soon as the settings are saved. Or everything waits until you start sending in the outbox.}}',
          { count: waiting },
        )}
      </p>
    </Dialog>
  );
}

/**
 * The setting for the server's operator: only the environment can allow a mail server in a private network.
 */
function AskIt({ setting }: { setting: string }) {
  return (
    <Notice
      tone="warn"
      role="alert"
      icon={<ShieldAlert />}
      title={t(
        /* IT: the people who run the installation */ 'settings.smtp.askIt',
        'IT has to allow this mail server',
      )}
      action={
        <Button
          size="dense"
          icon={<Copy />}
          onClick={() => void copyAndSay(setting, t('settings.smtp.copied', 'Setting copied'))}
        >
          {t(/* a button: copies a setting */ 'portal.copy', 'Copy')}
        </Button>
      }
    >
      <p>
        {t(
          'settings.smtp.askItText',
          'Invigil sends only to mail servers on the internet, so that no one can use it to reach into your own network. Ask the people who run this installation to set the following and to restart it. Then save again.',
        )}
      </p>
      <p className="code mt-2 break-all select-all">{setting}</p>
    </Notice>
  );
}

function TestResult({ result }: { result: SmtpTestResult }) {
  const { delivered, stage, message, serverAnswer } = result;
  return (
    <Notice
      tone={delivered ? 'ok' : 'bad'}
      role={delivered ? 'status' : 'alert'}
      icon={delivered ? <CircleCheck /> : <TriangleAlert />}
      title={STAGES[stage]()}
    >
      <p>{message}</p>
      {serverAnswer !== null && (
        <p className="mt-2">
          <Trans
            id="settings.smtp.response"
            comment="{response} is what the mail server said, in its own words"
            message="The mail server’s response: {response}"
            values={{ response: <span className="code wrap-anywhere">{serverAnswer}</span> }}
          />
        </p>
      )}
    </Notice>
  );
}

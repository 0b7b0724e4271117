import {
  type SmtpSettings,
  SmtpSettingsBody,
  type SmtpTestResult,
  testSmtpSettings,
} from '@invigil/core/contract/installation/smtp-settings';
import { listOutbox } from '@invigil/core/contract/invitations/outbox';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Send, TriangleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useSession } from '../../../lib/person/session.tsx';
import { keepTypedSince } from '../../../lib/typed-since.ts';
import { ApiError, ConnectionError, callEndpoint, sentenceOf } from '../../../net/api.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Badge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { fieldIn } from '../../dialogs.tsx';
import { LoadFailure, showFailure } from '../../failures.tsx';
import { useSaveSmtpSettings, useSmtpSettings } from './api.ts';

const SMTP_FIELDS = ['host', 'port', 'username', 'password', 'fromEmail'] as const;
type SmtpField = (typeof SMTP_FIELDS)[number];
type SmtpFormValues = Record<SmtpField, string>;

export function smtpFormValuesOf(settings: SmtpSettings | null): SmtpFormValues {
  return {
    host: settings?.host ?? '',
    port: String(settings?.port ?? MAIL_LIMITS.smtpDefaultPort),
    username: settings?.username ?? '',
    password: '',
    fromEmail: settings?.fromEmail ?? '',
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

/** All five are required (specification 5); a stored password may be kept. */
export function validateSmtp(values: SmtpFormValues, stored: SmtpSettings | null): ValidatedSmtp {
  const problems: Partial<Record<SmtpField, string>> = {};
  if (values.password === '' && !mayKeepPassword(values, stored)) {
    problems.password =
      stored?.hasPassword === true
        ? 'Enter the password again: host, port or username changed'
        : 'Enter a password';
  }
  if (values.port.trim() === '') problems.port = 'Enter a port';
  const parsed = SmtpSettingsBody.safeParse({
    host: values.host,
    port: values.port,
    username: values.username,
    ...(values.password === '' ? {} : { password: values.password }),
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

function SmtpForm({ stored }: { stored: SmtpSettings | null }) {
  const save = useSaveSmtpSettings();
  const resolver: Resolver<SmtpFormValues> = (values) => {
    const validated = validateSmtp(values, stored);
    if (validated.ok) return { values, errors: {} };
    const errors: FieldErrors<SmtpFormValues> = {};
    for (const field of SMTP_FIELDS) {
      const message = validated.problems[field];
      if (message !== undefined) errors[field] = { type: 'validate', message };
    }
    return { values: {}, errors };
  };
  const form = useForm<SmtpFormValues>({ defaultValues: smtpFormValuesOf(stored), resolver });
  const shown = useRef(stored);
  // Refetched on every visit: someone else may have changed them.
  useEffect(() => {
    if (shown.current === stored) return;
    fillIn(form, smtpFormValuesOf(shown.current), smtpFormValuesOf(stored));
    shown.current = stored;
  }, [form, stored]);
  const { isDirty } = form.formState;
  useUnsaved(isDirty);

  const submit = form.handleSubmit(async (values) => {
    const validated = validateSmtp(values, stored);
    if (!validated.ok) return;
    try {
      const saved = await save.mutateAsync(validated.body);
      fillIn(form, values, smtpFormValuesOf(saved));
      toast({ title: 'SMTP settings updated', description: 'Waiting messages go out now.' });
    } catch (error) {
      showIssues(error, form.setError, SMTP_FIELDS);
      const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
      if (field !== undefined) {
        form.setError(field, { message: sentenceOf(error) }, { shouldFocus: true });
      }
      showFailure(
        'Failed to update SMTP settings',
        error instanceof ConnectionError
          ? error.message
          : 'Please check your configuration and try again.',
      );
    }
  });

  const keeps = mayKeepPassword(form.watch(), stored);
  return (
    <>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 p-5">
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <TextField
            label="Host"
            required
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="off"
            placeholder="smtp.example.org"
            {...fieldIn(form, 'host')}
          />
          <TextField
            label="Port"
            required
            type="number"
            inputMode="numeric"
            min={1}
            max={65_535}
            {...fieldIn(form, 'port')}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Username"
            required
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="off"
            {...fieldIn(form, 'username')}
          />
          <PasswordField
            label="Password"
            required={!keeps}
            autoComplete="new-password"
            placeholder={keeps ? 'Stored' : ''}
            hint={passwordHint(stored, keeps)}
            {...fieldIn(form, 'password')}
          />
        </div>
        <TextField
          label="From Email"
          required
          type="email"
          autoComplete="off"
          placeholder="assessments@example.org"
          hint="Invitations are sent from this address."
          {...fieldIn(form, 'fromEmail')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          {isDirty && <Button onClick={() => form.reset()}>Undo changes</Button>}
          <Button variant="primary" type="submit" busy={save.isPending && 'Saving…'}>
            Save SMTP settings
          </Button>
        </div>
      </form>
      {stored !== null && <SmtpTest unsaved={isDirty} />}
    </>
  );
}

/** Updates the form with stored settings, except fields edited since `before`. */
function fillIn(
  form: UseFormReturn<SmtpFormValues>,
  before: SmtpFormValues,
  fresh: SmtpFormValues,
): void {
  const next = keepTypedSince(before, form.getValues(), fresh);
  form.reset(fresh);
  for (const field of SMTP_FIELDS) {
    if (next[field] !== fresh[field]) form.setValue(field, next[field], { shouldDirty: true });
  }
}

function passwordHint(stored: SmtpSettings | null, keeps: boolean): string {
  if (stored?.hasPassword !== true) return 'It is stored encrypted and never shown again.';
  return keeps
    ? 'A password is stored. Leave this empty to keep it.'
    : 'Enter the password again: host, port or username changed.';
}

export function SmtpCard() {
  const settings = useSmtpSettings();
  return (
    <Card
      title="SMTP Email Configuration"
      aside={
        settings.data !== undefined && (
          <Badge
            tone={settings.data === null ? 'neutral' : 'ok'}
            glyph={settings.data === null ? 'ring' : 'ticked'}
          >
            {settings.data === null ? 'Not set up' : 'In use'}
          </Badge>
        )
      }
    >
      {settings.isError && (
        <div className="p-5">
          <LoadFailure title="Failed to load SMTP settings" read={settings} />
        </div>
      )}
      {settings.isPending && <SkeletonRows rows={3}>Loading settings...</SkeletonRows>}
      {/* Stays mounted if a refetch fails: it may have unsaved input. */}
      {settings.data !== undefined && <SmtpForm stored={settings.data} />}
    </Card>
  );
}

const STAGES: Record<SmtpTestResult['stage'], string> = {
  settings: 'The settings are not usable',
  name: 'The server’s name was not found',
  connection: 'No connection to the server',
  certificate: 'The server’s certificate is not trusted',
  sign_in: 'The sign-in was refused',
  sender: 'The sender was refused',
  recipient: 'The recipient was refused',
  message: 'The message was refused',
  limit: 'The account has reached a limit',
  done: 'Test message sent',
};

function SmtpTest({ unsaved }: { unsaved: boolean }) {
  const own = useSession().account?.user.email ?? '';
  const [to, setTo] = useState(own);
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: (address: string) => callEndpoint(testSmtpSettings, { body: { to: address } }),
    onSuccess: () => client.invalidateQueries({ queryKey: endpointKey(listOutbox) }),
  });
  const problem = test.error instanceof ApiError ? test.error.issueAt('to') : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!test.isPending) test.mutate(to.trim());
  };
  return (
    <form noValidate onSubmit={send} className="grid gap-3 border-t border-line p-5">
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Test message to"
          type="email"
          autoComplete="off"
          className="min-w-0 flex-1 basis-56"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          hint={
            unsaved
              ? 'Save first. The test uses the saved settings.'
              : 'Uses the saved settings and shows the mail server’s response.'
          }
          error={problem}
        />
        <Button
          type="submit"
          className="mt-6.5"
          icon={<Send />}
          busy={test.isPending && 'Sending…'}
        >
          Send test message
        </Button>
      </div>
      {test.isError && problem === undefined && (
        <Notice tone="bad" role="alert" icon={<TriangleAlert />}>
          {sentenceOf(test.error)}
        </Notice>
      )}
      {test.data !== undefined && <TestResult result={test.data} />}
    </form>
  );
}

function TestResult({ result }: { result: SmtpTestResult }) {
  const { delivered, stage, message, serverAnswer } = result;
  return (
    <Notice
      tone={delivered ? 'ok' : 'bad'}
      role={delivered ? 'status' : 'alert'}
      icon={delivered ? <CircleCheck /> : <TriangleAlert />}
      title={STAGES[stage]}
    >
      <p>{message}</p>
      {serverAnswer !== null && (
        <p className="mt-2">
          The mail server’s response: <span className="code break-words">{serverAnswer}</span>
        </p>
      )}
    </Notice>
  );
}

import {
  type SmtpTestResult,
  testSmtpSettings,
} from '@invigil/core/contract/installation/smtp-settings';
import { listOutbox } from '@invigil/core/contract/invitations/outbox';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Send, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useSession } from '../../../lib/person/session.tsx';
import { ApiError, callEndpoint, sentenceOf } from '../../../net/api.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';

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

/** Send test message: with the stored settings, and the mail server's response in words. */
export function SmtpTest({ unsaved }: { unsaved: boolean }) {
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

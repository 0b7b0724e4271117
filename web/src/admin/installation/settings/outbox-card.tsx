import type { SmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import type { OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import type { MailState } from '@invigil/core/domain/invitation-states';
import { isCanceledMail } from '@invigil/core/texts/mail-problems';
import { CirclePause, Copy, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime, zoneName } from '../../../lib/format.ts';
import { mailReason, mailStatus } from '../../../lib/mail.ts';
import { hasCode, sentenceOf } from '../../../net/api.ts';
import { StatusBadge } from '../../../ui/badges/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { SearchBox } from '../../../ui/fields/search-box.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import {
  OUTBOX_ROWS,
  useOutbox,
  useOutboxMessage,
  useRevealMessage,
  useSaveSmtpSettings,
  useSendNow,
  useSmtpSettings,
} from '../../data/mail.ts';
import { useMay } from '../../data/own-rights.ts';
import { copyAndSay, showFailure } from '../../data/show-failure.ts';
import { FilterSelect } from '../../list/filter-select.tsx';
import { List } from '../../list/list.tsx';
import { useSecretForm } from '../../parts/use-secret-form.ts';

const STATES = [
  { value: 'queued', label: 'Queued' },
  { value: 'sending', label: 'Sending' },
  { value: 'sent', label: 'Sent' },
  { value: 'uncertain', label: 'Uncertain' },
  { value: 'failed', label: 'Failed' },
] as const satisfies readonly { value: MailState; label: string }[];

interface View {
  search: string;
  state: MailState | null;
  page: number;
}
const FIRST_VIEW: View = { search: '', state: null, page: 1 };

/**
 * The outbox: every message, its state, and the content of waiting ones (with a mail server: after
 * entering the password).
 */
export function OutboxCard() {
  const [{ search, state, page }, setView] = useState<View>(FIRST_VIEW);
  const [reading, setReading] = useState<OutboxMessage | null>(null);
  const settings = useSmtpSettings();
  const mayManage = useMay()('installation.manage');
  // Support sees what waits, not the settings: sending is refused where it is not possible.
  const canSend = settings.data?.isActive === true || !mayManage;
  const outbox = useOutbox({ search, state, page }, canSend);
  const send = useSendNow();
  const sendNow = (id: string) =>
    send.mutate(id, {
      onError: (error) => showFailure('Failed to send the message', error),
    });
  const isReadable = settings.data === null;

  return (
    <>
      <List
        title="Outbox"
        aside={
          <IconButton label="Reload the outbox" onClick={() => void outbox.refetch()}>
            <RefreshCw />
          </IconButton>
        }
        tools={
          <search className="flex flex-wrap gap-3 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1 basis-48 sm:max-w-80">
              <SearchBox
                label="Search the outbox"
                placeholder="Recipient or subject"
                maxLength={320}
                value={search}
                onSearch={(next) => setView({ search: next, state, page: 1 })}
              />
            </div>
            <FilterSelect
              label="State"
              any="Any state"
              className="sm:w-40!"
              options={STATES}
              value={state}
              onChange={(next) => setView({ search, state: next, page: 1 })}
            />
          </search>
        }
        read={outbox}
        failure="Failed to load the outbox"
        loading="Loading messages..."
        none={
          <EmptyState>
            No messages yet. Invitations appear here as soon as they are created.
          </EmptyState>
        }
        narrowed={
          (search !== '' || state !== null) && {
            sentence: 'No message matches these filters.',
            onClear: () => setView(FIRST_VIEW),
          }
        }
        pages={{
          page,
          perPage: OUTBOX_ROWS,
          onPage: (next) => setView({ search, state, page: next }),
          total: () => `Times in ${zoneName()}`,
        }}
        above={
          <>
            {isReadable && (
              <p className="border-b border-line px-5 py-3 text-ink-2">
                No mail server is configured, so messages wait here. You can read and copy waiting
                messages. Viewing is logged. To send them,{' '}
                <Link to="/admin/settings" className="font-medium underline underline-offset-4">
                  configure a mail server
                </Link>
                .
              </p>
            )}
            {settings.data?.isActive === false && <SendingIsOff settings={settings.data} />}
          </>
        }
      >
        {(rows) => (
          <ul aria-label="Messages">
            {rows.map((message) => (
              <OutboxRow
                key={message.id}
                message={message}
                onRead={
                  mayManage && message.state === 'queued' ? () => setReading(message) : undefined
                }
                onSend={canSend ? () => sendNow(message.id) : undefined}
              />
            ))}
          </ul>
        )}
      </List>
      {reading !== null && <OutboxMessageDialog id={reading.id} onClose={() => setReading(null)} />}
    </>
  );
}

/** Saved while its messages were to wait. */
function SendingIsOff({ settings }: { settings: SmtpSettings }) {
  const save = useSaveSmtpSettings();
  const { host, port, username, fromEmail } = settings;
  const server = { host, port, username, fromEmail };
  // Not with callbacks of the mutation: this notice is gone once it has succeeded.
  const start = () =>
    save.mutateAsync({ ...server, isActive: true, before: { ...server, isActive: false } }).then(
      () => toast({ title: 'Sending has started' }),
      (error: unknown) => showFailure('Failed to start sending', error),
    );
  return (
    <div className="border-b border-line px-5 py-3">
      <Notice
        tone="warn"
        icon={<CirclePause />}
        action={
          <Button
            variant="primary"
            busy={save.isPending && 'Starting…'}
            onClick={() => void start()}
          >
            Start sending
          </Button>
        }
      >
        The mail server is set up, and messages wait here until you start sending.
      </Notice>
    </div>
  );
}

function triedText(attempts: number): string {
  if (attempts === 0) return 'Not tried yet';
  return attempts === 1 ? 'Tried once' : `Tried ${attempts} times`;
}

function OutboxRow({
  message,
  onRead,
  onSend,
}: {
  message: OutboxMessage;
  onRead: (() => void) | undefined;
  onSend: (() => void) | undefined;
}) {
  const { recipient, subject, state, attempts, lastError, createdAt, sentAt } = message;
  const reason = mailReason(message);
  const isBad = state === 'failed' && !isCanceledMail(state, lastError);
  const waits = message.nextAttemptAt !== null && attempts > 0;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto_6.5rem_8rem]">
      <div className="col-start-1 row-start-1 min-w-0">
        <div className="font-medium break-all">{recipient}</div>
        <div className="text-sm wrap-anywhere text-ink-2">{subject}</div>
        {reason !== null && (
          <div className={`mt-0.5 text-sm wrap-anywhere ${isBad ? 'text-bad-ink' : 'text-ink-2'}`}>
            {reason}
          </div>
        )}
      </div>
      <div className="col-start-1 row-start-2 text-xs text-ink-3 tabular-nums sm:col-start-2 sm:row-start-1 sm:text-end">
        <div>{triedText(attempts)}</div>
        <time dateTime={sentAt ?? createdAt}>{formatDateTime(sentAt ?? createdAt)}</time>
      </div>
      <div className="col-start-2 row-start-1 flex justify-end self-start sm:col-start-3 sm:self-center">
        <StatusBadge status={mailStatus(message)} />
      </div>
      <div className="col-start-2 row-start-2 grid justify-items-end gap-1.5 sm:col-start-4 sm:row-start-1">
        {onRead !== undefined && (
          <Button size="dense" onClick={onRead} aria-label={`Open message to ${recipient}`}>
            Open message
          </Button>
        )}
        {onSend !== undefined && waits && (
          <Button size="dense" onClick={onSend} aria-label={`Send now to ${recipient}`}>
            Send now
          </Button>
        )}
      </div>
    </li>
  );
}

function OutboxMessageDialog({ id, onClose }: { id: string; onClose(): void }) {
  const formId = useId();
  const opened = useOutboxMessage(id);
  const reveal = useRevealMessage(id);
  const isSealed = hasCode(opened.error, 'MESSAGE_SEALED') && !reveal.data;
  const message = reveal.data ?? opened.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title={message?.subject ?? 'Message'}
      description={message === undefined ? undefined : `To ${message.recipient}`}
      footer={
        <>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
          {isSealed && (
            <Button
              variant="primary"
              type="submit"
              form={formId}
              busy={reveal.isPending && 'Opening…'}
            >
              Read message
            </Button>
          )}
          {message !== undefined && (
            <Button
              variant="primary"
              icon={<Copy />}
              onClick={() => void copyAndSay(message.text, 'Message copied')}
            >
              Copy message
            </Button>
          )}
        </>
      }
    >
      {isSealed ? (
        <RevealForm formId={formId} onReveal={reveal.mutateAsync} />
      ) : message === undefined && opened.isError ? (
        <FailureNotice title="This message cannot be opened">
          {sentenceOf(opened.error)}
        </FailureNotice>
      ) : message === undefined ? (
        <SkeletonRows rows={3}>Loading message...</SkeletonRows>
      ) : (
        <pre className="rounded-lg bg-sunken p-4 font-sans wrap-anywhere whitespace-pre-line select-text">
          {message.text}
        </pre>
      )}
    </Dialog>
  );
}

/** Asks for the password: where there is a mail server, messages are for their recipients only. */
function RevealForm({
  formId,
  onReveal,
}: {
  formId: string;
  onReveal(password: string): Promise<unknown>;
}) {
  const { submit, field } = useSecretForm('password', onReveal);
  return (
    <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <p>
        A mail server has been configured, so this message is for its recipient only. If you read
        it, this is logged and the other administrators get an email.
      </p>
      <PasswordField label="Password" required autoComplete="current-password" {...field} />
    </form>
  );
}

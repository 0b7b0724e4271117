import type { SmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import type { OutboxMessage } from '@invigil/core/contract/invitations/outbox';
import type { MailState } from '@invigil/core/domain/invitation-states';
import { t } from '@invigil/core/texts/i18n';
import { CirclePause, Copy, RefreshCw } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { formatDateTime } from '../../../lib/format.ts';
import { mailReason, mailStatus } from '../../../lib/mail.ts';
import { timesInText } from '../../../lib/portal-times.ts';
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
import { Trans } from '../../../ui/trans.tsx';
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

const states = (): { value: MailState; label: string }[] => [
  { value: 'queued', label: t(/* the state of an email */ 'status.queued', 'Queued') },
  { value: 'sending', label: t(/* the state of an email */ 'status.sending', 'Sending') },
  { value: 'sent', label: t(/* the state of an email */ 'status.sent', 'Sent') },
  { value: 'uncertain', label: t('status.uncertain', 'Uncertain') },
  { value: 'failed', label: t(/* the state of an email */ 'status.failed', 'Failed') },
];

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
      onError: (error) =>
        showFailure(t('portal.messageFailed', 'Failed to send the message'), error),
    });
  const isReadable = settings.data === null;

  return (
    <>
      <List
        title={t(/* a tab of the settings: emails */ 'settings.outbox', 'Outbox')}
        aside={
          <IconButton
            label={t(/* a button */ 'settings.outbox.reload', 'Reload the outbox')}
            onClick={() => void outbox.refetch()}
          >
            <RefreshCw />
          </IconButton>
        }
        tools={
          <search className="flex flex-wrap gap-3 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1 basis-48 sm:max-w-80">
              <SearchBox
                label={t(
                  /* the name of a field */ 'settings.outbox.searchLabel',
                  'Search the outbox',
                )}
                placeholder={t(
                  /* in an empty field: what can be searched for */ 'settings.outbox.searchPlaceholder',
                  'Recipient or subject',
                )}
                maxLength={320}
                value={search}
                onSearch={(next) => setView({ search: next, state, page: 1 })}
              />
            </div>
            <FilterSelect
              label={t(/* of an email */ 'portal.state', 'State')}
              any={t(
                /* of an email: the first of a list */ 'settings.outbox.anyState',
                'Any state',
              )}
              className="sm:min-w-40"
              options={states()}
              value={state}
              onChange={(next) => setView({ search, state: next, page: 1 })}
            />
          </search>
        }
        read={outbox}
        failure={t('settings.outbox.loadFailed', 'Failed to load the outbox')}
        loading={t('settings.outbox.loading', 'Loading messages...')}
        none={
          <EmptyState>
            {t(
              'settings.outbox.none',
              'No messages yet. Invitations appear here as soon as they are created.',
            )}
          </EmptyState>
        }
        narrowed={
          (search !== '' || state !== null) && {
            sentence: t('settings.outbox.noMatch', 'No message matches these filters.'),
            onClear: () => setView(FIRST_VIEW),
          }
        }
        pages={{
          page,
          perPage: OUTBOX_ROWS,
          onPage: (next) => setView({ search, state, page: next }),
          total: () => timesInText(),
        }}
        above={
          <>
            {isReadable && (
              <p className="border-b border-line px-5 py-3 text-ink-2">
                <Trans
                  id="settings.outbox.noServer"
                  message="No mail server is configured, so messages wait here. You can read and copy waiting messages. Viewing is logged. To send them, <link>configure a mail server</link>."
                  components={{
                    link: (
                      <Link
                        to="/admin/settings"
                        className="font-medium underline underline-offset-4"
                      />
                    ),
                  }}
                />
              </p>
            )}
            {settings.data?.isActive === false && <SendingIsOff settings={settings.data} />}
          </>
        }
      >
        {(rows) => (
          <ul aria-label={t(/* emails of the outbox */ 'settings.outbox.messages', 'Messages')}>
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
      () =>
        toast({ title: t(/* emails are sent */ 'settings.outbox.started', 'Sending has started') }),
      (error: unknown) =>
        showFailure(t('settings.outbox.startFailed', 'Failed to start sending'), error),
    );
  return (
    <div className="border-b border-line px-5 py-3">
      <Notice
        tone="warn"
        icon={<CirclePause />}
        action={
          <Button
            variant="primary"
            busy={save.isPending && t(/* on a button */ 'settings.outbox.starting', 'Starting…')}
            onClick={() => void start()}
          >
            {t(/* a button: emails */ 'settings.outbox.start', 'Start sending')}
          </Button>
        }
      >
        {t(
          'settings.outbox.isOff',
          'The mail server is set up, and messages wait here until you start sending.',
        )}
      </Notice>
    </div>
  );
}

function triedText(attempts: number): string {
  return attempts === 0
    ? t(/* an email */ 'settings.outbox.notTried', 'Not tried yet')
    : t(
        /* an email */ 'settings.outbox.tried',
        '{count, plural, =1 {Tried once} one {Tried # times} other {Tried # times}}',
        { count: attempts },
      );
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
  const { recipient, subject, state, attempts, createdAt, sentAt } = message;
  const reason = mailReason(message);
  const isBad = state === 'failed' && !message.isCanceled;
  const waits = message.nextAttemptAt !== null && attempts > 0;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-b-0 sm:grid-cols-[minmax(0,1fr)_auto_minmax(6.5rem,max-content)_minmax(8rem,max-content)]">
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
          <Button
            size="dense"
            onClick={onRead}
            aria-label={t(
              /* a button; {recipient} is an address */ 'settings.outbox.openTo',
              'Open message to {recipient}',
              { recipient },
            )}
          >
            {t(/* a button: an email */ 'settings.outbox.open', 'Open message')}
          </Button>
        )}
        {onSend !== undefined && waits && (
          <Button
            size="dense"
            onClick={onSend}
            aria-label={t(
              /* a button; {recipient} is an address */ 'settings.outbox.sendTo',
              'Send now to {recipient}',
              { recipient },
            )}
          >
            {t(/* a button: an email */ 'settings.outbox.send', 'Send now')}
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
      title={
        message?.subject ??
        t(/* an email whose subject is not known */ 'portal.mailMessage', 'Message')
      }
      description={
        message &&
        t(/* whom an email is for */ 'settings.outbox.to', 'To {recipient}', {
          recipient: message.recipient,
        })
      }
      footer={
        <>
          <DialogClose>
            <Button>{t(/* a button: closes a dialog */ 'ui.close', 'Close')}</Button>
          </DialogClose>
          {isSealed && (
            <Button
              variant="primary"
              type="submit"
              form={formId}
              busy={
                reveal.isPending &&
                t(/* on a button: it opens a message */ 'settings.outbox.opening', 'Opening…')
              }
            >
              {t(/* a button */ 'settings.outbox.read', 'Read message')}
            </Button>
          )}
          {message !== undefined && (
            <Button
              variant="primary"
              icon={<Copy />}
              onClick={() =>
                void copyAndSay(message.text, t('settings.outbox.copied', 'Message copied'))
              }
            >
              {t(/* a button */ 'settings.outbox.copy', 'Copy message')}
            </Button>
          )}
        </>
      }
    >
      {isSealed ? (
        <RevealForm formId={formId} onReveal={reveal.mutateAsync} />
      ) : message === undefined && opened.isError ? (
        <FailureNotice title={t('settings.outbox.openFailed', 'This message cannot be opened')}>
          {sentenceOf(opened.error)}
        </FailureNotice>
      ) : message === undefined ? (
        <SkeletonRows rows={3}>
          {t('settings.outbox.loadingMessage', 'Loading message...')}
        </SkeletonRows>
      ) : (
        <pre
          dir="auto"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long message scrolls, by keyboard too
          tabIndex={0}
          className="rounded-lg bg-sunken p-4 font-sans wrap-anywhere whitespace-pre-line select-text"
        >
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
        {t(
          'settings.outbox.sealed',
          'A mail server has been configured, so this message is for its recipient only. If you read it, this is logged and the other administrators get an email.',
        )}
      </p>
      <PasswordField
        label={t('login.password', 'Password')}
        required
        autoComplete="current-password"
        {...field}
      />
    </form>
  );
}

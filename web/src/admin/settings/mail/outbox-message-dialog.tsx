import { Copy } from 'lucide-react';
import { useId } from 'react';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { useSecretForm } from '../../use-secret-form.ts';
import { useOutboxMessage, useRevealMessage } from './api.ts';

/** A waiting message as it will be sent, to read and copy. */
export function OutboxMessageDialog({ id, onClose }: { id: string; onClose(): void }) {
  const formId = useId();
  const opened = useOutboxMessage(id);
  const reveal = useRevealMessage(id);
  const isSealed =
    opened.error instanceof ApiError && opened.error.code === 'MESSAGE_SEALED' && !reveal.data;
  const message = reveal.data ?? opened.data;
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Message copied' });
    } catch {
      toast({
        title: 'The browser did not allow copying',
        description: 'Select the text and copy it yourself.',
        variant: 'destructive',
      });
    }
  };
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
            <Button variant="primary" icon={<Copy />} onClick={() => void copy(message.text)}>
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
        <pre className="rounded-lg bg-sunken p-4 font-sans break-words whitespace-pre-line select-text">
          {message.text}
        </pre>
      )}
    </Dialog>
  );
}

/** With a mail server, messages are for their recipients only: reading one requires the password. */
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

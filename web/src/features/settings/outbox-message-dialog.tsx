import { Copy } from 'lucide-react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { useOutboxMessage } from './api.ts';

/** A waiting message as it will be sent, to be read and copied. */
export function OutboxMessageDialog({ id, onClose }: { id: string; onClose(): void }) {
  const message = useOutboxMessage(id);
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: 'Message copied' });
    } catch {
      toast({
        title: 'The browser did not allow copying',
        description: 'Mark the text and copy it by hand.',
        variant: 'destructive',
      });
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={message.data?.subject ?? 'Message'}
      description={message.data === undefined ? undefined : `To ${message.data.recipient}`}
      footer={
        <>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
          {message.data !== undefined && (
            <Button
              variant="primary"
              icon={<Copy aria-hidden="true" strokeWidth={1.5} />}
              onClick={() => void copy(message.data.text)}
            >
              Copy message
            </Button>
          )}
        </>
      }
    >
      {message.isError ? (
        <FailureNotice title="This message cannot be opened">
          {sentenceOf(message.error)}
        </FailureNotice>
      ) : message.isPending ? (
        <SkeletonRows rows={3}>Loading message...</SkeletonRows>
      ) : (
        <pre className="rounded-lg bg-sunken p-4 font-sans break-words whitespace-pre-wrap select-text">
          {message.data.text}
        </pre>
      )}
    </Dialog>
  );
}

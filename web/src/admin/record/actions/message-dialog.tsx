import { sendMessage } from '@invigil/core/contract/review/participants';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { type ActionDialogProps, personOf } from '../action.ts';
import { useSendMessage } from '../record-api.ts';

/** Sends a message to the candidate during the attempt. */
export function MessageDialog({ record, onClose }: ActionDialogProps) {
  const formId = useId();
  const send = useSendMessage(record.participant.id);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const validated = sendMessage.body.safeParse({ text });
    setProblem(validated.error?.issues[0]?.message);
    if (!validated.success) return;
    try {
      await send.mutateAsync(validated.data.text);
      toast({ title: 'Message sent' });
      onClose();
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.issueAt('text'));
      const description = sentenceOf(error);
      toast({ title: 'Failed to send the message', description, variant: 'destructive' });
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Send a message"
      unsaved={!send.isPending && text.trim() !== ''}
      footer={
        <FormFooter formId={formId} busy={send.isPending && 'Sending…'}>
          Send message
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <p className="text-ink-2">
          {`${personOf(record)} sees it within seconds, above the current question, and cannot reply.`}
        </p>
        <TextArea
          label="Message"
          required
          hint="At most 1,000 characters. Stored with the attempt."
          error={problem}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

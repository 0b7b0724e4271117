import type { InvitationResult } from '@invigil/core/contract/invitations';
import type { Quiz } from '@invigil/core/contract/quiz';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ApiError, answerWasLost, sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { isTooLong } from './invitation-wording.ts';
import { useResend } from './invitations-api.ts';
import { InviteWording } from './invite-wording.tsx';

/** Sending again to those who were chosen, with words of one's own if one likes. */
export function ResendDialog({
  quiz,
  ids,
  people,
  onClose,
  onSent,
}: {
  quiz: Quiz;
  ids: readonly string[];
  /** `1 person`, `12 people` */
  people: string;
  onClose(): void;
  onSent(results: InvitationResult[]): void;
}) {
  const resend = useResend(quiz.id);
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const wording = { subject: subject.trim() || null, message: message.trim() || null };
  // Awaited: what became of it is told also where this was closed meanwhile.
  const send = async () => {
    try {
      const { invitations } = await resend.mutateAsync({ ids: [...ids], ...wording });
      const queued = invitations.filter(({ status }) => status === 'queued').length;
      toast({
        title: 'Invitations sent',
        description: `${queued} of ${invitations.length} invitations are on their way.`,
      });
      onSent(invitations);
    } catch (error) {
      toast({ ...refusalOf(error), variant: 'destructive' });
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send again to ${people}?`}
      description="Each gets a new one-time password and the earlier one stops working. Somebody in progress keeps both. Somebody who has finished gets nothing."
      unsaved={!resend.isPending && `${subject}${message}`.trim() !== ''}
      footer={
        <>
          <DialogClose>
            <Button data-autofocus="">Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            icon={<RotateCcw aria-hidden="true" strokeWidth={1.5} />}
            aria-disabled={isTooLong(wording)}
            busy={resend.isPending && 'Sending…'}
            onClick={() => void send()}
          >
            Resend
          </Button>
        </>
      }
    >
      <InviteWording
        quizId={quiz.id}
        subject={subject}
        message={message}
        onSubject={setSubject}
        onMessage={setMessage}
      />
    </Dialog>
  );
}

function refusalOf(error: unknown): { title: string; description: string } {
  const isClosed = error instanceof ApiError && error.code === 'QUIZ_NOT_OPEN';
  return {
    title: isClosed ? 'Cannot send invitations' : 'Failed to send invitations',
    description: answerWasLost(error)
      ? 'No answer came: they may have been sent all the same. Look at the list before you send again.'
      : sentenceOf(error),
  };
}

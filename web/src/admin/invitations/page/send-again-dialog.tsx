import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { InvitationResult } from '@invigil/core/contract/invitations/invitations';
import { Bell, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { ApiError, answerWasLost, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { type MailServerState, useMailServer } from '../../assessments/api.ts';
import { isTooLong } from '../../assessments/invitation-wording.ts';
import { people, queuedSentence } from '../invitation-words.ts';
import { type SendAgainKind, useSendAgain } from '../invitations-api.ts';
import { InviteProgress } from '../invite/invite-progress.tsx';
import { InviteWording } from '../invite/invite-wording.tsx';
import { isLong, useInBatches } from '../invite/use-in-batches.ts';

const KINDS = {
  resend: {
    title: (who: string) => `Resend to ${who}?`,
    description:
      'Each candidate gets a new one-time password and the earlier one stops working. For candidates in progress, both keep working. Candidates who have finished get no email.',
    action: 'Resend',
    done: 'Invitations resent',
    Icon: RotateCcw,
  },
  remind: {
    title: (who: string) => `Remind ${who}?`,
    description:
      'Each candidate gets a reminder with an additional one-time password. Earlier ones keep working. Candidates who have started get no email.',
    action: 'Send reminders',
    done: 'Reminders sent',
    Icon: Bell,
  },
} as const;

/** Resending to or reminding selected people, optionally with custom wording. */
export function SendAgainDialog({
  quiz,
  kind,
  ids,
  onClose,
  onSent,
}: {
  quiz: Quiz;
  kind: SendAgainKind;
  ids: readonly string[];
  onClose(): void;
  onSent(results: InvitationResult[]): void;
}) {
  const sendAgain = useSendAgain(quiz.id, kind);
  const mailServer = useMailServer();
  const { progress, send, cancel } = useInBatches();
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const wording = { subject: subject.trim() || null, message: message.trim() || null };
  const { title, description, action, done, Icon } = KINDS[kind];
  // The result is reported even if this dialog has been closed.
  const sendAll = async () => {
    const sent = await send(
      ids,
      async (batch) => (await sendAgain.mutateAsync({ ids: batch, ...wording })).invitations,
    );
    if (sent.error === null) {
      toast({ title: done, description: outcome(sent.results, ids.length, mailServer) });
    } else {
      toast({ ...refusalOf(sent.error, sent.results.length), variant: 'destructive' });
    }
    if (sent.results.length > 0) onSent(sent.results);
  };
  const long = isLong(progress);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title(people(ids.length))}
      description={description}
      unsaved={progress === null && `${subject}${message}`.trim() !== ''}
      footer={
        long ? (
          <Button busy={progress.cancelling && 'Canceling…'} onClick={cancel}>
            Cancel sending
          </Button>
        ) : (
          <>
            <DialogClose>
              <Button data-autofocus="">Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              icon={<Icon />}
              aria-disabled={isTooLong(wording)}
              busy={progress !== null && 'Sending…'}
              onClick={() => void sendAll()}
            >
              {action}
            </Button>
          </>
        )
      }
    >
      {long ? (
        <InviteProgress {...progress}>
          If you cancel, what has been sent is not undone.
        </InviteProgress>
      ) : (
        <InviteWording
          quizId={quiz.id}
          subject={subject}
          message={message}
          onSubject={setSubject}
          onMessage={setMessage}
        />
      )}
    </Dialog>
  );
}

function outcome(
  results: readonly InvitationResult[],
  wanted: number,
  mailServer: MailServerState,
): string {
  const sentence = queuedSentence(results, mailServer);
  const left = wanted - results.length;
  return left === 0 ? sentence : `${sentence} Canceled for ${people(left)}.`;
}

function refusalOf(error: unknown, sent: number): { title: string; description: string } {
  const isClosed = error instanceof ApiError && error.code === 'QUIZ_NOT_OPEN';
  const reason = answerWasLost(error)
    ? 'The server did not respond. The emails may have been sent. Check the list before you send them again.'
    : sentenceOf(error);
  return {
    title: isClosed ? 'Cannot send invitations' : 'Failed to send invitations',
    description: sent === 0 ? reason : `Sent to ${people(sent)}, then sending stopped. ${reason}`,
  };
}

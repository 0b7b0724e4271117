import type { InvitationResult } from '@invigil/core/contract/invitations';
import type { Quiz } from '@invigil/core/contract/quizzes';
import { MAIL_LIMITS } from '@invigil/core/domain/limits';
import { Send, TriangleAlert } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { ApiError, sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useInvite, useMailServer } from './api.ts';
import { isTooLong } from './invitation-wording.ts';
import { InviteAddresses } from './invite-addresses.tsx';
import { judgeInviteLines } from './invite-lines.ts';
import { InviteResults } from './invite-results.tsx';
import { InviteWording } from './invite-wording.tsx';

const NOT_OPEN = 'Invitations cannot be sent for inactive Assessments';
/** The server refuses with the same words as this dialog does before it asks. */
const TITLES: Partial<Record<string, string>> = {
  QUIZ_NOT_OPEN: 'Cannot send invitations',
  NO_EMAILS: 'No emails provided',
};
const MOST = MAIL_LIMITS.addressesPerCall;

/** Send Assessment Invitations: one address per line, then what became of each. */
export function InviteDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const formId = useId();
  const invite = useInvite(quiz.id);
  const mailServer = useMailServer();
  const [text, setText] = useState('');
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const lines = judgeInviteLines(text);
  const wording = { subject: subject.trim() || null, message: message.trim() || null };
  const tooMany = lines.addresses.length > MOST;

  const refuse = (title: string, description: string) =>
    toast({ title, description, variant: 'destructive' });

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (lines.addresses.length === 0) {
      refuse('No emails provided', 'Please enter at least one email address');
    } else if (!quiz.isOpen) {
      refuse('Cannot send invitations', NOT_OPEN);
    } else if (!tooMany && !isTooLong(wording)) {
      await sendAll();
    }
  };

  const sendAll = async () => {
    try {
      const { invitations } = await invite.mutateAsync({ emails: lines.addresses, ...wording });
      const queued = invitations.filter((invitation) => invitation.status === 'queued').length;
      toast({
        title: 'Invitations sent',
        description: `${queued} of ${invitations.length} invitations are on their way.`,
      });
      setResults(invitations);
      // What was not an address stays, to be corrected and sent again.
      setText(judgeInviteLines(text).invalid.join('\n'));
    } catch (error) {
      const title = error instanceof ApiError ? TITLES[error.code] : undefined;
      refuse(title ?? 'Failed to send invitations', sentenceOf(error));
    }
  };

  const isSent = results !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send Assessment Invitations"
      description={`${quiz.title}. Each person gets a one-time password by e-mail.`}
      unsaved={!isSent && `${text}${subject}${message}`.trim() !== ''}
      footer={
        isSent ? (
          <>
            <Button onClick={() => setResults(null)}>Invite more</Button>
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </>
        ) : (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              busy={invite.isPending && 'Sending…'}
              icon={<Send aria-hidden="true" strokeWidth={1.5} />}
            >
              Send Invitations
            </Button>
          </>
        )
      }
    >
      {isSent ? (
        <InviteResults results={results} mailServer={mailServer} />
      ) : (
        <form id={formId} noValidate onSubmit={(event) => void send(event)} className="grid gap-4">
          <TooFewQuestions quiz={quiz} />
          <InviteAddresses text={text} lines={lines} onText={setText} />
          <InviteWording
            quizId={quiz.id}
            subject={subject}
            message={message}
            onSubject={setSubject}
            onMessage={setMessage}
          />
        </form>
      )}
    </Dialog>
  );
}

/** People can be invited before the questions are complete, but not without knowing it. */
function TooFewQuestions({ quiz }: { quiz: Quiz }) {
  const { questionCount, totalQuestions } = quiz;
  if (questionCount >= totalQuestions) return null;
  return (
    <Notice tone="warn" icon={<TriangleAlert strokeWidth={1.5} />}>
      {questionCount === 0
        ? `This assessment has no questions yet and asks for ${totalQuestions}. Nobody can start it before it has some.`
        : `This assessment has ${questionCount} questions and asks for ${totalQuestions}. Participants get all ${questionCount}.`}
    </Notice>
  );
}

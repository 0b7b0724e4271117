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
import { useMailServer } from './api.ts';
import { isTooLong } from './invitation-wording.ts';
import { InviteAddresses } from './invite-addresses.tsx';
import { judgeInviteLines } from './invite-lines.ts';
import { InviteProgress } from './invite-progress.tsx';
import { InviteResults } from './invite-results.tsx';
import { InviteWording } from './invite-wording.tsx';
import { TooFewQuestions } from './too-few-questions.tsx';
import { useSendInvitations } from './use-send-invitations.ts';

const NOT_OPEN = 'Invitations cannot be sent for inactive Assessments';
/** The server refuses with the same words as this dialog does before it asks. */
const TITLES: Partial<Record<string, string>> = {
  QUIZ_NOT_OPEN: 'Cannot send invitations',
  NO_EMAILS: 'No emails provided',
};

/** Send Assessment Invitations: one address per line, then what became of each. */
export function InviteDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const formId = useId();
  const { progress, send, cancel } = useSendInvitations(quiz.id);
  const mailServer = useMailServer();
  const [text, setText] = useState('');
  const [subject, setSubject] = useState('');
  const [message, setMessage] = useState('');
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const [unsent, setUnsent] = useState(0);
  const lines = judgeInviteLines(text);
  const wording = { subject: subject.trim() || null, message: message.trim() || null };

  const refuse = (title: string, description: string) =>
    toast({ title, description, variant: 'destructive' });

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (lines.addresses.length === 0) {
      refuse('No emails provided', 'Please enter at least one email address');
    } else if (!quiz.isOpen) {
      refuse('Cannot send invitations', NOT_OPEN);
    } else if (progress === null && !isTooLong(wording)) {
      await sendAll();
    }
  };

  const sendAll = async () => {
    const sent = await send(lines.addresses, wording);
    const total = lines.addresses.length;
    if (sent.error !== null) {
      const title = sent.error instanceof ApiError ? TITLES[sent.error.code] : undefined;
      refuse(title ?? 'Failed to send invitations', sentenceOf(sent.error));
      // Nothing went out: what was typed stays as it is.
      if (sent.results.length === 0) return;
    } else if (sent.unsent.length > 0) {
      toast({ title: 'Sending cancelled', description: `${many(sent.results.length)} sent.` });
    } else {
      const queued = sent.results.filter(({ status }) => status === 'queued').length;
      toast({
        title: 'Invitations sent',
        description: `${queued} of ${total} invitations are on their way.`,
      });
    }
    setUnsent(sent.unsent.length);
    if (sent.results.length > 0) setResults(sent.results);
    // What was not an address, and what was not sent, stays: to be corrected and sent again.
    const refused = sent.results.filter(({ status }) => status === 'invalid');
    setText([...refused.map(({ email }) => email), ...sent.unsent].join('\n'));
  };

  const isSent = results !== null && progress === null;
  const isLong = progress !== null && progress.total > MAIL_LIMITS.addressesPerCall;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Send Assessment Invitations"
      description={`${quiz.title}. Each person gets a one-time password by e-mail.`}
      page={isSent ? 'results' : isLong ? 'progress' : 'form'}
      unsaved={isSent ? unsent > 0 : `${text}${subject}${message}`.trim() !== ''}
      footer={
        isSent ? (
          <>
            <Button onClick={() => setResults(null)}>
              {unsent > 0 ? `Back to the ${many(unsent)} not sent` : 'Invite more'}
            </Button>
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </>
        ) : isLong ? (
          <Button busy={progress.cancelling && 'Cancelling…'} onClick={cancel}>
            Cancel sending
          </Button>
        ) : (
          <>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              type="submit"
              form={formId}
              busy={progress !== null && 'Sending…'}
              icon={<Send aria-hidden="true" strokeWidth={1.5} />}
            >
              Send Invitations
            </Button>
          </>
        )
      }
    >
      {isSent ? (
        <div className="grid gap-4">
          {unsent > 0 && (
            <Notice tone="warn" icon={<TriangleAlert strokeWidth={1.5} />}>
              {`${many(results.length)} done, ${unsent.toLocaleString('en-GB')} not sent. Those are still in the box.`}
            </Notice>
          )}
          <InviteResults results={results} mailServer={mailServer} />
        </div>
      ) : isLong ? (
        <InviteProgress {...progress} />
      ) : (
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void submit(event)}
          className="grid gap-4"
        >
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

const many = (n: number) => `${n.toLocaleString('en-GB')} ${n === 1 ? 'address' : 'addresses'}`;

import type { InvitationResult } from '@invigil/core/contract/invitations';
import type { Quiz } from '@invigil/core/contract/quiz';
import { RotateCcw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { answerWasLost, sentenceOf } from '../../lib/api.ts';
import { zoneName } from '../../lib/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useMailServer } from './api.ts';
import { useRevoke } from './invitations-api.ts';
import { InvitationsList } from './invitations-list.tsx';
import { InviteResults } from './invite-results.tsx';
import { ResendDialog } from './resend-dialog.tsx';

/** The server takes so many at a time. */
const MOST = 1_000;

/** Invitations of an assessment: who, how far, and sending again or taking back. */
export function InvitationsDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const mailServer = useMailServer();
  const revoke = useRevoke(quiz.id);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<'resend' | 'revoke' | null>(null);
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const ids = [...chosen];
  const people = ids.length === 1 ? '1 person' : `${ids.length} people`;
  const canAct = ids.length > 0 && ids.length <= MOST;

  const choose = (changed: readonly string[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const id of changed) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    setChosen(next);
  };

  const takeBack = () =>
    revoke.mutate(ids, {
      onSuccess: ({ revoked }) => {
        setChosen(new Set());
        toast({ title: 'Invitations taken back', description: `${revoked} of ${ids.length}` });
      },
      onError: (error) =>
        toast(
          answerWasLost(error)
            ? {
                title: 'Invitations may have been taken back',
                description: 'No answer came. Look at the list before you try again.',
                variant: 'destructive',
              }
            : {
                title: 'Failed to take invitations back',
                description: sentenceOf(error),
                variant: 'destructive',
              },
        ),
      onSettled: () => setAsking(null),
    });

  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Invitations"
      description={`${quiz.title}. Times in ${zoneName()}.`}
      page={results === null ? 'list' : 'results'}
      footer={
        results !== null ? (
          <Button variant="primary" onClick={() => setResults(null)}>
            Back to the list
          </Button>
        ) : (
          <>
            <span
              role="status"
              className="text-sm text-ink-2 tabular-nums max-md:order-last md:mr-auto"
            >
              {ids.length > MOST ? `At most ${MOST} at a time.` : `${ids.length} chosen`}
            </span>
            <Button
              variant="danger-ghost"
              icon={<Undo2 aria-hidden="true" strokeWidth={1.5} />}
              aria-disabled={!canAct}
              onClick={() => setAsking('revoke')}
            >
              Revoke
            </Button>
            <Button
              icon={<RotateCcw aria-hidden="true" strokeWidth={1.5} />}
              aria-disabled={!canAct}
              onClick={() => setAsking('resend')}
            >
              Resend
            </Button>
          </>
        )
      }
    >
      {results === null ? (
        <InvitationsList quiz={quiz} chosen={chosen} onChoose={choose} />
      ) : (
        <InviteResults results={results} mailServer={mailServer} />
      )}
      {asking === 'resend' && (
        <ResendDialog
          quiz={quiz}
          ids={ids}
          people={people}
          onClose={() => setAsking(null)}
          onSent={(sent) => {
            // It may have been closed before the answer came, and something else be under way.
            setAsking((now) => (now === 'resend' ? null : now));
            setResults(sent);
            setChosen(new Set());
          }}
        />
      )}
      <AlertDialog
        open={asking === 'revoke'}
        onCancel={() => setAsking(null)}
        title={`Take back the invitation of ${people}?`}
        confirmLabel="Revoke"
        busy={revoke.isPending && 'Revoking…'}
        onConfirm={takeBack}
      >
        <p>
          Their one-time passwords stop working at once and waiting mail is not sent. Attempts under
          way go on. You can invite them again.
        </p>
      </AlertDialog>
    </Dialog>
  );
}

import {
  rescoreBankQuestion,
  type ScoreChange,
} from '@invigil/core/contract/assessments/questions';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callEndpoint, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toasts/toast.ts';

/**
 * Dry run of a changed key: who has the question, and whose score would change. After an edit it is
 * hidden if no one has the question; `asked`: opened on request.
 */
export function RescoreDialog({
  question,
  asked,
  onClose,
}: {
  question: { id: string; version: number };
  asked: boolean;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const params = { id: question.id };
  const trial = useQuery({
    queryKey: ['rescore', question.id, question.version],
    queryFn: ({ signal }) =>
      callEndpoint(rescoreBankQuestion, { params, body: { dryRun: true }, signal }),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const apply = useMutation({
    mutationFn: () =>
      callEndpoint(rescoreBankQuestion, {
        params,
        body: { dryRun: false, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      }),
    onSuccess: async ({ participants, changes }) => {
      toast({
        title: `${people(participants)} rescored`,
        description: `${changes.length} ${changes.length === 1 ? 'score' : 'scores'} changed.`,
      });
      onClose();
      await client.invalidateQueries({ queryKey: ['api', 'participants'] });
      await client.invalidateQueries({ queryKey: ['api', 'stats'] });
    },
    onError: (error) =>
      toast({ title: 'Failed to rescore', description: sentenceOf(error), variant: 'destructive' }),
  });
  if (!asked && (trial.isPending || trial.data?.participants === 0)) return null;
  const { participants = 0, unchanged = 0, withoutPoints = 0, changes = [] } = trial.data ?? {};

  return (
    <Dialog
      open
      onClose={onClose}
      title={asked ? 'Rescore' : 'The correct answer changed'}
      description={
        asked
          ? 'Finished attempts that have this question are scored again, with its current key.'
          : 'New attempts use the new key. Existing papers keep the old one unless you rescore.'
      }
      unsaved={reason.trim() !== ''}
      footer={
        <>
          <DialogClose>
            <Button>Keep scores</Button>
          </DialogClose>
          {participants > 0 && (
            <Button
              variant="primary"
              busy={apply.isPending && 'Rescoring…'}
              onClick={() => apply.mutate()}
            >
              Rescore {people(participants)}
            </Button>
          )}
        </>
      }
    >
      {trial.isError ? (
        <FailureNotice
          title="Could not check which scores would change"
          onRetry={() => void trial.refetch()}
          retrying={trial.isFetching}
        >
          {sentenceOf(trial.error)}
        </FailureNotice>
      ) : trial.isPending ? (
        <SkeletonRows rows={3}>Checking papers...</SkeletonRows>
      ) : participants === 0 ? (
        <p>No one has this question on their paper.</p>
      ) : (
        <div className="grid gap-4">
          {/* The numbers come first, before the reason. */}
          <p tabIndex={-1} data-autofocus="" className="outline-none">
            {people(participants)} {participants === 1 ? 'has' : 'have'} this question.{' '}
            {changes.length === 0
              ? 'No finished score would change.'
              : `${changes.length} finished ${changes.length === 1 ? 'score' : 'scores'} would change:`}
          </p>
          {changes.length > 0 && (
            <ul aria-label="Score changes" className="rounded-lg border border-line tabular-nums">
              {changes.map(({ participantId, userEmail, ...change }) => (
                <li
                  key={participantId}
                  className="flex justify-between gap-4 border-b border-line px-4 py-2 last:border-b-0"
                >
                  <span className="min-w-0 break-all">{userEmail ?? 'Unknown'}</span>
                  <span className="flex-none font-medium">{changeWords(change)}</span>
                </li>
              ))}
            </ul>
          )}
          {unchanged > 0 && (
            <p className="text-ink-2">
              {people(unchanged)} had a version without the new answer and{' '}
              {unchanged === 1 ? 'keeps' : 'keep'} the old key.
            </p>
          )}
          {withoutPoints > 0 && (
            <p className="text-ink-2">
              {people(withoutPoints)} began without points and{' '}
              {withoutPoints === 1 ? 'stays' : 'stay'} without: a fully right answer counts as one
              mark.
            </p>
          )}
          <TextField
            label="Reason"
            optional
            maxLength={500}
            hint="Recorded in the audit log."
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      )}
    </Dialog>
  );
}

/** "12 to 13 of 25", or "11.5 to 12.5 / 20 points". */
function changeWords(change: Omit<ScoreChange, 'participantId' | 'userEmail'>): string {
  const { before, after, totalMarks, pointsBefore, pointsAfter, maxPoints } = change;
  return maxPoints === undefined
    ? `${before} to ${after} of ${totalMarks}`
    : `${pointsBefore} to ${pointsAfter} / ${maxPoints} points`;
}

const people = (n: number) => `${n} ${n === 1 ? 'candidate' : 'candidates'}`;

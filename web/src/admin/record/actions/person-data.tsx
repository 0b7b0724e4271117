import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { showFailure } from '../../failures.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { downloadPersonData, useAction } from '../record-api.ts';
import type { ActionDialogProps } from '../record-texts.tsx';

/** Export and erasure of a person's data. */
export function PersonData({ record }: { record: ParticipantRecord }) {
  const [erasing, setErasing] = useState(false);
  const isRunning = record.participant.status === 'in_progress';
  return (
    <Card title="Candidate data">
      <div className="grid gap-2.5 px-5 py-4">
        <DownloadData userId={record.participant.userId} />
        {isRunning && (
          <p className="text-sm text-ink-3">
            Data can be erased when no attempt of this person is in progress.
          </p>
        )}
        <Button
          variant="danger-ghost"
          icon={<Trash2 />}
          aria-disabled={isRunning}
          onClick={() => setErasing(true)}
        >
          Erase data
        </Button>
      </div>
      {erasing && <EraseDialog record={record} onClose={() => setErasing(false)} />}
    </Card>
  );
}

function DownloadData({ userId }: { userId: string }) {
  const [loading, setLoading] = useState(false);
  const download = async () => {
    setLoading(true);
    try {
      await downloadPersonData(userId);
    } catch (error) {
      showFailure('Failed to download the data', error);
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button icon={<Download />} busy={loading && 'Downloading…'} onClick={() => void download()}>
      Download data
    </Button>
  );
}

/** Erases a person's identifying data; the address must be typed. */
function EraseDialog({ record, onClose }: ActionDialogProps) {
  const { userEmail } = record.participant;
  const action = useAction(record.participant);
  const word = userEmail ?? 'erase';
  return (
    <ReasonDialog
      danger
      title="Erase this person's data"
      consequence={
        <>
          <p>
            The email address, notes, feedback text, device checks and the network address of the
            consent are erased, in every assessment. Scores and answers stay without a name.
            Invitations of this person stop working.
          </p>
          <p className="font-medium text-bad-ink">No one can undo this.</p>
        </>
      }
      confirmLabel="Erase data"
      busyLabel="Erasing…"
      doneTitle="The person's data is erased"
      failTitle="Failed to erase the data"
      extra={{
        label: `Type ${word} to confirm`,
        required: true,
        problem: (typed) =>
          typed.trim().toLowerCase() === word.toLowerCase() ? undefined : `Type ${word} to confirm`,
      }}
      onConfirm={(reason) => action.mutateAsync({ kind: 'erase', reason })}
      onClose={onClose}
    />
  );
}

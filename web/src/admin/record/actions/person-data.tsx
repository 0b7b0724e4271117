import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { downloadPersonData } from '../record-api.ts';
import { EraseDialog } from './erase-dialog.tsx';

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
      toast({
        title: 'Failed to download the data',
        description: sentenceOf(error),
        variant: 'destructive',
      });
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

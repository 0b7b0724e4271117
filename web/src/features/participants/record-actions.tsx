import type { ParticipantRecord } from '@invigil/core/contract/participants';
import { Clock, Download, RotateCcw, Square, Trash2, Undo2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.ts';
import {
  AnotherAttemptDialog,
  type DeedDialogProps,
  EndDialog,
  EraseDialog,
  ExtendDialog,
  ReinstateDialog,
  secondsLeftOf,
} from './deed-dialogs.tsx';
import { downloadPersonData } from './record-api.ts';
import { isEnding, isReplaced } from './record-events.ts';

const DIALOGS = {
  extend: ExtendDialog,
  end: EndDialog,
  another: AnotherAttemptDialog,
  reinstate: ReinstateDialog,
  erase: EraseDialog,
} as const satisfies Record<string, ComponentType<DeedDialogProps>>;

type DialogName = keyof typeof DIALOGS;

const icon = (Icon: typeof Clock) => <Icon aria-hidden="true" strokeWidth={1.5} />;

/** What can be done with the attempt now, and with the person's data. */
export function RecordActions({ record }: { record: ParticipantRecord }) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const Opened = open === null ? null : DIALOGS[open];
  return (
    <>
      <Card title="Actions">
        <div className="grid gap-2.5 px-5 py-4">
          {record.participant.status === 'in_progress' ? (
            <RunningActions record={record} onOpen={setOpen} />
          ) : (
            <EndedActions record={record} onOpen={setOpen} />
          )}
        </div>
      </Card>
      <Card title="Participant data">
        <div className="grid gap-2.5 px-5 py-4">
          <DownloadData userId={record.participant.userId} />
          {record.participant.status === 'in_progress' && (
            <p className="text-sm text-ink-3">
              Data can be erased when no attempt of this person is in progress.
            </p>
          )}
          <Button
            variant="danger-ghost"
            icon={icon(Trash2)}
            aria-disabled={record.participant.status === 'in_progress'}
            onClick={() => setOpen('erase')}
          >
            Erase data
          </Button>
        </div>
      </Card>
      {Opened !== null && <Opened record={record} onClose={() => setOpen(null)} />}
    </>
  );
}

interface ActionsProps {
  record: ParticipantRecord;
  onOpen(dialog: DialogName): void;
}

function RunningActions({ record, onOpen }: ActionsProps) {
  const ending = isEnding(record);
  return (
    <>
      {ending && (
        <p role="status" className="text-ink-2">
          The attempt is ending. This takes a few seconds.
        </p>
      )}
      <Button icon={icon(Clock)} aria-disabled={ending} onClick={() => onOpen('extend')}>
        Give extra time
      </Button>
      <Button
        variant="danger-ghost"
        icon={icon(Square)}
        aria-disabled={ending}
        onClick={() => onOpen('end')}
      >
        End now
      </Button>
    </>
  );
}

function EndedActions({ record, onOpen }: ActionsProps) {
  const replaced = isReplaced(record);
  const noTime = secondsLeftOf(record) === 0;
  return (
    <>
      {replaced && (
        <p className="text-ink-2">A later attempt takes the place of this one already.</p>
      )}
      <Button icon={icon(RotateCcw)} aria-disabled={replaced} onClick={() => onOpen('another')}>
        Allow another attempt
      </Button>
      <Button
        icon={icon(Undo2)}
        aria-disabled={replaced || noTime}
        onClick={() => onOpen('reinstate')}
      >
        Reinstate
      </Button>
      {!replaced && noTime && (
        <p className="text-sm text-ink-3">No time was left, so it cannot be reinstated.</p>
      )}
    </>
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
    <Button icon={icon(Download)} busy={loading && 'Downloading…'} onClick={() => void download()}>
      Download data
    </Button>
  );
}

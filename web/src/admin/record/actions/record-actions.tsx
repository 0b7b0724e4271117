import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { Clock, MessageSquare, OctagonX, RotateCcw, Undo2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { isEnding, isReplaced } from '../record-events.ts';
import type { ActionDialogProps } from '../record-texts.tsx';
import {
  AnotherAttemptDialog,
  EndDialog,
  ExtendDialog,
  MessageDialog,
  ReinstateDialog,
} from './record-dialogs.tsx';

const DIALOGS = {
  extend: ExtendDialog,
  end: EndDialog,
  message: MessageDialog,
  another: AnotherAttemptDialog,
  reinstate: ReinstateDialog,
} as const satisfies Record<string, ComponentType<ActionDialogProps>>;

type DialogName = keyof typeof DIALOGS;

const icon = (Icon: typeof Clock) => <Icon />;

/** The available actions on the attempt. */
export function RecordActions({ record }: { record: ParticipantRecord }) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const Opened = open === null ? null : DIALOGS[open];
  return (
    <>
      <Card title="Actions">
        <div className="grid gap-2.5 px-5 py-4 @min-[30rem]:@max-[57rem]:flex @min-[30rem]:@max-[57rem]:flex-wrap @min-[30rem]:@max-[57rem]:items-center">
          {record.participant.status === 'in_progress' ? (
            <RunningActions record={record} onOpen={setOpen} />
          ) : (
            <EndedActions record={record} onOpen={setOpen} />
          )}
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
      <Button icon={icon(MessageSquare)} aria-disabled={ending} onClick={() => onOpen('message')}>
        Send a message
      </Button>
      <Button
        variant="danger-ghost"
        icon={icon(OctagonX)}
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
  return (
    <>
      {replaced && <p className="text-ink-2">A later attempt has already replaced this one.</p>}
      <Button icon={icon(RotateCcw)} aria-disabled={replaced} onClick={() => onOpen('another')}>
        Allow another attempt
      </Button>
      <Button icon={icon(Undo2)} aria-disabled={replaced} onClick={() => onOpen('reinstate')}>
        Reinstate
      </Button>
    </>
  );
}

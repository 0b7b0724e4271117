import { zodResolver } from '@hookform/resolvers/zod';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { EndMessage, sendMessage } from '@invigil/core/contract/review/participants';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { Clock, MessageSquare, OctagonX, RotateCcw, Undo2 } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { formatDateTime, formatTimeSpent } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { useMayOn } from '../../data/assessments.ts';
import { isEnding, useAction, useSendMessage } from '../../data/record.ts';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import {
  END_MESSAGE,
  END_MESSAGE_HINT,
  MessageFields,
  messageOf,
} from '../../parts/message-fields.tsx';
import { WhoMay } from '../../parts/permitted.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { KeyReaders } from '../../parts/release-follows.tsx';
import { isReplaced } from './record-events.ts';
import {
  type ActionDialogProps,
  MINUTES_PROBLEM,
  minutesOf,
  personOf,
  secondsLeftOf,
} from './record-texts.tsx';

function EndDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      danger
      title="End this attempt now"
      consequence={
        <>
          <p>
            {`${personOf(record)} has ${ATTEMPT_LIMITS.endNowDelayMs / 1_000} seconds left, so that answers still in their browser are saved. Then the attempt ends and the saved answers are scored.`}
          </p>
          <p>
            An ended attempt does not continue. You can allow another attempt or reinstate this one.
          </p>
        </>
      }
      confirmLabel="End attempt now"
      busyLabel="Ending…"
      doneTitle="The attempt is ending"
      failTitle="Failed to end the attempt"
      extra={{
        label: END_MESSAGE,
        required: false,
        hint: () => END_MESSAGE_HINT,
        problem: (typed) =>
          EndMessage.safeParse(typed.trim() || undefined).error?.issues[0]?.message,
      }}
      onConfirm={(reason, typed) =>
        action.mutateAsync({
          kind: 'end',
          reason,
          ...(typed.trim() === '' ? {} : { message: typed }),
        })
      }
      onClose={onClose}
    />
  );
}

function ExtendDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const deadlineAfter = (minutes: number) =>
    formatDateTime(new Date(Date.parse(record.deadlineAt) + minutes * 60_000).toISOString());
  return (
    <ReasonDialog
      title="Give extra time"
      consequence={
        <>
          <p>
            {`${personOf(record)} has until ${formatDateTime(record.deadlineAt)}. The timer on their screen changes within seconds. Extra time cannot be taken back.`}
          </p>
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel="Give extra time"
      busyLabel="Giving…"
      doneTitle="Extra time given"
      failTitle="Failed to give extra time"
      extra={{
        label: 'Minutes',
        inputMode: 'numeric',
        required: true,
        hint: (typed) => {
          const minutes = minutesOf(typed);
          return minutes === null
            ? 'Whole minutes, 1 to 180.'
            : `The new deadline is ${deadlineAfter(minutes)}.`;
        },
        problem: (typed) => (minutesOf(typed) === null ? MINUTES_PROBLEM : undefined),
      }}
      onConfirm={(reason, typed) =>
        action.mutateAsync({ kind: 'extend', minutes: minutesOf(typed) ?? 0, reason })
      }
      onClose={onClose}
    />
  );
}

const NO_MESSAGE: z.input<typeof sendMessage.body> = { text: '', questionId: undefined };

function MessageDialog({ record, onClose }: ActionDialogProps) {
  const send = useSendMessage(record.participant.id);
  const form = useForm({
    resolver: zodResolver(sendMessage.body),
    defaultValues: NO_MESSAGE,
  });
  const { text, questionId } = form.watch();
  return (
    <FormDialog
      form={form}
      title="Send a message"
      submitLabel="Send message"
      busyLabel="Sending…"
      failed="Failed to send the message"
      onClose={onClose}
      onSubmit={async (message) => {
        await send.mutateAsync(message);
        return { title: 'Message sent' };
      }}
    >
      <p className="text-ink-2">
        {`${personOf(record)} sees it within seconds, above the current question, and cannot reply.`}
      </p>
      <MessageFields
        field={fieldIn(form, 'text')}
        values={{ text, about: questionId ?? '' }}
        quizId={record.participant.quizId}
        onChange={(values) => {
          const message = messageOf(values);
          form.setValue('text', message.text);
          form.setValue('questionId', message.questionId);
        }}
      />
    </FormDialog>
  );
}

const REMOVED = (
  <p>
    This attempt is removed from lists and reports. It stays in the record as an earlier attempt.
  </p>
);

/** Says who has right answers: this candidate, and others from whom they could be learned. */
function WhoHasTheKey({
  record: { participant, releases = [] },
}: Pick<ActionDialogProps, 'record'>) {
  const seenAt = releases.find((release) => release.keySeenAt !== undefined)?.keySeenAt;
  return (
    <KeyReaders quizId={participant.quizId}>
      {seenAt === undefined
        ? 'This candidate could learn them from others.'
        : `This candidate first saw theirs on ${formatDateTime(seenAt)}.`}
    </KeyReaders>
  );
}

function AnotherAttemptDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      title="Allow another attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} can start again with the same one-time password: new questions, the full time, nothing carried over.`}
          </p>
          {REMOVED}
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel="Allow another attempt"
      busyLabel="Allowing…"
      doneTitle="Another attempt allowed"
      failTitle="Failed to allow another attempt"
      onConfirm={(reason) => action.mutateAsync({ kind: 'replace', how: 'another', reason })}
      onClose={onClose}
    />
  );
}

function ReinstateDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const left = secondsLeftOf(record);
  return (
    <ReasonDialog
      title="Reinstate this attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} continues with the same one-time password, questions, answers and flags. Violations are counted from 0. ${left === 0 ? 'No time was left, so give some minutes. The time starts when they enter.' : `The remaining time is ${formatTimeSpent(left)}. It starts when they enter.`}`}
          </p>
          {REMOVED}
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel="Reinstate attempt"
      busyLabel="Reinstating…"
      doneTitle="The attempt is reinstated"
      failTitle="Failed to reinstate the attempt"
      extra={{
        label: left === 0 ? 'Minutes' : 'Additional minutes',
        inputMode: 'numeric',
        required: left === 0,
        hint: (typed) => {
          const minutes = minutesOf(typed);
          return minutes === null
            ? 'Whole minutes, 1 to 180.'
            : `They have ${formatTimeSpent(left + minutes * 60)} from the moment they enter.`;
        },
        problem: (typed) =>
          minutesOf(typed) !== null || (typed.trim() === '' && left > 0)
            ? undefined
            : MINUTES_PROBLEM,
      }}
      onConfirm={(reason, typed) => {
        const minutes = minutesOf(typed);
        const more = minutes === null ? {} : { minutes };
        return action.mutateAsync({ kind: 'replace', how: 'reinstate', ...more, reason });
      }}
      onClose={onClose}
    />
  );
}

const DIALOGS = {
  extend: ExtendDialog,
  end: EndDialog,
  message: MessageDialog,
  another: AnotherAttemptDialog,
  reinstate: ReinstateDialog,
} as const satisfies Record<string, ComponentType<ActionDialogProps>>;

type DialogName = keyof typeof DIALOGS;

const icon = (Icon: typeof Clock) => <Icon />;

export function RecordActions({ record }: { record: ParticipantRecord }) {
  const [open, setOpen] = useState<DialogName | null>(null);
  const Opened = open === null ? null : DIALOGS[open];
  if (!useMayOn(record.participant.quizId)('attempts.act')) {
    return <WhoMay permissions={['attempts.act']} what="give time, message or end attempts" />;
  }
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

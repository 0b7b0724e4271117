import { sendMessage } from '@invigil/core/contract/review/participants';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type FormEvent, useId, useState } from 'react';
import { formatDateTime } from '../../../lib/dates.ts';
import { formatTimeSpent } from '../../../lib/time-spent.ts';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { useAction, useSendMessage } from '../record-api.ts';
import {
  type ActionDialogProps,
  MINUTES_PROBLEM,
  minutesOf,
  personOf,
  secondsLeftOf,
} from '../record-texts.tsx';

/** Ends a running attempt. */
export function EndDialog({ record, onClose }: ActionDialogProps) {
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
      onConfirm={(reason) => action.mutateAsync({ kind: 'end', reason })}
      onClose={onClose}
    />
  );
}

/** Extends a running attempt. */
export function ExtendDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const minutes = minutesOf(typed);
  const until =
    minutes === null
      ? null
      : formatDateTime(new Date(Date.parse(record.deadlineAt) + minutes * 60_000).toISOString());
  return (
    <ReasonDialog
      title="Give extra time"
      consequence={
        <p>
          {`${personOf(record)} has until ${formatDateTime(record.deadlineAt)}. The timer on their screen changes within seconds. Extra time cannot be taken back.`}
        </p>
      }
      confirmLabel="Give extra time"
      busyLabel="Giving…"
      doneTitle="Extra time given"
      failTitle="Failed to give extra time"
      unsaved={typed !== ''}
      validate={() => {
        setProblem(minutes === null ? MINUTES_PROBLEM : undefined);
        return minutes !== null;
      }}
      onConfirm={(reason) => action.mutateAsync({ kind: 'extend', minutes: minutes ?? 0, reason })}
      onClose={onClose}
    >
      <TextField
        label="Minutes"
        inputMode="numeric"
        required
        autoComplete="off"
        value={typed}
        hint={until === null ? 'Whole minutes, 1 to 180.' : `The new deadline is ${until}.`}
        error={minutes === null ? problem : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

/** Sends a message to the candidate during the attempt. */
export function MessageDialog({ record, onClose }: ActionDialogProps) {
  const formId = useId();
  const send = useSendMessage(record.participant.id);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const validated = sendMessage.body.safeParse({ text });
    setProblem(validated.error?.issues[0]?.message);
    if (!validated.success) return;
    try {
      await send.mutateAsync(validated.data.text);
      toast({ title: 'Message sent' });
      onClose();
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.issueAt('text'));
      const description = sentenceOf(error);
      toast({ title: 'Failed to send the message', description, variant: 'destructive' });
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Send a message"
      unsaved={!send.isPending && text.trim() !== ''}
      footer={
        <FormFooter formId={formId} busy={send.isPending && 'Sending…'}>
          Send message
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <p className="text-ink-2">
          {`${personOf(record)} sees it within seconds, above the current question, and cannot reply.`}
        </p>
        <TextArea
          label="Message"
          required
          hint="At most 1,000 characters. Stored with the attempt."
          error={problem}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

/** Allows another attempt with a new paper and the full time. */
export function AnotherAttemptDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      title="Allow another attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} can start again with the same one-time password: new questions, the full time, nothing carried over.`}
          </p>
          <p>
            This attempt is removed from lists and reports. It stays in the record as an earlier
            attempt.
          </p>
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

/** Reinstates the attempt with the same paper, the time left, and minutes beside it. */
export function ReinstateDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const left = secondsLeftOf(record);
  const minutes = minutesOf(typed) ?? 0;
  const isRight = minutes > 0 || (typed.trim() === '' && left > 0);
  return (
    <ReasonDialog
      title="Reinstate this attempt"
      consequence={
        <>
          <p>
            {`${personOf(record)} continues with the same one-time password, questions, answers and flags. Violations are counted from 0. ${left === 0 ? 'No time was left, so give some minutes. The time starts when they enter.' : `The remaining time is ${formatTimeSpent(left)}. It starts when they enter.`}`}
          </p>
          <p>
            This attempt is removed from lists and reports. It stays in the record as an earlier
            attempt.
          </p>
        </>
      }
      confirmLabel="Reinstate attempt"
      busyLabel="Reinstating…"
      doneTitle="The attempt is reinstated"
      failTitle="Failed to reinstate the attempt"
      unsaved={typed !== ''}
      validate={() => {
        setProblem(isRight ? undefined : MINUTES_PROBLEM);
        return isRight;
      }}
      onConfirm={(reason) =>
        action.mutateAsync({
          kind: 'replace',
          how: 'reinstate',
          ...(minutes > 0 && { minutes }),
          reason,
        })
      }
      onClose={onClose}
    >
      <TextField
        label={left === 0 ? 'Minutes' : 'Additional minutes'}
        inputMode="numeric"
        required={left === 0}
        autoComplete="off"
        value={typed}
        hint={
          minutes === 0
            ? 'Whole minutes, 1 to 180.'
            : `They have ${formatTimeSpent(left + minutes * 60)} from the moment they enter.`
        }
        error={isRight ? undefined : problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

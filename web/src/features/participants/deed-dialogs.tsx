import type { ParticipantRecord } from '@invigil/core/contract/participants';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { useState } from 'react';
import { formatDateTime } from '../../lib/dates.ts';
import { formatTimeSpent } from '../../lib/time-spent.ts';
import { TextField } from '../../ui/text-field.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { useDeed } from './record-api.ts';

export interface DeedDialogProps {
  record: ParticipantRecord;
  onClose(): void;
}

const nameOf = ({ participant }: ParticipantRecord) => participant.userEmail ?? 'This person';

/** 1 to 180 whole minutes, or `null`. */
function minutesOf(typed: string): number | null {
  const minutes = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  return minutes >= 1 && minutes <= 180 ? minutes : null;
}

export function ExtendDialog({ record, onClose }: DeedDialogProps) {
  const deed = useDeed(record.participant);
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
          {`${nameOf(record)} has until ${formatDateTime(record.deadlineAt)}. The timer on their screen changes within seconds. Time that was given cannot be taken back.`}
        </p>
      }
      confirmLabel="Give Extra Time"
      busyLabel="Giving…"
      doneTitle="Extra time given"
      failTitle="Failed to give extra time"
      unsaved={typed !== ''}
      judge={() => {
        setProblem(minutes === null ? 'Whole minutes, 1 to 180' : undefined);
        return minutes !== null;
      }}
      onConfirm={(reason) => deed.mutateAsync({ kind: 'extend', minutes: minutes ?? 0, reason })}
      onClose={onClose}
    >
      <TextField
        label="Minutes"
        inputMode="numeric"
        required
        autoComplete="off"
        value={typed}
        hint={until === null ? 'Whole minutes, 1 to 180.' : `The new deadline is ${until}.`}
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

export function EndDialog({ record, onClose }: DeedDialogProps) {
  const deed = useDeed(record.participant);
  return (
    <ReasonDialog
      danger
      title="End this attempt now"
      consequence={
        <>
          <p>
            {`${nameOf(record)} has ${ATTEMPT_LIMITS.endNowDelayMs / 1_000} seconds left, so that what their browser still holds is saved. Then the attempt ends and the stored answers are scored.`}
          </p>
          <p>An ended attempt does not run on. You can allow another one, or reinstate it.</p>
        </>
      }
      confirmLabel="End Attempt Now"
      busyLabel="Ending…"
      doneTitle="The attempt is ending"
      failTitle="Failed to end the attempt"
      onConfirm={(reason) => deed.mutateAsync({ kind: 'end', reason })}
      onClose={onClose}
    />
  );
}

export function AnotherAttemptDialog({ record, onClose }: DeedDialogProps) {
  const deed = useDeed(record.participant);
  return (
    <ReasonDialog
      title="Allow another attempt"
      consequence={
        <>
          <p>
            {`${nameOf(record)} can start again with the same one-time password: new questions, the full time, nothing carried over.`}
          </p>
          <p>This attempt leaves lists and reports. It stays in the record as an earlier one.</p>
        </>
      }
      confirmLabel="Allow Another Attempt"
      busyLabel="Allowing…"
      doneTitle="Another attempt allowed"
      failTitle="Failed to allow another attempt"
      onConfirm={(reason) => deed.mutateAsync({ kind: 'replace', how: 'another', reason })}
      onClose={onClose}
    />
  );
}

export function ReinstateDialog({ record, onClose }: DeedDialogProps) {
  const deed = useDeed(record.participant);
  const left = secondsLeftOf(record);
  return (
    <ReasonDialog
      title="Reinstate this attempt"
      consequence={
        <>
          <p>
            {`${nameOf(record)} goes on with the same one-time password: the same questions, answers and flags, violations counted from 0, and the time that was left, ${formatTimeSpent(left)}. It runs from the moment they enter.`}
          </p>
          <p>This attempt leaves lists and reports. It stays in the record as an earlier one.</p>
        </>
      }
      confirmLabel="Reinstate Attempt"
      busyLabel="Reinstating…"
      doneTitle="The attempt is reinstated"
      failTitle="Failed to reinstate the attempt"
      onConfirm={(reason) => deed.mutateAsync({ kind: 'replace', how: 'reinstate', reason })}
      onClose={onClose}
    />
  );
}

/** What was left of the time when the attempt ended. */
export function secondsLeftOf({ participant, deadlineAt }: ParticipantRecord): number {
  if (participant.submittedAt === null) return 0;
  const ms = Date.parse(deadlineAt) - Date.parse(participant.submittedAt);
  return Math.max(0, Math.floor(ms / 1_000));
}

export function EraseDialog({ record, onClose }: DeedDialogProps) {
  const { userEmail } = record.participant;
  const deed = useDeed(record.participant);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const word = userEmail ?? 'erase';
  const agrees = typed.trim().toLowerCase() === word.toLowerCase();
  return (
    <ReasonDialog
      danger
      title="Erase this person's data"
      consequence={
        <>
          <p>
            The e-mail address, notes, feedback text, device checks and the network address of the
            consent are erased, in every assessment. Scores and answers stay without a name.
            Invitations of this person stop working.
          </p>
          <p className="font-medium text-bad-ink">This cannot be undone, by anybody.</p>
        </>
      }
      confirmLabel="Erase Data"
      busyLabel="Erasing…"
      doneTitle="The person's data is erased"
      failTitle="Failed to erase the data"
      unsaved={typed !== ''}
      judge={() => {
        setProblem(agrees ? undefined : `Type ${word} to confirm`);
        return agrees;
      }}
      onConfirm={(reason) => deed.mutateAsync({ kind: 'erase', reason })}
      onClose={onClose}
    >
      <TextField
        label={`Type ${word} to confirm`}
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={typed}
        error={problem}
        onChange={(event) => setTyped(event.target.value)}
      />
    </ReasonDialog>
  );
}

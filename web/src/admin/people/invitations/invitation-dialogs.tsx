import { zodResolver } from '@hookform/resolvers/zod';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  type Invitation,
  type InvitationResult,
  updateInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { replaceParticipant } from '@invigil/core/contract/review/participants';
import { numberText } from '@invigil/core/domain/locale';
import { Bell, RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { answerWasLost, callEndpoint, hasCode, PageError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog, Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { type MailServerState, useMailServer, useMayOnQuiz } from '../../data/assessments.ts';
import { isTooLong } from '../../data/invitation-wording.ts';
import {
  factorOf,
  findPeople,
  people,
  queuedSentence,
  type SendAgainKind,
  useAccommodate,
  useReadAgain,
  useRevoke,
  useSendAgain,
} from '../../data/invitations.ts';
import { showFailure } from '../../data/show-failure.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import { ReasonDialog, ReasonField } from '../../parts/reason-dialog.tsx';
import { KeyReaders, ReleaseDialog } from '../../parts/release-follows.tsx';
import { useRead } from '../../parts/stale-notice.tsx';
import { ExtraTimeCut, extraTimeText, minutesText } from '../extra-time.tsx';
import { InviteDialog, InviteWording, NO_WORDING, wordingOf } from '../invite/invite-dialog.tsx';
import { InviteProgress } from '../invite/invite-progress.tsx';
import { InviteResults } from '../invite/invite-results.tsx';
import { PasswordsDialog } from '../invite/passwords-dialog.tsx';
import { isLong, useInBatches } from '../invite/use-in-batches.ts';
import type { SelectionAction } from './invitations-list.tsx';

export type InvitationDialog =
  | { action: 'invite'; emails?: readonly string[] }
  | { action: 'accommodate'; invitation: Invitation }
  | { action: SelectionAction; ids: string[] };

/** The states that an action is for, and the message if no one is in them. */
const FITS = {
  message: { states: ['in_progress'], ifNone: 'No one selected is taking the assessment' },
  extend: {
    states: ['not_started', 'in_progress'],
    ifNone: 'Everyone selected has finished',
  },
  another: {
    states: ['completed', 'dismissed'],
    ifNone: 'No one selected has finished',
  },
  release: {
    states: ['completed', 'dismissed'],
    ifNone: 'No one selected has finished',
  },
} as const;

export function InvitationDialogs({
  quiz,
  mailServer,
  opened,
  onClose,
  onDone,
}: {
  quiz: Quiz;
  mailServer: MailServerState;
  opened: InvitationDialog | null;
  /** The dialog may have been closed before the response, and another one opened. */
  onClose(which: InvitationDialog): void;
  /** The selection was dealt with. */
  onDone(): void;
}) {
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const close = () => opened !== null && onClose(opened);
  return (
    <>
      {opened?.action === 'invite' && (
        <InviteDialog quiz={quiz} emails={opened.emails} onClose={close} />
      )}
      {opened?.action === 'accommodate' && (
        <InvitationAccommodations invitation={opened.invitation} quiz={quiz} onClose={close} />
      )}
      {opened?.action === 'revoke' && (
        <RevokeInvitations quiz={quiz} ids={opened.ids} onClose={close} onDone={onDone} />
      )}
      {opened?.action === 'passwords' && (
        <PasswordsDialog quiz={quiz} ids={opened.ids} onClose={close} />
      )}
      {(opened?.action === 'message' ||
        opened?.action === 'extend' ||
        opened?.action === 'another' ||
        opened?.action === 'release') && (
        <ForPeople quiz={quiz} {...opened} action={opened.action} onClose={close} onDone={onDone} />
      )}
      {(opened?.action === 'resend' || opened?.action === 'remind') && (
        <SendAgainDialog
          quiz={quiz}
          kind={opened.action}
          ids={opened.ids}
          onClose={close}
          onSent={(sent) => {
            close();
            setResults(sent);
            onDone();
          }}
        />
      )}
      {results !== null && (
        <Dialog
          open
          onClose={() => setResults(null)}
          title="Resent"
          description={quiz.title}
          footer={
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          }
        >
          <InviteResults quiz={quiz} results={results} mailServer={mailServer} />
        </Dialog>
      )}
    </>
  );
}

/** A dialog for the selected. */
interface ForSelected {
  quiz: Quiz;
  ids: readonly string[];
  onClose(): void;
  /** The selection was dealt with. */
  onDone(): void;
}

/** Finds those for whom the action fits, then asks for what it needs. */
function ForPeople({ action, ...selected }: ForSelected & { action: keyof typeof FITS }) {
  const { quiz, ids, onClose } = selected;
  const [matching, setMatching] = useState<readonly Invitation[] | null>(null);
  // Time before the start is part of an invitation, time after it of the attempt.
  const mayChange = useMayOnQuiz(quiz)('people.invite');
  const find = useEffectEvent(async () => {
    const { states, ifNone } = FITS[action];
    try {
      const found = await findPeople(quiz.id, ids);
      const fitting = found.filter(
        ({ email, status, participantId }) =>
          email !== null &&
          states.some((state) => state === status) &&
          (mayChange || participantId !== null),
      );
      if (fitting.length > 0) return setMatching(fitting);
      toast({ title: ifNone });
    } catch (error) {
      showFailure('Failed to load invitations', error);
    }
    onClose();
  });
  useEffect(() => void find(), []);
  if (matching === null) return null;
  const waiting = matching.filter(({ participantId }) => participantId === null);
  const attempts = matching.flatMap(({ participantId }) => participantId ?? []);
  if (action === 'another') return <AnotherAttempts {...selected} ids={attempts} />;
  if (action === 'release') return <ReleaseSelected {...selected} ids={attempts} />;
  return action === 'extend' && waiting.length > 0 ? (
    <MorePercent {...selected} people={waiting} running={attempts.length} />
  ) : (
    <ActionDialog kind={action} ids={attempts} quizId={quiz.id} onClose={onClose} />
  );
}

/** Extra time for people who have not started. */
function MorePercent({
  quiz,
  people: waiting,
  running,
  onClose,
  onDone,
}: Omit<ForSelected, 'ids'> & {
  people: readonly Invitation[];
  /** How many of the selection have started: they get minutes instead. */
  running: number;
}) {
  const forEach = useForEach(quiz.id);
  return (
    <ReasonDialog
      title={`Extra time for ${people(waiting.length)}`}
      consequence={
        <>
          <p>Applies when they start. Their devices stay as they are set.</p>
          <KeyReaders quizId={quiz.id}>
            Those who have more time could learn them from others.
          </KeyReaders>
          {running > 0 && (
            <p>{`${people(running)} of the selection ${running === 1 ? 'has' : 'have'} started: give minutes on the live board.`}</p>
          )}
        </>
      }
      confirmLabel="Give extra time"
      busyLabel="Giving…"
      doneTitle={`Extra time for ${people(waiting.length)}`}
      failTitle="Failed to give extra time to everyone"
      extra={{
        label: 'Percent more',
        inputMode: 'numeric',
        required: true,
        hint: (typed) => {
          const factor = factorOfPercent(typed);
          return factor === null ? '0 to 900. 25 adds a quarter.' : extraTimeText(quiz, factor);
        },
        problem: (typed) => (factorOfPercent(typed) === null ? 'Enter 0 to 900' : undefined),
      }}
      onConfirm={async (reason, typed) => {
        const extraTimeFactor = factorOfPercent(typed) ?? 1;
        await forEach(waiting, ({ id, extraTimeFactor: read }) =>
          callEndpoint(updateInvitation, {
            params: { id },
            body: { extraTimeFactor, reason, before: { extraTimeFactor: read } },
          }),
        );
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** One after another, also past those that are refused. Throws what was refused, and how many were. */
function useForEach(quizId: string) {
  const again = useReadAgain(quizId);
  return async <T,>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> => {
    const refused: string[] = [];
    for (const one of all) {
      await act(one).catch((error: unknown) => refused.push(sentenceOf(error)));
    }
    await again.onSuccess();
    if (refused.length === 0) return;
    const done = people(all.length - refused.length);
    throw new PageError(`Done for ${done}, not for ${people(refused.length)}: ${refused[0]}`);
  };
}

/** Ignores a refusal: it was done already. */
const unless = (code: string) => (error: unknown) => {
  if (!hasCode(error, code)) throw error;
};

/** A whole percentage as a factor; `null` if it is none. */
function factorOfPercent(typed: string): number | null {
  const text = typed.trim().replace(/\s*%$/, '');
  return /^\d{1,3}$/.test(text) && Number(text) <= 900 ? 1 + Number(text) / 100 : null;
}

function AnotherAttempts({ quiz, ids, onClose, onDone }: ForSelected) {
  const forEach = useForEach(quiz.id);
  return (
    <ReasonDialog
      title={`Allow ${people(ids.length)} another attempt`}
      consequence={
        <>
          <p>
            They can start again with the same one-time password: new questions, the full time,
            nothing carried over.
          </p>
          <p>
            Their attempts are removed from lists and reports, and stay in the record as earlier
            attempts.
          </p>
          <KeyReaders quizId={quiz.id}>
            Those who start again may know them, or learn them from others.
          </KeyReaders>
        </>
      }
      confirmLabel="Allow another attempt"
      busyLabel="Allowing…"
      doneTitle={`Another attempt for ${people(ids.length)}`}
      failTitle="Failed to allow everyone another attempt"
      onConfirm={async (reason) => {
        const body = { how: 'another', reason } as const;
        await forEach(ids, (id) =>
          callEndpoint(replaceParticipant, { params: { id }, body }).catch(
            unless('ALREADY_REPLACED'),
          ),
        );
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Also of those about whom a breach is in question: they were named one by one. */
function ReleaseSelected({ quiz, ids, onClose, onDone }: ForSelected) {
  return (
    <ReleaseDialog
      quizId={quiz.id}
      ids={ids}
      title={`Release the results of ${people(ids.length)}?`}
      onClose={onClose}
      onDone={onDone}
    >
      They get an email and can see their results at once, also where a breach is in question.
    </ReleaseDialog>
  );
}

function RevokeInvitations({ quiz, ids, onClose, onDone }: ForSelected) {
  const revoke = useRevoke(quiz.id);
  const { progress, send } = useInBatches();
  const revokeAll = async () => {
    const done = await send(ids, async (batch) => [(await revoke.mutateAsync(batch)).revoked]);
    const revoked = done.results.reduce((sum, n) => sum + n, 0);
    const count = `${numberText(revoked)} of ${numberText(ids.length)}`;
    if (done.error === null) {
      toast({ title: 'Invitations revoked', description: count });
      onDone();
    } else if (answerWasLost(done.error)) {
      showFailure(
        'Invitations may have been revoked',
        'The server did not respond. Check the list before you try again.',
      );
    } else {
      showFailure(
        'Failed to revoke invitations',
        revoked === 0 ? sentenceOf(done.error) : `Revoked ${count}. ${sentenceOf(done.error)}`,
      );
    }
    onClose();
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Revoke the ${ids.length === 1 ? 'invitation' : 'invitations'} of ${people(ids.length)}?`}
      confirmLabel="Revoke"
      busy={progress !== null && 'Revoking…'}
      onConfirm={() => void revokeAll()}
    >
      <p>
        Their one-time passwords stop working immediately and queued emails are not sent. Attempts
        in progress continue. You can invite them again.
      </p>
    </AlertDialog>
  );
}

const CUSTOM = 'custom';
const EXTRA_TIMES = [
  { value: '1', label: 'None' },
  { value: '1.25', label: '+25 %' },
  { value: '1.5', label: '+50 %' },
  { value: '2', label: '+100 %' },
  { value: CUSTOM, label: 'Custom' },
];

/** The contract's fields, with the factor as typed. */
const Typed = updateInvitation.body.omit({ before: true }).extend({
  extraTimeFactor: z.string().transform((typed, ctx) => {
    const factor = factorOf(typed);
    if (factor !== null) return factor;
    ctx.addIssue({ code: 'custom', message: 'Enter a factor from 1 to 10' });
    return z.NEVER;
  }),
});

type Accommodations = Required<Omit<z.output<typeof Typed>, 'reason'>>;

const wordsOf = (values: z.input<typeof Typed>): Record<string, string> => ({
  'Extra time factor': values.extraTimeFactor,
  'Use the camera': values.cameraEnabled ? 'on' : 'off',
  'Face may be partly covered': values.faceCovered ? 'on' : 'off',
  'Use the microphone': values.microphoneEnabled ? 'on' : 'off',
});

function InvitationAccommodations({
  invitation,
  quiz,
  onClose,
}: {
  invitation: Invitation;
  quiz: Quiz;
  onClose(): void;
}) {
  const accommodate = useAccommodate(invitation);
  const form = useForm({
    resolver: zodResolver(Typed),
    defaultValues: {
      extraTimeFactor: String(invitation.extraTimeFactor),
      cameraEnabled: invitation.cameraEnabled,
      microphoneEnabled: invitation.microphoneEnabled,
      faceCovered: invitation.faceCovered === true,
      reason: '',
    },
  });
  const read = useRead<Accommodations>({
    extraTimeFactor: invitation.extraTimeFactor,
    cameraEnabled: invitation.cameraEnabled,
    microphoneEnabled: invitation.microphoneEnabled,
    faceCovered: invitation.faceCovered === true,
  });
  const { before } = read;
  const [factor, camera] = form.watch(['extraTimeFactor', 'cameraEnabled']);
  const [isCustom, setIsCustom] = useState(!EXTRA_TIMES.some(({ value }) => value === factor));
  const times = factorOf(factor);
  const minutes = times === null ? undefined : minutesText(quiz, times);

  return (
    <FormDialog
      form={form}
      stale={{
        ...{ what: 'invitation', read, wordsOf },
        valuesIn: (stored: Partial<Accommodations>) => {
          const values = { ...form.getValues(), ...stored };
          return { ...values, extraTimeFactor: String(values.extraTimeFactor) };
        },
      }}
      title="Extra time and devices"
      description={`${invitation.email ?? 'Unknown'}. Applies when this candidate starts.`}
      submitLabel="Save accommodations"
      busyLabel="Saving…"
      failed="Failed to save the accommodations"
      onClose={onClose}
      onSubmit={async ({ reason, ...body }) => {
        // Changes that a colleague has made since the list was read stay.
        const all = Object.keys(before) as (keyof Accommodations)[];
        const changed = all.filter((key) => body[key] !== before[key]);
        const part = (of: Accommodations) =>
          Object.fromEntries(changed.map((key) => [key, of[key]]));
        await accommodate.mutateAsync({
          ...part({ ...before, ...body }),
          ...{ reason, before: part(before) },
        });
        return { title: 'Accommodations saved', description: invitation.email ?? 'Unknown' };
      }}
    >
      <SelectField
        label="Extra time"
        options={EXTRA_TIMES}
        value={isCustom ? CUSTOM : factor}
        onChange={(value) => {
          setIsCustom(value === CUSTOM);
          if (value !== CUSTOM) form.setValue('extraTimeFactor', value, { shouldDirty: true });
          form.clearErrors('extraTimeFactor');
        }}
        {...(isCustom ? {} : { hint: minutes })}
      />
      {isCustom && (
        <TextField
          label="Extra time factor"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={minutes ?? '1 to 10. 1 is the standard time, 1.25 adds a quarter.'}
          {...fieldIn(form, 'extraTimeFactor')}
        />
      )}
      <ExtraTimeCut quiz={quiz} factors={times === null ? [] : [times]} />
      <Checkbox
        label="Use the camera"
        hint={quiz.policy.camera ? undefined : 'This assessment uses no camera.'}
        {...form.register('cameraEnabled')}
      />
      <Checkbox
        label="Face may be partly covered"
        hint="For a veil, a medical mask or a breathing aid. An undetected face is then never a violation. Other people and a covered or dark camera are still recorded."
        {...form.register('faceCovered')}
        // Not by register: the value of a disabled field would not be sent.
        disabled={!camera || !quiz.policy.camera}
      />
      <Checkbox
        label="Use the microphone"
        hint={quiz.policy.microphone ? undefined : 'This assessment uses no microphone.'}
        {...form.register('microphoneEnabled')}
      />
      <ReasonField {...fieldIn(form, 'reason')} />
    </FormDialog>
  );
}

const KINDS = {
  resend: {
    title: (who: string) => `Resend to ${who}?`,
    description:
      'Each candidate gets a new one-time password and the earlier one stops working. For candidates in progress, both keep working. Candidates who have finished get an email only if they have a result to read: the new password opens it.',
    action: 'Resend',
    done: 'Invitations resent',
    Icon: RotateCcw,
  },
  remind: {
    title: (who: string) => `Remind ${who}?`,
    description:
      'Each candidate gets a reminder with an additional one-time password. Earlier ones keep working. Candidates who have started get no email.',
    action: 'Send reminders',
    done: 'Reminders sent',
    Icon: Bell,
  },
} as const;

function SendAgainDialog({
  quiz,
  kind,
  ids,
  onClose,
  onSent,
}: {
  quiz: Quiz;
  kind: SendAgainKind;
  ids: readonly string[];
  onClose(): void;
  onSent(results: InvitationResult[]): void;
}) {
  const sendAgain = useSendAgain(quiz.id, kind);
  const mailServer = useMailServer();
  const { progress, send, cancel } = useInBatches();
  const [typed, setTyped] = useState(NO_WORDING);
  const wording = wordingOf(typed);
  const { title, description, action, done, Icon } = KINDS[kind];
  // The result is reported even if this dialog has been closed.
  const sendAll = async () => {
    const sent = await send(
      ids,
      async (batch) => (await sendAgain.mutateAsync({ ids: batch, ...wording })).invitations,
    );
    if (sent.error === null) {
      toast({ title: done, description: outcome(sent.results, ids.length, mailServer) });
    } else {
      toast({ ...refusalOf(sent.error, sent.results.length), variant: 'destructive' });
    }
    if (sent.results.length > 0) onSent(sent.results);
  };
  const long = isLong(progress);
  return (
    <Dialog
      open
      onClose={onClose}
      title={title(people(ids.length))}
      description={description}
      unsaved={progress === null && `${typed.subject}${typed.message}`.trim() !== ''}
      footer={
        long ? (
          <Button busy={progress.cancelling && 'Canceling…'} onClick={cancel}>
            Cancel sending
          </Button>
        ) : (
          <>
            <DialogClose>
              <Button data-autofocus="">Cancel</Button>
            </DialogClose>
            <Button
              variant="primary"
              icon={<Icon />}
              aria-disabled={isTooLong(wording)}
              busy={progress !== null && 'Sending…'}
              onClick={() => void sendAll()}
            >
              {action}
            </Button>
          </>
        )
      }
    >
      {long ? (
        <InviteProgress {...progress}>
          If you cancel, what has been sent is not undone.
        </InviteProgress>
      ) : (
        <>
          <KeyReaders quizId={quiz.id}>
            Those who start later could learn them from others.
          </KeyReaders>
          <InviteWording quizId={quiz.id} typed={typed} onTyped={setTyped} />
        </>
      )}
    </Dialog>
  );
}

function outcome(
  results: readonly InvitationResult[],
  wanted: number,
  mailServer: MailServerState,
): string {
  const sentence = queuedSentence(results, mailServer);
  const left = wanted - results.length;
  return left === 0 ? sentence : `${sentence} Canceled for ${people(left)}.`;
}

function refusalOf(error: unknown, sent: number): { title: string; description: string } {
  const isClosed = hasCode(error, 'QUIZ_NOT_OPEN');
  const reason = answerWasLost(error)
    ? 'The server did not respond. The emails may have been sent. Check the list before you send them again.'
    : sentenceOf(error);
  return {
    title: isClosed ? 'Cannot send invitations' : 'Failed to send invitations',
    description: sent === 0 ? reason : `Sent to ${people(sent)}, then sending stopped. ${reason}`,
  };
}

import { zodResolver } from '@hookform/resolvers/zod';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  Breaks as BreaksOfPerson,
  type Invitation,
  type InvitationResult,
  updateInvitation,
} from '@invigil/core/contract/invitations/invitations';
import { replaceParticipant } from '@invigil/core/contract/review/participants';
import { figureText, numberText } from '@invigil/core/domain/locale';
import type { TimeRule } from '@invigil/core/domain/schedule';
import { t } from '@invigil/core/texts/i18n';
import { Bell, type LucideIcon, RotateCcw } from 'lucide-react';
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
  queuedSentence,
  type SendAgainKind,
  useAccommodate,
  useReadAgain,
  useRevoke,
  useSendAgain,
} from '../../data/invitations.ts';
import { unknownText } from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { FormDialog, fieldIn } from '../../parts/dialogs.tsx';
import {
  OwnTimesFields,
  ownTimesIn,
  ownTimesValuesOf,
  ownTimesWords,
  withOwnTimes,
} from '../../parts/own-times.tsx';
import { ReasonDialog, ReasonField } from '../../parts/reason-dialog.tsx';
import { KeyReaders, ReleaseDialog } from '../../parts/release-follows.tsx';
import { useRead } from '../../parts/stale-notice.tsx';
import { ExtraTimeCut, extraTimeText, minutesText, timesWith } from '../extra-time.tsx';
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
  message: {
    states: ['in_progress'],
    ifNone: () =>
      t(
        /* selected: candidates */ 'invitations.fits.noOneInProgress',
        'No one selected is taking the assessment',
      ),
  },
  extend: {
    states: ['not_started', 'in_progress'],
    ifNone: () =>
      t(
        /* selected: candidates */ 'invitations.fits.everyoneFinished',
        'Everyone selected has finished',
      ),
  },
  another: {
    states: ['completed', 'dismissed'],
    ifNone: () =>
      t(
        /* selected: candidates */ 'invitations.fits.noOneFinished',
        'No one selected has finished',
      ),
  },
  release: {
    states: ['completed', 'dismissed'],
    ifNone: () =>
      t(
        /* selected: candidates */ 'invitations.fits.noOneFinished',
        'No one selected has finished',
      ),
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
          title={t(/* said of invitations */ 'invitations.resent.title', 'Resent')}
          description={quiz.title}
          footer={
            <DialogClose>
              <Button variant="primary">{t(/* a button: closes */ 'invite.done', 'Done')}</Button>
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
      toast({ title: ifNone() });
    } catch (error) {
      showFailure(t('people.invitations.failed', 'Failed to load invitations'), error);
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
  const forWhom = t(
    'invitations.extraTime.for',
    '{count, plural, one {Extra time for # person} other {Extra time for # people}}',
    { count: waiting.length },
  );
  return (
    <ReasonDialog
      title={forWhom}
      consequence={
        <>
          <p>
            {t(
              'invitations.extraTime.applies',
              'Applies when they start. Their devices stay as they are set.',
            )}
          </p>
          <KeyReaders quizId={quiz.id}>
            {t(
              /* them: right answers */ 'invitations.extraTime.keyReaders',
              'Those who have more time could learn them from others.',
            )}
          </KeyReaders>
          {running > 0 && (
            <p>
              {t(
                'invitations.extraTime.running',
                '{count, plural, one {# person of the selection has started: give minutes on the live board.} other {# people of the selection have started: give minutes on the live board.}}',
                { count: running },
              )}
            </p>
          )}
        </>
      }
      confirmLabel={t('portal.giveExtraTime', 'Give extra time')}
      busyLabel={t(/* extra time is being given */ 'parts.action.extend.busy', 'Giving…')}
      doneTitle={forWhom}
      failTitle={t('invitations.extraTime.failed', 'Failed to give extra time to everyone')}
      extra={{
        label: t(/* a label: more time */ 'invitations.extraTime.percent', 'Percent more'),
        inputMode: 'numeric',
        required: true,
        hint: (typed) => {
          const factor = factorOfPercent(typed);
          return factor === null
            ? t(/* percent */ 'invitations.extraTime.percentHint', '0 to 900. 25 adds a quarter.')
            : [
                ...new Set(
                  waiting.map(({ times }) => extraTimeText({ ...quiz, ...times }, factor)),
                ),
              ].join(' ');
        },
        problem: (typed) =>
          factorOfPercent(typed) === null
            ? t('invitations.extraTime.problem', 'Enter 0 to 900')
            : undefined,
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
    throw new PageError(
      t(
        'invitations.partlyDone',
        '{done, plural, one {Done for # person} other {Done for # people}}, {refused, plural, one {not for # person: {reason}} other {not for # people: {reason}}}',
        {
          done: all.length - refused.length,
          refused: refused.length,
          reason: refused[0] ?? '',
        },
      ),
    );
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
      title={t(
        'invitations.another.title',
        '{count, plural, one {Allow # person another attempt} other {Allow # people another attempt}}',
        { count: ids.length },
      )}
      consequence={
        <>
          <p>
            {t(
              'invitations.another.start',
              'They can start again with the same one-time password: new questions, the full time, nothing carried over.',
            )}
          </p>
          <p>
            {t(
              'invitations.another.removed',
              'Their attempts are removed from lists and reports, and stay in the record as earlier attempts.',
            )}
          </p>
          <KeyReaders quizId={quiz.id}>
            {t(
              /* them: right answers */ 'invitations.another.keyReaders',
              'Those who start again may know them, or learn them from others.',
            )}
          </KeyReaders>
        </>
      }
      confirmLabel={t(/* a button */ 'invitations.another.confirm', 'Allow another attempt')}
      busyLabel={t(/* another attempt */ 'invitations.another.busy', 'Allowing…')}
      doneTitle={t(
        'invitations.another.done',
        '{count, plural, one {Another attempt for # person} other {Another attempt for # people}}',
        { count: ids.length },
      )}
      failTitle={t('invitations.another.failed', 'Failed to allow everyone another attempt')}
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
      title={t(
        'invitations.release.title',
        '{count, plural, one {Release the results of # person?} other {Release the results of # people?}}',
        { count: ids.length },
      )}
      onClose={onClose}
      onDone={onDone}
    >
      {t(
        'invitations.release.consequence',
        'They get an email and can see their results at once, also where a breach is in question.',
      )}
    </ReleaseDialog>
  );
}

function RevokeInvitations({ quiz, ids, onClose, onDone }: ForSelected) {
  const revoke = useRevoke(quiz.id);
  const { progress, send } = useInBatches();
  const revokeAll = async () => {
    const done = await send(ids, async (batch) => [(await revoke.mutateAsync(batch)).revoked]);
    const revoked = done.results.reduce((sum, n) => sum + n, 0);
    const counts = { revoked: numberText(revoked), all: numberText(ids.length) };
    if (done.error === null) {
      toast({
        title: t('invitations.revoked', 'Invitations revoked'),
        description: t(/* invitations */ 'invitations.revoked.count', '{revoked} of {all}', counts),
      });
      onDone();
    } else if (answerWasLost(done.error)) {
      showFailure(
        t('invitations.revoke.unanswered', 'Invitations may have been revoked'),
        t(
          'invitations.revoke.unansweredHint',
          'The server did not respond. Check the list before you try again.',
        ),
      );
    } else {
      showFailure(
        t('invitations.revoke.failed', 'Failed to revoke invitations'),
        revoked === 0
          ? sentenceOf(done.error)
          : `${t(/* past; invitations */ 'invitations.revoke.partly', 'Revoked {revoked} of {all}.', counts)} ${sentenceOf(done.error)}`,
      );
    }
    onClose();
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={t(
        'invitations.revoke.title',
        '{count, plural, one {Revoke the invitation of # person?} other {Revoke the invitations of # people?}}',
        { count: ids.length },
      )}
      confirmLabel={t(/* a button; invitations */ 'invitations.revoke', 'Revoke')}
      busy={progress !== null && t('invitations.revoke.busy', 'Revoking…')}
      onConfirm={() => void revokeAll()}
    >
      <p>
        {t(
          'invitations.revoke.consequence',
          'Their one-time passwords stop working immediately and queued emails are not sent. Attempts in progress continue. You can invite them again.',
        )}
      </p>
    </AlertDialog>
  );
}

const CUSTOM = 'custom';
const extraTimes = () => [
  { value: '1', label: t(/* no extra time */ 'invitations.extraTime.none', 'None') },
  ...[25, 50, 100].map((percent) => ({
    value: String(1 + percent / 100),
    label: t(/* extra time */ 'people.extraTime.percent', '+{percent} %', { percent }),
  })),
  { value: CUSTOM, label: t(/* another extra time */ 'invitations.extraTime.custom', 'Custom') },
];

type Breaks = NonNullable<Invitation['breaks']>;

/** Breaks as they are typed; both empty: none. */
const breakValuesOf = (breaks: Breaks | null) => ({
  count: String(breaks?.count ?? ''),
  minutes: String(breaks?.minutes ?? ''),
});

/** @param known what the form was filled with: the same object as long as it says the same */
const breaksIn = (known: Breaks | null) =>
  z.object({ count: z.string(), minutes: z.string() }).transform((typed, ctx): Breaks | null => {
    const [count, minutes] = [typed.count.trim(), typed.minutes.trim()];
    const shown = breakValuesOf(known);
    if (count === shown.count && minutes === shown.minutes) return known;
    if (count === '' && minutes === '') return null;
    const read = BreaksOfPerson.safeParse({
      count: count === '' ? Number.NaN : Number(count),
      minutes: minutes === '' ? Number.NaN : Number(minutes),
    });
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      ctx.addIssue({ code: 'custom', path: [...path], message });
    }
    return z.NEVER;
  });

/** The contract's fields, with the factor, the breaks and the times as typed. */
const typedFor = (known: TimeRule | null, breaks: Breaks | null) =>
  updateInvitation.body.omit({ before: true }).extend({
    ownTimes: ownTimesIn(known),
    breaks: breaksIn(breaks),
    extraTimeFactor: z.string().transform((typed, ctx) => {
      const factor = factorOf(typed);
      if (factor !== null) return factor;
      ctx.addIssue({
        code: 'custom',
        message: t('invitations.extraTime.factorProblem', 'Enter a factor from 1 to 10'),
      });
      return z.NEVER;
    }),
  });
type Typed = ReturnType<typeof typedFor>;

type Accommodations = Required<Omit<z.output<Typed>, 'reason'>>;

const FIELDS = {
  extraTimeFactor: () => t('invitations.extraTime.factor', 'Extra time factor'),
  breaks: () => t(/* the label of a number field */ 'invitations.breaks', 'Breaks'),
  breakMinutes: () =>
    t(
      /* the label of a number field: of all breaks */ 'invitations.breakMinutes',
      'Minutes of breaks in all',
    ),
  camera: () => t('invitations.camera', 'Use the camera'),
  face: () => t('invitations.face', 'Face may be partly covered'),
  microphone: () => t('invitations.microphone', 'Use the microphone'),
};

function wordsOf(values: z.input<Typed>): Record<string, string> {
  const isOn = (setting: boolean | undefined) =>
    setting
      ? t(/* said of a setting */ 'invitations.on', 'on')
      : t(/* said of a setting */ 'invitations.off', 'off');
  return {
    [FIELDS.extraTimeFactor()]: values.extraTimeFactor,
    [FIELDS.breaks()]: values.breaks.count,
    [FIELDS.breakMinutes()]: values.breaks.minutes,
    ...ownTimesWords(values.ownTimes),
    [FIELDS.camera()]: isOn(values.cameraEnabled),
    [FIELDS.face()]: isOn(values.faceCovered),
    [FIELDS.microphone()]: isOn(values.microphoneEnabled),
  };
}

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
  const { ownTimes = null, breaks = null } = invitation;
  const Typed = typedFor(ownTimes, breaks);
  const form = useForm({
    resolver: withOwnTimes(zodResolver(Typed)),
    defaultValues: {
      extraTimeFactor: String(invitation.extraTimeFactor),
      ownTimes: ownTimesValuesOf(ownTimes),
      breaks: breakValuesOf(breaks),
      cameraEnabled: invitation.cameraEnabled,
      microphoneEnabled: invitation.microphoneEnabled,
      faceCovered: invitation.faceCovered === true,
      reason: '',
    },
  });
  const read = useRead<Accommodations>({
    ownTimes,
    breaks,
    extraTimeFactor: invitation.extraTimeFactor,
    cameraEnabled: invitation.cameraEnabled,
    microphoneEnabled: invitation.microphoneEnabled,
    faceCovered: invitation.faceCovered === true,
  });
  const { before } = read;
  const who = invitation.email ?? unknownText();
  const [factor, camera, typed] = form.watch(['extraTimeFactor', 'cameraEnabled', 'ownTimes']);
  const [isCustom, setIsCustom] = useState(!extraTimes().some(({ value }) => value === factor));
  const times = factorOf(factor);
  const person = timesWith(quiz, invitation, Typed.shape.ownTimes.safeParse(typed).data);
  const timed = times === null || person === null ? [] : [{ ...person, factor: times }];
  const [minutes] = timed.flatMap(({ factor: by, ...of }) => (by > 1 ? [minutesText(of, by)] : []));

  return (
    <FormDialog
      form={form}
      stale={{
        ...{ what: 'invitation', read, wordsOf },
        valuesIn: (stored: Partial<Accommodations>) => {
          const { ownTimes: times, breaks: left, ...others } = stored;
          const values = { ...form.getValues(), ...others };
          return {
            ...values,
            ...(times === undefined ? {} : { ownTimes: ownTimesValuesOf(times) }),
            ...(left === undefined ? {} : { breaks: breakValuesOf(left) }),
            extraTimeFactor: String(values.extraTimeFactor),
          };
        },
      }}
      title={t('invitations.accommodate.title', 'Times and devices')}
      description={`${who}. ${t(/* said of times and devices */ 'invitations.accommodate.applies', 'Applies when this candidate starts.')}`}
      submitLabel={t(/* a button */ 'invitations.accommodate.save', 'Save accommodations')}
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('invitations.accommodate.failed', 'Failed to save the accommodations')}
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
        return {
          title: t('invitations.accommodate.saved', 'Accommodations saved'),
          description: who,
        };
      }}
    >
      <SelectField
        label={t(/* a label */ 'portal.extraTime', 'Extra time')}
        options={extraTimes()}
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
          label={FIELDS.extraTimeFactor()}
          inputMode="decimal"
          autoComplete="off"
          required
          hint={
            minutes ??
            t(
              'invitations.extraTime.factorHint',
              '1 to 10. 1 is the standard time, {example} adds a quarter.',
              { example: figureText(1.25) },
            )
          }
          {...fieldIn(form, 'extraTimeFactor')}
        />
      )}
      <ExtraTimeCut quiz={quiz} people={timed} />
      <BreakFields
        count={fieldIn(form, 'breaks.count')}
        minutes={fieldIn(form, 'breaks.minutes')}
      />
      <OwnTimesFields
        form={form}
        minutesHint={t(
          /* minutes; the group: of the candidate */ 'invitations.ownMinutes.hint',
          'Empty: those of the group or the assessment',
        )}
      />
      <Checkbox
        label={FIELDS.camera()}
        hint={
          quiz.policy.camera
            ? undefined
            : t('invitations.camera.none', 'This assessment uses no camera.')
        }
        {...form.register('cameraEnabled')}
      />
      <Checkbox
        label={FIELDS.face()}
        hint={t(
          'invitations.face.hint',
          'For a veil, a medical mask or a breathing aid. An undetected face is then never a violation. Other people and a covered or dark camera are still recorded.',
        )}
        {...form.register('faceCovered')}
        // Not by register: the value of a disabled field would not be sent.
        disabled={!camera || !quiz.policy.camera}
      />
      <Checkbox
        label={FIELDS.microphone()}
        hint={
          quiz.policy.microphone
            ? undefined
            : t('invitations.microphone.none', 'This assessment uses no microphone.')
        }
        {...form.register('microphoneEnabled')}
      />
      <ReasonField {...fieldIn(form, 'reason')} />
    </FormDialog>
  );
}

/** How often a candidate may stop their time, and for how long in all. */
function BreakFields({ count, minutes }: Record<'count' | 'minutes', ReturnType<typeof fieldIn>>) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={FIELDS.breaks()}
        optional
        inputMode="numeric"
        autoComplete="off"
        hint={t(
          'invitations.breaks.hint',
          'Taken by the candidate between questions; the time stands still. Empty: none',
        )}
        {...count}
      />
      <TextField
        label={FIELDS.breakMinutes()}
        inputMode="numeric"
        autoComplete="off"
        {...minutes}
      />
    </div>
  );
}

interface SendAgainWords {
  title: (count: number) => string;
  description: () => string;
  action: () => string;
  done: () => string;
  Icon: LucideIcon;
}

const KINDS: Record<SendAgainKind, SendAgainWords> = {
  resend: {
    title: (count) =>
      t(
        'invitations.resend.title',
        '{count, plural, one {Resend to # person?} other {Resend to # people?}}',
        { count },
      ),
    description: () =>
      t(
        'invitations.resend.consequence',
        'Each candidate gets a new one-time password and the earlier one stops working. For candidates in progress, both keep working. Candidates who have finished get an email only if they have a result to read: the new password opens it.',
      ),
    action: () => t(/* a button; invitations */ 'invitations.resend', 'Resend'),
    done: () => t('invitations.resend.done', 'Invitations resent'),
    Icon: RotateCcw,
  },
  remind: {
    title: (count) =>
      t(
        'invitations.remind.title',
        '{count, plural, one {Remind # person?} other {Remind # people?}}',
        { count },
      ),
    description: () =>
      t(
        'invitations.remind.consequence',
        'Each candidate gets a reminder with an additional one-time password. Earlier ones keep working. Candidates who have started get no email.',
      ),
    action: () => t(/* a button */ 'invitations.remind.send', 'Send reminders'),
    done: () => t('invitations.remind.done', 'Reminders sent'),
    Icon: Bell,
  },
};

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
      toast({ title: done(), description: outcome(sent.results, ids.length, mailServer) });
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
      title={title(ids.length)}
      description={description()}
      unsaved={progress === null && `${typed.subject}${typed.message}`.trim() !== ''}
      footer={
        long ? (
          <Button
            busy={progress.cancelling && t('invite.canceling', 'Canceling…')}
            onClick={cancel}
          >
            {t(/* a button */ 'invite.cancel', 'Cancel sending')}
          </Button>
        ) : (
          <>
            <DialogClose>
              <Button data-autofocus="">{t('ui.cancel', 'Cancel')}</Button>
            </DialogClose>
            <Button
              variant="primary"
              icon={<Icon />}
              aria-disabled={isTooLong(wording)}
              busy={progress !== null && t('portal.sending', 'Sending…')}
              onClick={() => void sendAll()}
            >
              {action()}
            </Button>
          </>
        )
      }
    >
      {long ? (
        <InviteProgress {...progress}>
          {t('invitations.cancelHint', 'If you cancel, what has been sent is not undone.')}
        </InviteProgress>
      ) : (
        <>
          <KeyReaders quizId={quiz.id}>
            {t(
              /* them: right answers */ 'invitations.sendAgain.keyReaders',
              'Those who start later could learn them from others.',
            )}
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
  if (left === 0) return sentence;
  const canceled = t(
    'invitations.canceledFor',
    '{count, plural, one {Canceled for # person.} other {Canceled for # people.}}',
    { count: left },
  );
  return `${sentence} ${canceled}`;
}

function refusalOf(error: unknown, sent: number): { title: string; description: string } {
  const isClosed = hasCode(error, 'QUIZ_NOT_OPEN');
  const stopped = t(
    'invitations.stoppedAfter',
    '{count, plural, one {Sent to # person, then sending stopped.} other {Sent to # people, then sending stopped.}}',
    { count: sent },
  );
  const reason = answerWasLost(error)
    ? t(
        'invitations.sendAgain.unanswered',
        'The server did not respond. The emails may have been sent. Check the list before you send them again.',
      )
    : sentenceOf(error);
  return {
    title: isClosed
      ? t('invite.cannotSend', 'Cannot send invitations')
      : t('invite.failed', 'Failed to send invitations'),
    description: sent === 0 ? reason : `${stopped} ${reason}`,
  };
}

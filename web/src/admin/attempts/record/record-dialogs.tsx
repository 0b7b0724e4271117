import { zodResolver } from '@hookform/resolvers/zod';
import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { EndMessage, sendMessage } from '@invigil/core/contract/review/participants';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { t } from '@invigil/core/texts/i18n';
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
  endMessage,
  endMessageHint,
  MessageFields,
  messageOf,
} from '../../parts/message-fields.tsx';
import { WhoMay } from '../../parts/permitted.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { KeyReaders } from '../../parts/release-follows.tsx';
import { isReplaced } from './record-events.ts';
import {
  type ActionDialogProps,
  minutesOf,
  minutesProblem,
  personOf,
  secondsLeftOf,
} from './record-texts.tsx';

function EndDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      danger
      title={t('record.endNow.title', 'End this attempt now')}
      consequence={
        <>
          <p>
            {t(
              /* person: an email address, or “This candidate” */ 'record.endNow.delay',
              '{seconds, plural, one {{person} has # second left, so that answers still in their browser are saved. Then the attempt ends and the saved answers are scored.} other {{person} has # seconds left, so that answers still in their browser are saved. Then the attempt ends and the saved answers are scored.}}',
              { person: personOf(record), seconds: ATTEMPT_LIMITS.endNowDelayMs / 1_000 },
            )}
          </p>
          <p>
            {t(
              'record.endNow.about',
              'An ended attempt does not continue. You can allow another attempt or reinstate this one.',
            )}
          </p>
        </>
      }
      confirmLabel={t('record.endNow.confirm', 'End attempt now')}
      busyLabel={t(/* while an attempt is being ended; on the button */ 'portal.ending', 'Ending…')}
      doneTitle={t('record.endNow.done', 'The attempt is ending')}
      failTitle={t('record.endNow.failed', 'Failed to end the attempt')}
      extra={{
        label: endMessage(),
        required: false,
        hint: endMessageHint,
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
      title={t(
        /* to a candidate; a button and a heading */ 'portal.giveExtraTime',
        'Give extra time',
      )}
      consequence={
        <>
          <p>
            {t(
              /* person: an email address, or “This candidate” */ 'record.extend.about',
              '{person} has until {time}. The timer on their screen changes within seconds. Extra time cannot be taken back.',
              { person: personOf(record), time: formatDateTime(record.deadlineAt) },
            )}
          </p>
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel={t(
        /* to a candidate; a button and a heading */ 'portal.giveExtraTime',
        'Give extra time',
      )}
      busyLabel={t(
        /* while extra time is being given; on the button */ 'record.extend.busy',
        'Giving…',
      )}
      doneTitle={t('record.event.extraTime', 'Extra time given')}
      failTitle={t('record.extend.failed', 'Failed to give extra time')}
      extra={{
        label: minutesLabel(),
        inputMode: 'numeric',
        required: true,
        hint: (typed) => {
          const minutes = minutesOf(typed);
          return minutes === null
            ? minutesHint()
            : t('record.extend.newDeadline', 'The new deadline is {time}.', {
                time: deadlineAfter(minutes),
              });
        },
        problem: (typed) => (minutesOf(typed) === null ? minutesProblem() : undefined),
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
      title={t('portal.sendMessage', 'Send a message')}
      submitLabel={t('record.message.send', 'Send message')}
      busyLabel={t(/* a message; on the button */ 'portal.sending', 'Sending…')}
      failed={t('portal.messageFailed', 'Failed to send the message')}
      onClose={onClose}
      onSubmit={async (message) => {
        await send.mutateAsync(message);
        return { title: t('record.event.message', 'Message sent') };
      }}
    >
      <p className="text-ink-2">
        {t(
          /* person: an email address, or “This candidate”. it: a message */ 'record.message.about',
          '{person} sees it within seconds, above the current question, and cannot reply.',
          { person: personOf(record) },
        )}
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

const minutesLabel = () => t(/* a field: how many */ 'portal.minutes', 'Minutes');
const minutesHint = () => t('record.minutes.hint', 'Whole minutes, 1 to 180.');

const Removed = () => (
  <p>
    {t(
      'record.replace.removed',
      'This attempt is removed from lists and reports. It stays in the record as an earlier attempt.',
    )}
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
        ? t(
            /* them: right answers */ 'record.key.couldLearn',
            'This candidate could learn them from others.',
          )
        : t(
            /* theirs: right answers */ 'record.key.seen',
            'This candidate first saw theirs on {time}.',
            {
              time: formatDateTime(seenAt),
            },
          )}
    </KeyReaders>
  );
}

function AnotherAttemptDialog({ record, onClose }: ActionDialogProps) {
  const action = useAction(record.participant);
  return (
    <ReasonDialog
      title={t('record.another.title', 'Allow another attempt')}
      consequence={
        <>
          <p>
            {t(
              /* person: an email address, or “This candidate” */ 'record.another.about',
              '{person} can start again with the same one-time password: new questions, the full time, nothing carried over.',
              { person: personOf(record) },
            )}
          </p>
          <Removed />
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel={t('record.another.title', 'Allow another attempt')}
      busyLabel={t(
        /* while another attempt is being allowed; on the button */ 'record.another.busy',
        'Allowing…',
      )}
      doneTitle={t('record.event.anotherAttempt', 'Another attempt allowed')}
      failTitle={t('record.another.failed', 'Failed to allow another attempt')}
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
      title={t(
        /* lets a dismissed attempt go on; a heading */ 'record.reinstate.title',
        'Reinstate this attempt',
      )}
      consequence={
        <>
          <p>
            {t(
              /* person: an email address, or “This candidate” */ 'record.reinstate.about',
              '{person} continues with the same one-time password, questions, answers and flags. Violations are counted from 0.',
              { person: personOf(record) },
            )}{' '}
            {left === 0
              ? t(
                  /* they: the candidate, the assessment */ 'record.reinstate.noTime',
                  'No time was left, so give some minutes. The time starts when they enter.',
                )
              : t(
                  /* they: the candidate, the assessment. time: “12m 5s” */ 'record.reinstate.time',
                  'The remaining time is {time}. It starts when they enter.',
                  { time: formatTimeSpent(left) },
                )}
          </p>
          <Removed />
          <WhoHasTheKey record={record} />
        </>
      }
      confirmLabel={t('record.reinstate.confirm', 'Reinstate attempt')}
      busyLabel={t(
        /* while a dismissed attempt is being allowed to go on; on the button */ 'record.reinstate.busy',
        'Reinstating…',
      )}
      doneTitle={t('record.reinstate.done', 'The attempt is reinstated')}
      failTitle={t('record.reinstate.failed', 'Failed to reinstate the attempt')}
      extra={{
        label:
          left === 0
            ? minutesLabel()
            : t(/* a field */ 'record.minutes.additional', 'Additional minutes'),
        inputMode: 'numeric',
        required: left === 0,
        hint: (typed) => {
          const minutes = minutesOf(typed);
          return minutes === null
            ? minutesHint()
            : t(
                /* the candidate. time: “12m 5s” */ 'record.reinstate.timeWithMore',
                'They have {time} from the moment they enter.',
                { time: formatTimeSpent(left + minutes * 60) },
              );
        },
        problem: (typed) =>
          minutesOf(typed) !== null || (typed.trim() === '' && left > 0)
            ? undefined
            : minutesProblem(),
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
    return <WhoMay permissions={['attempts.act']} what="actOnAttempts" />;
  }
  return (
    <>
      <Card
        title={t(/* what can be done with the attempt; a heading */ 'portal.actions', 'Actions')}
      >
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
          {t('record.endNow.underWay', 'The attempt is ending. This takes a few seconds.')}
        </p>
      )}
      <Button icon={icon(Clock)} aria-disabled={ending} onClick={() => onOpen('extend')}>
        {t(/* to a candidate; a button and a heading */ 'portal.giveExtraTime', 'Give extra time')}
      </Button>
      <Button icon={icon(MessageSquare)} aria-disabled={ending} onClick={() => onOpen('message')}>
        {t('portal.sendMessage', 'Send a message')}
      </Button>
      <Button
        variant="danger-ghost"
        icon={icon(OctagonX)}
        aria-disabled={ending}
        onClick={() => onOpen('end')}
      >
        {t(/* the attempt; a button */ 'record.endNow.button', 'End now')}
      </Button>
    </>
  );
}

function EndedActions({ record, onOpen }: ActionsProps) {
  const replaced = isReplaced(record);
  return (
    <>
      {replaced && (
        <p className="text-ink-2">
          {t('record.replace.isReplaced', 'A later attempt has already replaced this one.')}
        </p>
      )}
      <Button icon={icon(RotateCcw)} aria-disabled={replaced} onClick={() => onOpen('another')}>
        {t('record.another.title', 'Allow another attempt')}
      </Button>
      <Button icon={icon(Undo2)} aria-disabled={replaced} onClick={() => onOpen('reinstate')}>
        {t(/* lets a dismissed attempt go on; a button */ 'record.reinstate.button', 'Reinstate')}
      </Button>
    </>
  );
}

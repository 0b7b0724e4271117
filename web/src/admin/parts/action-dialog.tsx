import { ActionForMany } from '@invigil/core/contract/review/live';
import { listParticipants } from '@invigil/core/contract/review/participants';
import { ATTEMPT_LIMITS, PAUSE_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Clock, MessageSquare, OctagonX, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { sentenceOf } from '../../net/api.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type ActionBody, useApplyOnce } from '../data/actions.ts';
import { showFailure } from '../data/show-failure.ts';
import { FormDialog, FormSelect, fieldIn } from './dialogs.tsx';
import { endMessage, endMessageHint, MessageFields, messageOf } from './message-fields.tsx';
import { KeyReaders } from './release-follows.tsx';

export type ActionKind = 'message' | 'extend' | 'pause' | 'resume' | 'end';

/** By their codes; the words of the selected one are sent. */
export const REASONS = {
  technical: () =>
    t(/* a reason for an action */ 'parts.action.reason.technical', 'Technical problem'),
  interruption: () =>
    t(/* a reason for an action */ 'parts.action.reason.interruption', 'Interruption in the room'),
  accommodation: () =>
    t(/* a reason for an action */ 'parts.action.reason.accommodation', 'Agreed accommodation'),
  question: () =>
    t(/* a reason for an action */ 'parts.action.reason.question', 'Question from the candidate'),
  suspicion: () =>
    t(/* a reason for an action */ 'parts.action.reason.suspicion', 'Suspected rule violation'),
};
const isListed = (code: string): code is keyof typeof REASONS => Object.hasOwn(REASONS, code);
export const OTHER_REASON = 'other';

/** `reason`: a code of the list, `OTHER_REASON`, or nothing yet. */
export const NO_ACTION = { text: '', about: '', minutes: '', reason: '', otherReason: '' };
type ActionValues = typeof NO_ACTION;
type ActionField = keyof ActionValues;
type ActionProblems = Partial<Record<ActionField | 'ids', string>>;
type ValidatedAction = { ok: true; body: ActionBody } | { ok: false; problems: ActionProblems };

export function validateAction(
  kind: ActionKind,
  ids: readonly string[],
  values: ActionValues,
): ValidatedAction {
  const isOther = values.reason === OTHER_REASON;
  const minutes = /^\d{1,3}$/.test(values.minutes.trim()) ? Number(values.minutes) : Number.NaN;
  const action = {
    message: () => ({ kind, ...messageOf(values) }),
    extend: () => ({ kind, minutes }),
    pause: () => ({ kind, ...(values.minutes.trim() === '' ? {} : { minutes }) }),
    resume: () => ({ kind }),
    end: () => ({ kind, ...(values.text.trim() === '' ? {} : { message: values.text }) }),
  }[kind]();
  const listed = isListed(values.reason) ? REASONS[values.reason]() : '';
  const reason = isOther ? values.otherReason : listed;
  const parsed = ActionForMany.safeParse({ ids, action, ...(reason === '' ? {} : { reason }) });
  if (parsed.success) return { ok: true, body: parsed.data };
  const problems: ActionProblems = {};
  for (const { path, message } of parsed.error.issues) {
    const last = path.at(-1);
    if (last === 'text' || last === 'message') problems.text ??= message;
    if (last === 'minutes')
      problems.minutes ??=
        kind === 'pause'
          ? t('parts.action.pause.minutesProblem', 'Whole minutes, 1 to {max}', {
              max: PAUSE_LIMITS.minutesMax,
            })
          : t('parts.action.minutes.problem', 'Whole minutes, 1 to 180');
    if (path[0] === 'ids') problems.ids ??= message;
    if (path[0] === 'reason') problems[isOther ? 'otherReason' : 'reason'] ??= message;
  }
  return { ok: false, problems };
}

interface ActionWords {
  title: string;
  button: string;
  busy: string;
  failed: string;
  /** It may have reached some of them. */
  again: string;
  done(count: number): string;
  consequence(count: number): string;
}

const WORDS: Record<ActionKind, () => ActionWords> = {
  message: () => ({
    title: t(/* a title */ 'portal.sendMessage', 'Send a message'),
    button: t(/* a button */ 'parts.action.message.button', 'Send message'),
    busy: t('portal.sending', 'Sending…'),
    failed: t('portal.messageFailed', 'Failed to send the message'),
    again: t('parts.action.message.again', 'Send it again unchanged. No one gets it twice.'),
    done: (count) =>
      t(
        'parts.action.message.done',
        '{count, plural, one {Message sent: # candidate} other {Message sent: # candidates}}',
        { count },
      ),
    consequence: (count) =>
      t(
        'parts.action.message.consequence',
        '{count, plural, one {# candidate will see it within seconds, above the current question, and cannot reply.} other {# candidates will see it within seconds, above the current question, and cannot reply.}}',
        { count },
      ),
  }),
  extend: () => ({
    title: t('portal.giveExtraTime', 'Give extra time'),
    button: t('portal.giveExtraTime', 'Give extra time'),
    busy: t(/* extra time is being given */ 'parts.action.extend.busy', 'Giving…'),
    failed: t('parts.action.extend.failed', 'Failed to give extra time'),
    again: t('parts.action.extend.again', 'Try again unchanged. No one gets it twice.'),
    done: (count) =>
      t(
        'parts.action.extend.done',
        '{count, plural, one {Extra time given: # candidate} other {Extra time given: # candidates}}',
        { count },
      ),
    consequence: (count) =>
      t(
        'parts.action.extend.consequence',
        '{count, plural, one {The timers of # candidate change within seconds. Extra time cannot be taken back.} other {The timers of # candidates change within seconds. Extra time cannot be taken back.}}',
        { count },
      ),
  }),
  pause: () => ({
    title: t(/* stops the time of candidates */ 'parts.action.pause.title', 'Pause'),
    button: t(/* stops the time of candidates */ 'parts.action.pause.title', 'Pause'),
    busy: t(/* the time of candidates is being stopped */ 'parts.action.pause.busy', 'Pausing…'),
    failed: t('parts.action.pause.failed', 'Failed to pause'),
    again: t('parts.action.pause.again', 'Try again unchanged. It changes nothing for the others.'),
    done: (count) =>
      t(
        'parts.action.pause.done',
        '{count, plural, one {Paused: # candidate} other {Paused: # candidates}}',
        { count },
      ),
    consequence: (count) =>
      t(
        'parts.action.pause.consequence',
        '{count, plural, one {The time of # candidate stops within seconds: the questions are covered, and nothing is monitored or counted. The time that is left stays the same.} other {The time of # candidates stops within seconds: the questions are covered, and nothing is monitored or counted. The time that is left stays the same.}}',
        { count },
      ),
  }),
  resume: () => ({
    title: t(/* of candidates */ 'parts.action.resume.title', 'End the pause'),
    button: t(/* of candidates */ 'parts.action.resume.title', 'End the pause'),
    busy: t(/* a pause is being ended */ 'portal.ending', 'Ending…'),
    failed: t('parts.action.resume.failed', 'Failed to end the pause'),
    again: t('parts.action.pause.again', 'Try again unchanged. It changes nothing for the others.'),
    done: (count) =>
      t(
        /* their time */ 'parts.action.resume.done',
        '{count, plural, one {The time goes on: # candidate} other {The time goes on: # candidates}}',
        { count },
      ),
    consequence: (count) =>
      t(
        'parts.action.resume.consequence',
        '{count, plural, one {The time of # candidate goes on within seconds, also if nobody is at the device. Breaks end as well.} other {The time of # candidates goes on within seconds, also if nobody is at the device. Breaks end as well.}}',
        { count },
      ),
  }),
  end: () => ({
    title: t(/* ends attempts of candidates */ 'parts.action.end.title', 'End now'),
    button: t(/* ends attempts of candidates */ 'parts.action.end.title', 'End now'),
    busy: t(/* attempts are being ended */ 'portal.ending', 'Ending…'),
    failed: t('parts.action.end.failed', 'Failed to end the attempts'),
    again: t('parts.action.end.again', 'Some attempts may be ending. Try again for the others.'),
    done: (count) =>
      t(
        /* their attempts end in a few seconds */ 'parts.action.end.done',
        '{count, plural, one {Ending: # candidate} other {Ending: # candidates}}',
        { count },
      ),
    consequence: (count) =>
      t(
        'parts.action.end.consequence',
        '{count, plural, one {# candidate will have {seconds} seconds, so that answers still in the browser are saved. Then the saved answers are scored. An ended attempt does not continue.} other {# candidates will have {seconds} seconds, so that answers still in the browser are saved. Then the saved answers are scored. An ended attempt does not continue.}}',
        { count, seconds: ATTEMPT_LIMITS.endNowDelayMs / 1_000 },
      ),
  }),
};

/** A suspicion is no reason for more time. */
const reasonOptions = (kind: ActionKind) => [
  ...Object.entries(REASONS)
    .filter(([code]) => kind !== 'extend' || code !== 'suspicion')
    .map(([value, words]) => ({ value, label: words() })),
  { value: OTHER_REASON, label: t('parts.action.reason.another', 'Another reason') },
];

/** An action for several attempts in progress, with what it needs. */
export function ActionDialog({
  kind,
  ids,
  quizId,
  onClose,
}: {
  kind: ActionKind;
  ids: readonly string[];
  /** Given if all of them are of one assessment. */
  quizId?: string | undefined;
  onClose(): void;
}) {
  const words = WORDS[kind]();
  const client = useQueryClient();
  const form = useForm<ActionValues, unknown, ActionBody>({
    // Candidates read the reason of a pause: it is always typed.
    defaultValues: kind === 'pause' ? { ...NO_ACTION, reason: OTHER_REASON } : NO_ACTION,
    resolver: (values) => {
      const validated = validateAction(kind, ids, values);
      if (validated.ok) return { values: validated.body, errors: {} };
      const { ids: tooMany, ...problems } = validated.problems;
      const errors = Object.entries({ ...problems, root: tooMany }).flatMap(([name, message]) =>
        message === undefined ? [] : [[name, { type: 'contract', message }] as const],
      );
      return { values: {}, errors: Object.fromEntries(errors) };
    },
  });
  const { reason, text, about } = form.watch();
  const { errors } = form.formState;
  const act = useMutation({
    mutationFn: useApplyOnce(),
    onSuccess: () => client.invalidateQueries({ queryKey: endpointKey(listParticipants) }),
  });
  return (
    <FormDialog
      form={form}
      title={words.title}
      submitLabel={words.button}
      busyLabel={words.busy}
      danger={kind === 'end'}
      failed={words.failed}
      sentence={(error) => `${sentenceOf(error)}. ${words.again}`}
      onClose={onClose}
      onSubmit={async (body) => {
        const { done, refused } = await act.mutateAsync(body);
        const [first] = refused;
        const title = words.done(done.length);
        if (first === undefined) return { title };
        showFailure(
          t(
            'parts.action.notReached',
            '{count, plural, one {# candidate could not be reached} other {# candidates could not be reached}}',
            { count: refused.length },
          ),
          `${first.message}. ${title}`,
        );
        onClose();
        return undefined;
      }}
    >
      <p className="text-ink-2">{words.consequence(ids.length)}</p>
      {errors.root !== undefined && (
        <Notice tone="bad" role="alert">
          {t(
            'parts.action.candidatesSelected',
            '{count, plural, one {# candidate selected.} other {# candidates selected.}}',
            { count: ids.length },
          )}{' '}
          {`${errors.root.message}.`}
        </Notice>
      )}
      {kind === 'message' && (
        <MessageFields
          field={fieldIn(form, 'text')}
          values={{ text, about }}
          quizId={quizId}
          onChange={(message) => {
            form.setValue('text', message.text);
            form.setValue('about', message.about);
          }}
        />
      )}
      {kind === 'end' && (
        <TextField label={endMessage()} hint={endMessageHint()} {...fieldIn(form, 'text')} />
      )}
      {kind === 'extend' && quizId !== undefined && (
        <KeyReaders quizId={quizId}>
          {t(
            /* them: right answers */ 'parts.action.keyReaders',
            'Those who go on could learn them from others.',
          )}
        </KeyReaders>
      )}
      {kind === 'extend' && (
        <TextField
          label={t(/* the label of a number field */ 'portal.minutes', 'Minutes')}
          inputMode="numeric"
          required
          autoComplete="off"
          hint={t('parts.action.minutes.hint', 'Whole minutes, 1 to 180, added to each deadline.')}
          {...fieldIn(form, 'minutes')}
        />
      )}
      {kind === 'pause' && (
        <>
          <TextField
            label={t('parts.action.pause.reason', 'Candidates read')}
            required
            hint={t(
              'parts.action.pause.reasonHint',
              'For example: Fire alarm. Leave the room. Your time is stopped.',
            )}
            {...fieldIn(form, 'otherReason')}
          />
          <TextField
            label={t(/* the label of a number field */ 'portal.minutes', 'Minutes')}
            inputMode="numeric"
            autoComplete="off"
            hint={t(
              /* a field for minutes; it: the pause */ 'parts.action.pause.minutesHint',
              'Empty: until you end it, and {hours} hours at most.',
              { hours: PAUSE_LIMITS.longestMs / 3_600_000 },
            )}
            {...fieldIn(form, 'minutes')}
          />
        </>
      )}
      {kind !== 'pause' && kind !== 'resume' && (
        <FormSelect
          form={form}
          name="reason"
          label={t(/* a label: why something is done */ 'parts.reason', 'Reason')}
          optional={kind === 'message'}
          options={reasonOptions(kind)}
          placeholder={t('parts.action.reason.select', 'Select a reason')}
          hint={t(
            /* it: the reason */ 'parts.action.reason.hint',
            'Recorded in the audit log. Candidates do not see it.',
          )}
        />
      )}
      {kind !== 'pause' && reason === OTHER_REASON && (
        <TextField
          label={t('parts.action.reason.describe', 'Describe the reason')}
          required
          {...fieldIn(form, 'otherReason')}
        />
      )}
    </FormDialog>
  );
}

/** An action being prepared, and for whom: the board keeps updating behind it. */
interface Begun {
  kind: ActionKind;
  ids: readonly string[];
  quizId: string | undefined;
}

/**
 * Actions for many at once: select candidates, then message, extra time or end. The dialog stays
 * open when the last selected attempt ends, and when the board is empty.
 */
export function ActionBar({
  all,
  selected,
  paused = 0,
  quizId,
  onSelect,
}: {
  all: readonly string[];
  selected: readonly string[];
  /** How many of the selected have their time stopped. */
  paused?: number;
  /** Given if all that are selected are of one assessment. */
  quizId?: string | undefined;
  onSelect(ids: readonly string[]): void;
}) {
  const [begun, setBegun] = useState<Begun | null>(null);
  return (
    <>
      {all.length > 0 && (
        <div className="mb-5 flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
          <Checkbox
            label={
              selected.length === 0
                ? t('parts.action.selectAll', 'Select all ({count})', {
                    count: numberText(all.length),
                  })
                : t(
                    /* candidates */ 'parts.action.selected',
                    '{count, plural, one {# selected} other {# selected}}',
                    { count: selected.length },
                  )
            }
            checked={selected.length > 0 && selected.length === all.length}
            onChange={(event) => onSelect(event.target.checked ? all : [])}
          />
          {selected.length > 0 && (
            <ActionChoice
              pause={paused < selected.length}
              resume={paused > 0}
              onBegin={(kind) => setBegun({ kind, ids: selected, quizId })}
            />
          )}
        </div>
      )}
      {begun !== null && (
        <ActionDialog
          {...begun}
          // Keep the selection: a message is often followed by the extra time it mentions.
          onClose={() => setBegun(null)}
        />
      )}
    </>
  );
}

/** Actions for one attempt in progress. An open dialog stays open when the attempt ends. */
export function ActionButtons({
  id,
  quizId,
  ended,
  paused,
}: {
  id: string;
  quizId: string;
  ended: boolean;
  /** Their time is stopped. */
  paused: boolean;
}) {
  const [kind, setKind] = useState<ActionKind | null>(null);
  return (
    <>
      {!ended && <ActionChoice pause={!paused} resume={paused} onBegin={setKind} />}
      {kind !== null && (
        <ActionDialog kind={kind} ids={[id]} quizId={quizId} onClose={() => setKind(null)} />
      )}
    </>
  );
}

function ActionChoice({
  pause,
  resume,
  onBegin,
}: {
  pause: boolean;
  resume: boolean;
  onBegin(kind: ActionKind): void;
}) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<MessageSquare />} onClick={() => onBegin('message')}>
        {t(/* a label; what is sent to a candidate */ 'portal.message', 'Message')}
      </Button>
      <Button icon={<Clock />} onClick={() => onBegin('extend')}>
        {t(/* a button */ 'portal.extraTime', 'Extra time')}
      </Button>
      {pause && (
        <Button icon={<Pause />} onClick={() => onBegin('pause')}>
          {t(/* stops the time of candidates */ 'parts.action.pause.title', 'Pause')}
        </Button>
      )}
      {resume && (
        <Button icon={<Play />} onClick={() => onBegin('resume')}>
          {t(/* of candidates */ 'parts.action.resume.title', 'End the pause')}
        </Button>
      )}
      <Button variant="danger-ghost" icon={<OctagonX />} onClick={() => onBegin('end')}>
        {t(/* ends attempts of candidates */ 'parts.action.end.title', 'End now')}
      </Button>
    </div>
  );
}

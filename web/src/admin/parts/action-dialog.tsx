import { ActionForMany } from '@invigil/core/contract/review/live';
import { listParticipants } from '@invigil/core/contract/review/participants';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Clock, MessageSquare, OctagonX } from 'lucide-react';
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
import { END_MESSAGE, END_MESSAGE_HINT, MessageFields, messageOf } from './message-fields.tsx';
import { KeyReaders } from './release-follows.tsx';

export type ActionKind = 'message' | 'extend' | 'end';

const SUSPICION = 'Suspected rule violation';
export const REASONS = [
  'Technical problem',
  'Interruption in the room',
  'Agreed accommodation',
  'Question from the candidate',
  SUSPICION,
] as const;
export const OTHER_REASON = 'other';

/** `reason`: one of the list, `OTHER_REASON`, or nothing yet. */
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
  const action =
    kind === 'message'
      ? { kind, ...messageOf(values) }
      : kind === 'extend'
        ? { kind, minutes }
        : { kind, ...(values.text.trim() === '' ? {} : { message: values.text }) };
  const reason = isOther ? values.otherReason : values.reason;
  const parsed = ActionForMany.safeParse({ ids, action, ...(reason === '' ? {} : { reason }) });
  if (parsed.success) return { ok: true, body: parsed.data };
  const problems: ActionProblems = {};
  for (const { path, message } of parsed.error.issues) {
    const last = path.at(-1);
    if (last === 'text' || last === 'message') problems.text ??= message;
    if (last === 'minutes') problems.minutes ??= 'Whole minutes, 1 to 180';
    if (path[0] === 'ids') problems.ids ??= message;
    if (path[0] === 'reason') problems[isOther ? 'otherReason' : 'reason'] ??= message;
  }
  return { ok: false, problems };
}

const peopleText = (n: number) => (n === 1 ? '1 candidate' : `${n} candidates`);

const WORDS: Record<
  ActionKind,
  {
    title: string;
    button: string;
    busy: string;
    done: string;
    failed: string;
    /** It may have reached some of them. */
    again: string;
    consequence(n: number): string;
  }
> = {
  message: {
    title: 'Send a message',
    button: 'Send message',
    busy: 'Sending…',
    done: 'Message sent',
    failed: 'Failed to send the message',
    again: 'Send it again unchanged. No one gets it twice.',
    consequence: (n) =>
      `${peopleText(n)} will see it within seconds, above the current question, and cannot reply.`,
  },
  extend: {
    title: 'Give extra time',
    button: 'Give extra time',
    busy: 'Giving…',
    done: 'Extra time given',
    failed: 'Failed to give extra time',
    again: 'Try again unchanged. No one gets it twice.',
    consequence: (n) =>
      `The timers of ${peopleText(n)} change within seconds. Extra time cannot be taken back.`,
  },
  end: {
    title: 'End now',
    button: 'End now',
    busy: 'Ending…',
    done: 'Ending',
    failed: 'Failed to end the attempts',
    again: 'Some attempts may be ending. Try again for the others.',
    consequence: (n) =>
      `${peopleText(n)} will have ${ATTEMPT_LIMITS.endNowDelayMs / 1_000} seconds, so that answers still in the browser are saved. Then the saved answers are scored. An ended attempt does not continue.`,
  },
};

/** A suspicion is no reason for more time. */
const reasonOptions = (kind: ActionKind) => [
  ...REASONS.filter((reason) => kind !== 'extend' || reason !== SUSPICION).map((reason) => ({
    value: reason,
    label: reason,
  })),
  { value: OTHER_REASON, label: 'Another reason' },
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
  const words = WORDS[kind];
  const client = useQueryClient();
  const form = useForm<ActionValues, unknown, ActionBody>({
    defaultValues: NO_ACTION,
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
        const title = `${words.done}: ${peopleText(done.length)}`;
        if (first === undefined) return { title };
        showFailure(
          `${peopleText(refused.length)} could not be reached`,
          `${first.message}. ${title}`,
        );
        onClose();
        return undefined;
      }}
    >
      <p className="text-ink-2">{words.consequence(ids.length)}</p>
      {errors.root !== undefined && (
        <Notice tone="bad" role="alert">
          {`${peopleText(ids.length)} selected. ${errors.root.message}.`}
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
        <TextField label={END_MESSAGE} hint={END_MESSAGE_HINT} {...fieldIn(form, 'text')} />
      )}
      {kind === 'extend' && quizId !== undefined && (
        <KeyReaders quizId={quizId}>Those who go on could learn them from others.</KeyReaders>
      )}
      {kind === 'extend' && (
        <TextField
          label="Minutes"
          inputMode="numeric"
          required
          autoComplete="off"
          hint="Whole minutes, 1 to 180, added to each deadline."
          {...fieldIn(form, 'minutes')}
        />
      )}
      <FormSelect
        form={form}
        name="reason"
        label="Reason"
        optional={kind === 'message'}
        options={reasonOptions(kind)}
        placeholder="Select a reason"
        hint="Recorded in the audit log. Candidates do not see it."
      />
      {reason === OTHER_REASON && (
        <TextField label="Describe the reason" required {...fieldIn(form, 'otherReason')} />
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
  quizId,
  onSelect,
}: {
  all: readonly string[];
  selected: readonly string[];
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
              selected.length === 0 ? `Select all (${all.length})` : `${selected.length} selected`
            }
            checked={selected.length > 0 && selected.length === all.length}
            onChange={(event) => onSelect(event.target.checked ? all : [])}
          />
          {selected.length > 0 && (
            <ActionChoice onBegin={(kind) => setBegun({ kind, ids: selected, quizId })} />
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
}: {
  id: string;
  quizId: string;
  ended: boolean;
}) {
  const [kind, setKind] = useState<ActionKind | null>(null);
  return (
    <>
      {!ended && <ActionChoice onBegin={setKind} />}
      {kind !== null && (
        <ActionDialog kind={kind} ids={[id]} quizId={quizId} onClose={() => setKind(null)} />
      )}
    </>
  );
}

function ActionChoice({ onBegin }: { onBegin(kind: ActionKind): void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<MessageSquare />} onClick={() => onBegin('message')}>
        Message
      </Button>
      <Button icon={<Clock />} onClick={() => onBegin('extend')}>
        Extra time
      </Button>
      <Button variant="danger-ghost" icon={<OctagonX />} onClick={() => onBegin('end')}>
        End now
      </Button>
    </div>
  );
}

import { zodResolver } from '@hookform/resolvers/zod';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  GroupTimeRule,
  getSchedule,
  type QuizSchedule,
  setSchedule,
} from '@invigil/core/contract/assessments/schedule';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { listText } from '@invigil/core/domain/locale';
import type { GroupTimeRule as Rule, TimeRule } from '@invigil/core/domain/schedule';
import { isolated } from '@invigil/core/domain/typed-text';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldErrors, useFieldArray, useForm } from 'react-hook-form';
import { Link } from 'react-router';
import { z } from 'zod';
import { timesInText } from '../../lib/portal-times.ts';
import { callEndpoint } from '../../net/api.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { showIssues } from '../../net/form-refusal.ts';
import { Button } from '../../ui/button.tsx';
import { useUnsaved } from '../../ui/dialogs/unsaved.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Card, EmptyState } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useContainerWidth } from '../../ui/tables/table.tsx';
import { useMayOnQuiz } from '../data/assessments.ts';
import { people } from '../data/invitations.ts';
import { morePeopleText, unknownText } from '../data/people.ts';
import { Rows } from '../list/list.tsx';
import { FormDialog, fieldIn } from '../parts/dialogs.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import {
  OwnTimesFields,
  ownTimesIn,
  ownTimesValuesOf,
  timesWords,
  withOwnTimes,
} from '../parts/own-times.tsx';
import { type Read, useRead } from '../parts/stale-notice.tsx';

const titleText = () => t('assessment.schedule.title', 'Times for groups and people');
const addText = () => t(/* a button */ 'assessment.schedule.add', 'Add a rule');

/** Rules by which groups and people have other times than the assessment. */
export function ScheduleCard({ quiz }: { quiz: Quiz }) {
  const read = useQuery(endpointQuery(getSchedule, { params: { id: quiz.id } }));
  return (
    <Card title={titleText()}>
      {read.data !== undefined ? (
        <Schedule quiz={quiz} schedule={read.data} />
      ) : read.isError ? (
        <LoadFailure
          title={t('assessment.schedule.loadFailed', 'Failed to load the times')}
          read={read}
        />
      ) : (
        <SkeletonRows>{t('assessment.schedule.loading', 'Loading the times...')}</SkeletonRows>
      )}
    </Card>
  );
}

interface Values {
  rules: Rule[];
}

function Schedule({ quiz, schedule }: { quiz: Quiz; schedule: QuizSchedule }) {
  const form = useForm<Values>({ defaultValues: { rules: schedule.rules } });
  const list = useFieldArray({ control: form.control, name: 'rules' });
  const read = useRead<readonly Rule[]>(schedule.rules);
  /** The place of the rule that is changed; that of the next one: it is new. */
  const [editing, setEditing] = useState<number | null>(null);
  const [isChecking, setChecking] = useState(false);
  const { isDirty, errors } = form.formState;
  useUnsaved(isDirty);
  const fillFrom = (rules: readonly Rule[]) => {
    form.reset({ rules: [...rules] });
    read.settle(rules);
  };
  const follow = useEffectEvent((rules: readonly Rule[]) => {
    if (!isDirty) fillFrom(rules);
  });
  useEffect(() => follow(schedule.rules), [schedule.rules]);
  const rules = form.watch('rules');
  const add = () => setEditing(rules.length);
  const addButton = (
    <Button icon={<Plus />} onClick={add}>
      {addText()}
    </Button>
  );
  return (
    <>
      {rules.length === 0 && !isDirty ? (
        <EmptyState action={addButton}>
          {t(
            'assessment.schedule.none',
            'Give a group another opening, end or duration, for example if it takes the assessment on another day.',
          )}
        </EmptyState>
      ) : (
        <>
          <p className="px-4 pt-4 text-ink-2 md:px-5">
            {t(
              /* rules: by which groups have other times */ 'assessment.schedule.about',
              'If someone is in several groups, the rule that stands first counts. Extra time is added to it.',
            )}{' '}
            {timesInText()}
          </p>
          <RuleTable
            rules={list.fields}
            problemOf={(i) => problemIn(errors, i)}
            onMove={list.move}
            onEdit={setEditing}
            onRemove={list.remove}
          />
          <div className="flex flex-wrap items-center gap-2 px-4 py-4 md:px-5">
            {addButton}
            {isDirty && (
              <>
                <span className="grow text-end text-sm text-ink-2">
                  {t(/* changes */ 'assessment.schedule.notSaved', 'Not saved yet.')}
                </span>
                <Button onClick={() => fillFrom(schedule.rules)}>
                  {t(/* a button */ 'assessment.schedule.discard', 'Discard changes')}
                </Button>
                <Button variant="primary" onClick={() => setChecking(true)}>
                  {t(
                    /* a button: shows whose times change */ 'assessment.schedule.check',
                    'Check and save',
                  )}
                </Button>
              </>
            )}
          </div>
        </>
      )}
      <OfPeople quiz={quiz} rules={schedule.people} />
      {editing !== null && (
        <RuleDialog
          quiz={quiz}
          groups={schedule.groups}
          rule={rules[editing] ?? null}
          taken={rules.flatMap(({ group }, i) => (i === editing ? [] : [group]))}
          errors={errors.rules?.[editing]}
          onClose={() => setEditing(null)}
          onRule={(rule) => {
            form.clearErrors();
            if (editing < rules.length) list.update(editing, rule);
            else list.append(rule, { shouldFocus: false });
          }}
        />
      )}
      {isChecking && (
        <CheckDialog
          quiz={quiz}
          rules={rules}
          read={read}
          onRefused={(error) => showIssues(error, form.setError, pathsOf(rules))}
          onClose={() => setChecking(false)}
          onSaved={fillFrom}
        />
      )}
    </>
  );
}

/** The paths at which the server may refuse rules. */
const pathsOf = (rules: readonly Rule[]) =>
  rules.flatMap((_, i) => {
    const path = `rules.${i}` as const;
    return [
      path,
      `${path}.group`,
      `${path}.minutes`,
      `${path}.window.opensAt`,
      `${path}.window.endDate`,
      `${path}.window.startBy`,
    ] as const;
  });

function problemIn({ rules }: FieldErrors<Values>, i: number): string | undefined {
  const { message, group, minutes, window } = rules?.[i] ?? {};
  const first = group ?? minutes ?? window?.opensAt ?? window?.endDate ?? window?.startBy;
  return message ?? first?.message;
}

type Listed = Rule & { id: string };

function RuleTable({
  rules,
  problemOf,
  onMove,
  onEdit,
  onRemove,
}: {
  rules: readonly Listed[];
  problemOf(i: number): string | undefined;
  onMove(from: number, to: number): void;
  onEdit(i: number): void;
  onRemove(i: number): void;
}) {
  const [measure, width] = useContainerWidth();
  const actions = (rule: Listed) => (
    <RuleActions
      group={rule.group}
      index={rules.indexOf(rule)}
      last={rules.length - 1}
      {...{ onMove, onEdit, onRemove }}
    />
  );
  const group = (rule: Listed) => {
    const problem = problemOf(rules.indexOf(rule));
    return (
      <>
        <span className="font-medium wrap-anywhere">{isolated(rule.group)}</span>
        {problem !== undefined && (
          <span role="alert" className="block text-sm text-bad-ink">
            {problem}
          </span>
        )}
      </>
    );
  };
  const part = (name: 'opensAt' | 'endDate' | 'startBy' | 'duration') => (rule: Listed) =>
    partsOf(rule).find((one) => one.name === name)?.words ?? (
      <span className="text-ink-3">
        {t(/* a time, or the duration */ 'assessment.schedule.same', 'As in the assessment')}
      </span>
    );
  const heads = timesWords({ opensAt: null, endDate: null, duration: 0 });
  return (
    <div ref={measure}>
      {width !== null && rules.length > 0 && (
        <Rows
          label={t(/* the name of a list */ 'assessment.schedule.rules', 'Rules for groups')}
          rows={rules}
          asCards={width < 640}
          columns={[
            {
              head: t(/* a group of people; a column */ 'assessment.schedule.group', 'Group'),
              card: false,
              cell: group,
            },
            { head: heads.opensAt.label, cell: part('opensAt') },
            { head: heads.endDate.label, cell: part('endDate') },
            ...(rules.some(({ window }) => window?.startBy)
              ? [{ head: heads.startBy.label, cell: part('startBy') }]
              : []),
            { head: heads.duration.label, cell: part('duration') },
            {
              head: t(/* buttons; a column */ 'portal.actions', 'Actions'),
              isHeadHidden: true,
              end: true,
              card: false,
              cellClass: 'whitespace-nowrap',
              cell: actions,
            },
          ]}
          cardHead={group}
          cardFoot={(rule) => <div className="-mx-2">{actions(rule)}</div>}
        />
      )}
    </div>
  );
}

function RuleActions({
  group,
  index,
  last,
  onMove,
  onEdit,
  onRemove,
}: {
  group: string;
  index: number;
  last: number;
} & Pick<Parameters<typeof RuleTable>[0], 'onMove' | 'onEdit' | 'onRemove'>) {
  const name = isolated(group);
  const move = (button: HTMLButtonElement, to: number) => {
    flushSync(() => onMove(index, to));
    // The row is at another place of the document, where it has lost the focus.
    button.focus();
  };
  return (
    <>
      <IconButton
        label={t(/* a group of people */ 'assessment.schedule.up', 'Move {name} up', { name })}
        tooltip={t('sections.moveUp', 'Move up')}
        unavailable={
          index === 0 ? t('assessment.schedule.isFirst', 'This is the first rule') : undefined
        }
        onClick={({ currentTarget }) => move(currentTarget, index - 1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton
        label={t(/* a group of people */ 'assessment.schedule.down', 'Move {name} down', {
          name,
        })}
        tooltip={t('sections.moveDown', 'Move down')}
        unavailable={
          index === last ? t('assessment.schedule.isLast', 'This is the last rule') : undefined
        }
        onClick={({ currentTarget }) => move(currentTarget, index + 1)}
      >
        <ArrowDown />
      </IconButton>
      <IconButton
        label={changeText(group)}
        tooltip={t(/* a rule; a button (verb) */ 'assessment.schedule.changeShort', 'Change')}
        onClick={() => onEdit(index)}
      >
        <Pencil />
      </IconButton>
      <IconButton
        label={t(
          /* a group of people */ 'assessment.schedule.removeOf',
          'Remove the rule for {name}',
          { name },
        )}
        tooltip={t(/* a rule; a button (verb) */ 'assessment.schedule.remove', 'Remove')}
        onClick={() => onRemove(index)}
      >
        <Trash2 />
      </IconButton>
    </>
  );
}

const changeText = (group: string) =>
  t(/* a group of people */ 'assessment.schedule.change', 'Change the rule for {name}', {
    name: isolated(group),
  });

/** The times of a rule with their labels; those of the assessment are left out. */
function partsOf({ window, minutes, attempts: most }: TimeRule) {
  const { opensAt, endDate, startBy, duration, attempts } = timesWords({
    ...{ opensAt: null, endDate: null, ...window },
    ...{ duration: minutes ?? 0, attempts: most ?? 1 },
  });
  return [
    ...(window
      ? [
          { name: 'opensAt', ...opensAt },
          { name: 'endDate', ...endDate },
          ...(window.startBy == null ? [] : [{ name: 'startBy', ...startBy }]),
        ]
      : []),
    ...(minutes === undefined ? [] : [{ name: 'duration', ...duration }]),
    ...(most === undefined ? [] : [{ name: 'attempts', ...attempts }]),
  ];
}

/** “Opens: 3 December 2026, 09:00, End date: N/A” */
const ruleText = (rule: TimeRule): string =>
  listText(
    partsOf(rule).map(({ label, words }) =>
      t(
        /* a time of a rule: “Opens: 3 December 2026, 09:00” */ 'assessment.schedule.part',
        '{label}: {words}',
        { label, words },
      ),
    ),
    'unit',
  );

/** Rules for one person each, which their invitations have. */
function OfPeople({ quiz, rules }: { quiz: Quiz; rules: QuizSchedule['people'] }) {
  const maySee = useMayOnQuiz(quiz)('people.see');
  if (rules.length === 0) return null;
  return (
    <section
      aria-labelledby="times-of-people"
      className="grid gap-1 border-t border-line px-4 py-4 md:px-5"
    >
      <h3 id="times-of-people">
        {t(/* a heading */ 'assessment.schedule.people', 'Rules for single people')}
      </h3>
      <p className="text-ink-2">
        {t(
          /* rules for single people */ 'assessment.schedule.people.about',
          'They come before those for groups. Change them at the invitation of the person.',
        )}
      </p>
      <ul>
        {rules.map(({ invitationId, email, userName, times }) => {
          const name = userName ?? email ?? unknownText();
          return (
            <li
              key={invitationId}
              className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2 last:border-b-0"
            >
              {maySee && email !== null ? (
                <Link
                  to={`/admin/quizzes/${quiz.id}/candidates?search=${encodeURIComponent(email)}`}
                  className="font-medium text-accent-ink underline-offset-4 wrap-anywhere hover:underline touch:inline-flex touch:min-h-11 touch:items-center"
                >
                  {isolated(name)}
                </Link>
              ) : (
                <span className="font-medium wrap-anywhere">{isolated(name)}</span>
              )}
              <span className="text-sm text-ink-2">{ruleText(times)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Stands for a group that is typed: no group has a space at its beginning. */
const TYPED = ' ';

/** Adds or changes a rule. It is saved only with all of them. */
function RuleDialog({
  quiz,
  groups,
  rule,
  taken,
  errors,
  onRule,
  onClose,
}: {
  quiz: Quiz;
  groups: QuizSchedule['groups'];
  rule: Rule | null;
  /** Groups of the other rules. */
  taken: readonly string[];
  /** Refusals of the server. */
  errors: FieldErrors<Rule> | undefined;
  onRule(rule: Rule): void;
  onClose(): void;
}) {
  const isFree = (group: string) => !taken.includes(group);
  const Typed = z
    .object({
      group: GroupTimeRule.shape.group.refine(isFree, {
        error: () => t('field.groupTwice', 'This group has a rule already'),
      }),
      ownTimes: ownTimesIn(rule, { areNeeded: true }),
    })
    .transform(({ group, ownTimes }): Rule => ({ group, ...ownTimes }));
  const form = useForm({
    resolver: withOwnTimes(zodResolver(Typed)),
    defaultValues: { group: rule?.group ?? '', ownTimes: ownTimesValuesOf(rule) },
  });
  const showRefusals = useEffectEvent(() => {
    const { group: ofGroup, minutes, attempts, window } = errors ?? {};
    const refusals = [
      ['group', ofGroup],
      ['ownTimes.minutes', minutes],
      ['ownTimes.attempts', attempts],
      ['ownTimes.opensAt', window?.opensAt],
      ['ownTimes.endDate', window?.endDate],
    ] as const;
    for (const [field, error] of refusals) if (error) form.setError(field, error);
  });
  useEffect(() => showRefusals(), []);
  const group = form.watch('group');
  const isKnown = groups.some((one) => one.group === group);
  const [isTyped, setTyped] = useState(groups.length === 0 || (group !== '' && !isKnown));
  const field = fieldIn(form, 'group');
  const label = t(/* a group of people; a column */ 'assessment.schedule.group', 'Group');
  return (
    <FormDialog
      form={form}
      title={rule === null ? addText() : changeText(rule.group)}
      description={t(
        'assessment.schedule.dialog',
        'Before anything is saved, you see whose times change.',
      )}
      submitLabel={
        rule === null
          ? addText()
          : t(/* a button: a changed rule */ 'assessment.schedule.apply', 'Apply')
      }
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('assessment.schedule.failed', 'Failed to save the times')}
      onClose={onClose}
      onSubmit={async (next) => {
        onRule(next);
        onClose();
        return undefined;
      }}
    >
      {groups.length > 0 && (
        <SelectField
          label={label}
          value={isTyped ? TYPED : group}
          options={[
            ...groups.map(({ group, people: count }) => ({
              value: group,
              label: t(
                /* a group and how many are in it: “2A (12 people)” */ 'assessment.schedule.groupOf',
                '{group} ({people})',
                { group: isolated(group), people: people(count) },
              ),
            })),
            {
              value: TYPED,
              label: t(
                /* a group that is not in the list */ 'assessment.schedule.otherGroup',
                'Another group',
              ),
            },
          ]}
          error={isTyped ? undefined : field.error}
          onChange={(value) => {
            setTyped(value === TYPED);
            form.setValue('group', value.trim(), { shouldDirty: true });
            form.clearErrors('group');
          }}
        />
      )}
      {isTyped && (
        <TextField
          label={
            groups.length === 0
              ? label
              : t(/* a field */ 'assessment.schedule.nameOfGroup', 'Name of the group')
          }
          autoComplete="off"
          required
          hint={t(
            /* people: candidates */ 'assessment.schedule.group.hint',
            'As it is in the details of people.',
          )}
          {...field}
        />
      )}
      <OwnTimesFields
        form={form}
        minutesHint={t(
          /* {time}: '60 minutes' */ 'assessment.schedule.minutes',
          'Empty: {time}, as in the assessment',
          { time: minutesText(quiz.duration * 60_000) },
        )}
      />
    </FormDialog>
  );
}

type Trial = ResponseOf<typeof setSchedule>;

/** Shows whose times change, then saves the rules. */
function CheckDialog({
  quiz,
  rules,
  read,
  onRefused,
  onSaved,
  onClose,
}: {
  quiz: Quiz;
  rules: Rule[];
  read: Read<readonly Rule[]>;
  /** Shows what the server refuses at the rules. */
  onRefused(error: unknown): void;
  onSaved(rules: readonly Rule[]): void;
  onClose(): void;
}) {
  const client = useQueryClient();
  const before = [...read.before];
  const call = (dryRun: boolean, signal?: AbortSignal) =>
    callEndpoint(setSchedule, {
      ...{ params: { id: quiz.id }, body: { rules, dryRun, before } },
      ...(signal && { signal }),
    });
  const trial = useQuery({
    queryKey: ['schedule', quiz.id, rules, before],
    queryFn: ({ signal }) => call(true, signal),
    gcTime: 0,
  });
  const refused = useEffectEvent((error: unknown) => {
    if (!read.refused(error)) onRefused(error);
  });
  useEffect(() => {
    if (trial.error) refused(trial.error);
  }, [trial.error]);
  const form = useForm<Values>({ defaultValues: { rules } });
  const theirs = read.theirs?.stored;
  return (
    <FormDialog
      form={form}
      stale={{
        ...{ what: 'schedule', read, wordsOf },
        valuesIn: (stored: Rule[]) => ({ rules: stored }),
        onTakeTheirs: () => {
          if (theirs) onSaved(theirs);
          onClose();
        },
      }}
      title={t('assessment.schedule.effect', 'Whose times change')}
      description={t(
        'assessment.schedule.effect.about',
        'Those who wait are told at once. An attempt in progress is never shortened.',
      )}
      submitLabel={t(/* a button */ 'portal.save', 'Save')}
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('assessment.schedule.failed', 'Failed to save the times')}
      unavailable={trial.isSuccess ? undefined : trial.isError ? notChecked() : checking()}
      onClose={onClose}
      onSubmit={async () => {
        await call(false);
        // The assessment, its invitations and what the overview shows of it.
        void client.invalidateQueries({ queryKey: ['api', 'quizzes'] });
        onSaved(rules);
        return {
          title: t('assessment.schedule.saved', 'Times saved'),
          description: quiz.title,
        };
      }}
    >
      {theirs === undefined && <Effect trial={trial} />}
    </FormDialog>
  );
}

const checking = () => t('assessment.schedule.checking', 'Checking whose times change…');
const notChecked = () => t('assessment.schedule.notChecked', 'Could not check whose times change');

/** Rules as people read them, to compare two versions. */
const wordsOf = ({ rules }: Values): Record<string, string> => ({
  [t(/* rules in their order */ 'assessment.schedule.order', 'Order')]: listText(
    rules.map(({ group }) => isolated(group)),
    'unit',
  ),
  ...Object.fromEntries(rules.map((rule) => [rule.group, ruleText(rule)])),
});

function Effect({ trial }: { trial: UseQueryResult<Trial> }) {
  if (trial.isError) return <LoadFailure title={notChecked()} read={trial} />;
  if (trial.isPending) return <p role="status">{checking()}</p>;
  const { changed, underWay, changes } = trial.data;
  return (
    <div className="grid gap-2">
      <p role="status">{effectSentence(changed, underWay)}</p>
      {changes.length > 0 && (
        <ul
          aria-label={t(
            /* a list of people */ 'assessment.schedule.effect.list',
            'People with other times',
          )}
          className="max-h-80 overflow-y-auto rounded-lg border border-line"
        >
          {changes.map(({ invitationId, email, userName, isUnderWay, ...change }) => (
            <li
              key={invitationId}
              className="grid gap-0.5 border-b border-line px-4 py-2 last:border-b-0"
            >
              <span className="font-medium wrap-anywhere">
                {isolated(userName ?? email ?? unknownText())}
              </span>
              <Differences {...change} />
              {isUnderWay && (
                <span className="text-sm text-warn-ink">
                  {t(
                    /* a candidate */ 'assessment.schedule.effect.running',
                    'Is taking the assessment. The attempt keeps its end.',
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {changed > changes.length && (
        <p className="text-sm text-ink-3">{morePeopleText(changed - changes.length)}</p>
      )}
    </div>
  );
}

/** The times that differ, before and after. */
function Differences({ before, after }: Pick<Trial['changes'][number], 'before' | 'after'>) {
  const [was, is] = [timesWords(before), timesWords(after)];
  const rows = (['opensAt', 'endDate', 'startBy', 'duration', 'attempts'] as const).flatMap(
    (name): [string, ReactNode][] =>
      was[name].words === is[name].words
        ? []
        : [
            [
              is[name].label,
              <>
                {was[name].words}{' '}
                <span aria-hidden="true" className="points-on">
                  →
                </span>{' '}
                {is[name].words}
              </>,
            ],
          ],
  );
  return (
    <dl className="grid text-sm text-ink-2">
      {rows.map(([label, words]) => (
        <div key={label}>
          <dt className="inline">{label}: </dt>
          <dd className="inline">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function effectSentence(changed: number, underWay: number): string {
  if (changed === 0) return t('assessment.schedule.effect.none', 'No one’s times change.');
  const all = t(
    'assessment.schedule.effect.people',
    '{changed, plural, one {# person gets other times.} other {# people get other times.}}',
    { changed },
  );
  if (underWay === 0) return all;
  const running = t(
    /* of the people who get other times */ 'assessment.schedule.effect.underWay',
    '{underWay, plural, one {# of them is taking the assessment and keeps the end of the attempt.} other {# of them are taking the assessment and keep the end of their attempts.}}',
    { underWay },
  );
  return `${all} ${running}`;
}

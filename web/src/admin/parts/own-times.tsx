import { TimeRule, type Times } from '@invigil/core/contract/assessments/schedule';
import { figureText } from '@invigil/core/domain/locale';
import type { TimeRule as Rule } from '@invigil/core/domain/schedule';
import { minutesText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import type { FieldValues, Path, Resolver, UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { formatDateTime, zoneName } from '../../lib/format.ts';
import { asTyped, instantOf, localInputOf } from '../../lib/local-input.ts';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { fieldIn } from './dialogs.tsx';
import { timeProblemText } from './time-problem.ts';

/** Times in place of those of an assessment, as they are typed. */
export interface OwnTimesValues {
  hasWindow: boolean;
  /** The times as `datetime-local` fields have them, in the reader's zone. */
  opensAt: string;
  endDate: string;
  startBy: string;
  minutes: string;
  attempts: string;
}

export const ownTimesValuesOf = (rule: Rule | null): OwnTimesValues => ({
  hasWindow: rule?.window !== undefined,
  opensAt: inputOf(rule?.window?.opensAt),
  endDate: inputOf(rule?.window?.endDate),
  startBy: inputOf(rule?.window?.startBy),
  minutes: String(rule?.minutes ?? ''),
  attempts: String(rule?.attempts ?? ''),
});

const inputOf = (at: string | null | undefined) => (at == null ? '' : localInputOf(at));

/**
 * Reads typed times, with each problem at its field; null: there are none.
 *
 * @param known the times that the form was filled with: the fields have whole minutes, and what was not changed
 *   keeps its seconds
 */
export const ownTimesIn = (known: Rule | null, { areNeeded = false } = {}) =>
  z
    .object({
      hasWindow: z.boolean(),
      opensAt: z.string(),
      endDate: z.string(),
      startBy: z.string(),
      minutes: z.string(),
      attempts: z.string(),
    })
    .transform((typed, ctx): Rule | null => {
      const shown = ownTimesValuesOf(known);
      const { hasWindow, minutes, attempts } = typed;
      const isSame = (name: keyof OwnTimesValues) => typed[name] === shown[name];
      if (known && isSame('hasWindow') && isSame('minutes') && isSame('attempts')) {
        const isSameWindow = isSame('opensAt') && isSame('endDate') && isSame('startBy');
        if (!hasWindow || isSameWindow) return known;
      }
      const isEmpty = !hasWindow && minutes.trim() === '' && attempts.trim() === '';
      if (!areNeeded && isEmpty) return null;
      const problems: { path: PropertyKey[]; message: string }[] = [];
      const momentIn = (name: 'opensAt' | 'endDate' | 'startBy') => {
        if (typed[name] === '') return null;
        const at = isSame(name) ? known?.window?.[name] : instantOf(typed[name]);
        if (at != null) return at;
        problems.push({ path: [name], message: timeProblemText(typed[name]) });
        return null;
      };
      const read = TimeRule.safeParse({
        ...(hasWindow
          ? {
              window: {
                ...{ opensAt: momentIn('opensAt'), endDate: momentIn('endDate') },
                ...(typed.startBy === '' ? {} : { startBy: momentIn('startBy') }),
              },
            }
          : {}),
        ...(minutes.trim() === '' ? {} : { minutes: Number(minutes) }),
        ...(attempts.trim() === '' ? {} : { attempts: Number(attempts) }),
      });
      if (read.success && problems.length === 0) return read.data;
      for (const { path, message } of [...problems, ...(read.error?.issues ?? [])]) {
        const [field = 'minutes'] = path.filter((part) => part !== 'window');
        ctx.addIssue({ code: 'custom', path: [field], message });
      }
      return z.NEVER;
    });

/** A resolver that knows of partly typed dates of `ownTimes`. */
export const withOwnTimes =
  <V extends FieldValues & { ownTimes: OwnTimesValues }, C, B>(
    resolver: Resolver<V, C, B>,
  ): Resolver<V, C, B> =>
  (values, context, options) => {
    const fields: unknown = options.fields.ownTimes;
    const ownTimes = asTyped(values.ownTimes, fields as Parameters<typeof asTyped>[1]);
    return resolver({ ...values, ownTimes }, context, options);
  };

const FIELDS = {
  window: () => t(/* a checkbox */ 'portal.ownWindow', 'Own times to open and end'),
  opensAt: () => t(/* when an assessment does; a field */ 'assessment.opens.label', 'Opens'),
  endDate: () => t(/* a field */ 'assessment.endDate.label', 'End Date'),
  startBy: () => startByText(),
  minutes: () => t(/* a field */ 'assessment.duration.label', 'Duration (minutes)'),
  attempts: () =>
    t(/* the most of each candidate; a field */ 'assessment.attempts.label', 'Attempts per person'),
};

/** Typed times in words, to compare two versions. */
export const ownTimesWords = (values: OwnTimesValues): Record<string, string> => ({
  [FIELDS.opensAt()]: values.hasWindow ? momentWords(instantOf(values.opensAt), atOnceText()) : '',
  [FIELDS.endDate()]: values.hasWindow
    ? momentWords(instantOf(values.endDate), noEndDateText())
    : '',
  [FIELDS.startBy()]:
    values.hasWindow && values.startBy !== '' ? momentWords(instantOf(values.startBy), '') : '',
  [FIELDS.minutes()]: values.minutes,
  [FIELDS.attempts()]: values.attempts,
});

const momentWords = (at: string | null, none: string) => (at === null ? none : formatDateTime(at));

/** Names the latest time to start. */
export const startByText = (): string =>
  t(/* label of a time: the latest to start an assessment */ 'startBy.label', 'Start by');

/** Stands in the place of an opening. */
export const atOnceText = (): string =>
  t(/* in the place of the time when an assessment opens */ 'assessment.times.atOnce', 'At once');

/** Stands in the place of an end date. */
export const noEndDateText = (): string =>
  t(/* not applicable, short: there is no end date */ 'assessments.noEndDate', 'N/A');

/** Stands in the place of a latest start. */
const untilEndText = (): string =>
  t(/* in the place of the latest time to start an assessment */ 'startBy.none', 'until the end');

/** Says beside the times of an assessment that they are not everyone's. */
export const otherTimesText = (groups: number): string =>
  t(
    /* than those of the assessment */ 'portal.otherTimes',
    '{groups, plural, one {# group has other times} other {# groups have other times}}',
    { groups },
  );

/** Times as labelled words: those of which two differ are compared. */
export function timesWords({
  opensAt,
  endDate,
  startBy,
  duration,
  attempts = 1,
}: Omit<Times, 'startBy'> & { startBy?: string | null | undefined }) {
  return {
    opensAt: {
      label: t(/* when an assessment does */ 'assessment.times.opens', 'Opens'),
      words: momentWords(opensAt, atOnceText()),
    },
    endDate: {
      label: t('assessment.times.endDate', 'End date'),
      words: momentWords(endDate, noEndDateText()),
    },
    startBy: {
      label: startByText(),
      words: startBy == null ? untilEndText() : formatDateTime(startBy),
    },
    duration: { label: t('portal.duration', 'Duration'), words: minutesText(duration * 60_000) },
    attempts: { label: FIELDS.attempts(), words: figureText(attempts) },
  };
}

/** Fields for other times than those of an assessment, with its minutes in a hint. */
export function OwnTimesFields<V extends FieldValues & { ownTimes: OwnTimesValues }, C, B>({
  form,
  minutesHint,
}: {
  form: UseFormReturn<V, C, B>;
  /** The minutes that count without own ones. */
  minutesHint: string;
}) {
  const at = (name: keyof OwnTimesValues) => `ownTimes.${name}` as Path<V>;
  const hasWindow = form.watch(at('hasWindow'));
  return (
    <>
      <Checkbox
        label={FIELDS.window()}
        hint={t(
          /* they: the times of the assessment to open and end */ 'portal.ownWindow.hint',
          'They replace the times of the assessment.',
        )}
        {...form.register(at('hasWindow'))}
      />
      {hasWindow && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={FIELDS.opensAt()}
            type="datetime-local"
            optional
            hint={t(
              /* it: this time */ 'assessment.opens.hint',
              'Before it no one can start. Empty: open at once.',
            )}
            {...fieldIn(form, at('opensAt'))}
          />
          <TextField
            label={FIELDS.endDate()}
            type="datetime-local"
            optional
            hint={t(
              /* zone: “Europe/London” */ 'portal.ownWindow.zone',
              'Empty: no end. Your local time, {zone}',
              { zone: zoneName() },
            )}
            {...fieldIn(form, at('endDate'))}
          />
          <TextField
            label={FIELDS.startBy()}
            type="datetime-local"
            optional
            hint={t(
              /* of the latest time to start */ 'portal.ownStartBy.hint',
              'After it no one can start. Empty: until the end.',
            )}
            {...fieldIn(form, at('startBy'))}
          />
        </div>
      )}
      <TextField
        label={FIELDS.minutes()}
        type="number"
        inputMode="numeric"
        optional
        className="max-w-60"
        hint={minutesHint}
        {...fieldIn(form, at('minutes'))}
      />
      <TextField
        label={FIELDS.attempts()}
        type="number"
        inputMode="numeric"
        optional
        className="max-w-60"
        hint={t(
          /* the number of attempts */ 'portal.ownAttempts.hint',
          'Empty: as in the assessment',
        )}
        {...fieldIn(form, at('attempts'))}
      />
    </>
  );
}

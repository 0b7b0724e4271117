import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { CreateQuizBody, UpdateQuizBody } from '@invigil/core/contract/assessments/quizzes';
import { STARTS_OUTSIDE, startsWithin } from '@invigil/core/contract/assessments/schedule';
import { QUIZ_LIMITS } from '@invigil/core/domain/limits';
import { type Counting, ONCE } from '@invigil/core/domain/retakes';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { t } from '@invigil/core/texts/i18n';
import { isLanguage } from '@invigil/core/texts/languages';
import { useRef } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { asTyped, instantOf, localInputOf, UNREADABLE_DATE } from '../../../lib/local-input.ts';
import { toast } from '../../../ui/toast.ts';
import {
  POLICY_NUMBERS,
  type PolicyFormValues,
  type PolicyProblems,
  policyFormOf,
  type ValidatedPolicy,
  validatePolicy,
} from '../../parts/policy-form.ts';
import { timeProblemText } from '../../parts/time-problem.ts';

export interface QuizFormValues {
  title: string;
  description: string;
  categoryId: string;
  duration: string;
  totalQuestions: string;
  /** The times as `datetime-local` fields have them, in the reader's zone; or `UNREADABLE_DATE` */
  opensAt: string;
  endDate: string;
  startBy: string;
  startTogether: 'each' | 'time' | 'button';
  lateMinutes: string;
  finishAfterEnd: boolean;
  closingMail: boolean;
  /** The most attempts of each person; 1: once only. */
  attempts: string;
  /** Between an end and the next start. */
  wait: string;
  waitUnit: WaitUnit;
  counts: Counting;
  /** Hours, or `NO_REMINDER` */
  remindBeforeOpening: string;
  remindBeforeEnd: string;
  /** Tags, the first for who prefers none; empty: the institution's first; `NO_LANGUAGES`: again the institution's */
  languages: string;
  status: 'active' | 'inactive';
  policy: PolicyFormValues;
}

/** Minutes of each unit of a wait. */
export const WAIT_UNITS = { minutes: 1, hours: 60, days: 1_440 } as const;
export type WaitUnit = keyof typeof WAIT_UNITS;

/** A rule for retakes as the form has it: the wait in the largest unit that fits. */
function retakesFormOf(rule: Quiz['retakes']) {
  const { attempts, waitMinutes, counts } = rule ?? { ...ONCE, counts: 'best' };
  const units = ['days', 'hours'] as const;
  const waitUnit =
    units.find((unit) => waitMinutes > 0 && waitMinutes % WAIT_UNITS[unit] === 0) ?? 'minutes';
  return {
    attempts: String(attempts),
    ...{ wait: String(waitMinutes / WAIT_UNITS[waitUnit]), waitUnit: waitUnit as WaitUnit, counts },
  };
}

/** Whether the assessment can be taken again, so that its rule is asked for. */
export const isRepeated = ({ attempts }: Pick<QuizFormValues, 'attempts'>): boolean =>
  attempts.trim() !== '1';

const retakesIn = ({ attempts, wait, waitUnit, counts }: QuizFormValues) => ({
  attempts,
  waitMinutes: wait.trim() === '' ? 0 : Number(wait) * WAIT_UNITS[waitUnit],
  counts,
});

export type QuizField = Exclude<keyof QuizFormValues, 'policy'>;
type QuizFormProblems = Partial<Record<QuizField, string>> & { policy?: PolicyProblems };

export const QUIZ_FORM_MESSAGES = {
  invalid: () =>
    t(
      'assessment.problem.invalid',
      'Validation Error: Please fill in all required fields with valid values.',
    ),
  duration: () => t('assessment.problem.duration', 'Duration must be a valid number.'),
  totalQuestions: () =>
    t(
      /* Total Questions: the field */ 'assessment.problem.totalQuestions',
      'Total Questions must be a valid number.',
    ),
  noEndDate: () => t('assessment.problem.noEndDate', 'Select an end date'),
  badEndDate: timeProblemText,
  pastEndDate: () =>
    t('assessment.problem.pastEndDate', 'This time has passed. Select a later one'),
  lateOpening: () => t('assessment.problem.lateOpening', 'Select a time before the end date'),
  noOpening: () =>
    t(
      /* all who take the assessment start together when it opens */ 'assessment.problem.noOpening',
      'Select when it opens: everyone starts together then',
    ),
} as const;

/** An assessment that has set languages is to follow the institution again. */
export const NO_LANGUAGES = '-';
/** Stands in the place of the hours of a reminder. */
export const NO_REMINDER = 'none';
/** Hours that can be selected. */
export const REMINDER_HOURS = [1, 3, 6, 12, 24, 48, 72, 168, 336].map(String);

export const remindBeforeOpeningLabel = (): string =>
  t(/* a field: an email */ 'assessment.reminder.opening', 'Reminder before the opening');
export const remindBeforeEndLabel = (): string =>
  t(/* a field: an email */ 'assessment.reminder.end', 'Reminder before the end');

/** When a reminder is sent, from the value of its field. */
export function reminderText(value: string): string {
  const hours = Number(value);
  if (Number.isNaN(hours)) return t(/* by email */ 'assessment.reminder.none', 'No reminder');
  return hours % 24 === 0
    ? t('assessment.reminder.days', '{days, plural, one {# day before} other {# days before}}', {
        days: hours / 24,
      })
    : t(
        'assessment.reminder.hours',
        '{hours, plural, one {# hour before} other {# hours before}}',
        {
          hours,
        },
      );
}

/** After every date. */
const NO_END = '~';

export const NEW_QUIZ: QuizFormValues = {
  title: '',
  description: '',
  categoryId: '',
  duration: String(QUIZ_LIMITS.durationDefaultMinutes),
  totalQuestions: '',
  opensAt: '',
  endDate: '',
  startBy: '',
  startTogether: 'each',
  lateMinutes: String(QUIZ_LIMITS.lateDefaultMinutes),
  finishAfterEnd: false,
  closingMail: true,
  ...retakesFormOf(undefined),
  remindBeforeOpening: NO_REMINDER,
  remindBeforeEnd: NO_REMINDER,
  languages: '',
  status: 'active',
  policy: policyFormOf(STRICT_POLICY),
};

/** Whether candidates could start for longer than before, by the values of the form and those it was filled from. */
export function opensLonger(
  before: Pick<QuizFormValues, 'status' | 'endDate'>,
  after: Pick<QuizFormValues, 'status' | 'endDate'>,
  now = localInputOf(new Date().toISOString()),
): boolean {
  // The texts of the field are in the order of their times.
  const until = ({ status, endDate }: typeof before) =>
    status === 'inactive' ? '' : endDate || NO_END;
  if (after.endDate === UNREADABLE_DATE) return false;
  return until(after) > until(before) && until(after) > now;
}

export function quizFormValuesOf(quiz: Quiz): QuizFormValues {
  return {
    title: quiz.title,
    description: quiz.description ?? '',
    categoryId: quiz.categoryId,
    duration: String(quiz.duration),
    totalQuestions: String(quiz.totalQuestions),
    opensAt: inputOf(quiz.opensAt),
    endDate: inputOf(quiz.endDate),
    startBy: inputOf(quiz.startBy),
    startTogether: quiz.startTogether?.by ?? 'each',
    lateMinutes: String(quiz.startTogether?.lateMinutes ?? QUIZ_LIMITS.lateDefaultMinutes),
    finishAfterEnd: quiz.finishAfterEnd,
    closingMail: quiz.closingMail,
    ...retakesFormOf(quiz.retakes),
    remindBeforeOpening: String(quiz.reminders?.beforeOpening ?? NO_REMINDER),
    remindBeforeEnd: String(quiz.reminders?.beforeEnd ?? NO_REMINDER),
    languages: quiz.languages?.join(' ') ?? '',
    status: quiz.isActive ? 'active' : 'inactive',
    policy: policyFormOf(quiz.policy),
  };
}

const inputOf = (at: string | null | undefined) => (at == null ? '' : localInputOf(at));

type ValidatedQuizForm<B> =
  | { ok: true; body: B }
  | { ok: false; problems: QuizFormProblems; sentence: string };

/** A new assessment: everything except the description is required (specification 5). */
export function validateNewQuiz(
  values: QuizFormValues,
  now = Date.now(),
): ValidatedQuizForm<z.output<typeof CreateQuizBody>> {
  const policy = validatePolicy(values.policy);
  const problems = {
    ...dateProblem(values, true, now),
    ...openingProblem(values),
    ...startByProblem(values),
    ...policyProblem(policy),
  };
  const parsed = CreateQuizBody.safeParse({
    ...bodyOf(values, policy),
    ...(values.opensAt === '' ? {} : { opensAt: momentOf(values.opensAt) }),
    ...(values.startBy === '' ? {} : { startBy: momentOf(values.startBy) }),
    isActive: true,
  });
  if (parsed.success && Object.keys(problems).length === 0) return { ok: true, body: parsed.data };
  return {
    ok: false,
    problems: { ...problemsOf(parsed.error), ...problems },
    sentence: QUIZ_FORM_MESSAGES.invalid(),
  };
}

/**
 * A changed assessment: the end date is optional, and the two numbers have their own sentences.
 *
 * @param base the version to replace, and the form's initial times: if unedited, they are sent
 *   unchanged. The fields have whole minutes of local time, which would change an end of 23:59:59, or
 *   one in an hour repeated by daylight saving.
 */
export function validateChangedQuiz(
  values: QuizFormValues,
  base: Pick<Quiz, 'version' | 'opensAt' | 'endDate' | 'startBy' | 'startTogether' | 'retakes'>,
  now = Date.now(),
): ValidatedQuizForm<z.output<typeof UpdateQuizBody>> {
  const policy = validatePolicy(values.policy);
  const isSameEnd = values.endDate === inputOf(base.endDate);
  const problems: QuizFormProblems = {
    // An ended assessment may keep its end date while other fields change.
    ...(isSameEnd ? {} : dateProblem(values, false, now)),
    ...openingProblem(values),
    ...startByProblem(values),
    ...policyProblem(policy),
  };
  if (!isNumber(values.duration)) problems.duration = QUIZ_FORM_MESSAGES.duration();
  if (!isNumber(values.totalQuestions)) {
    problems.totalQuestions = QUIZ_FORM_MESSAGES.totalQuestions();
  }
  const parsed = UpdateQuizBody.safeParse({
    ...bodyOf(values, policy),
    ...(isSameEnd ? { endDate: base.endDate } : {}),
    ...(values.startTogether === 'each' && base.startTogether ? { startTogether: null } : {}),
    // An opening time that was not typed keeps its seconds; it is sent even so, for "Save my version" over
    // another one.
    opensAt:
      values.opensAt === inputOf(base.opensAt) ? (base.opensAt ?? null) : momentOf(values.opensAt),
    ...(base.retakes ? { retakes: retakesIn(values) } : {}),
    startBy:
      values.startBy === inputOf(base.startBy) ? (base.startBy ?? null) : momentOf(values.startBy),
    isActive: values.status === 'active',
    version: base.version,
  });
  if (parsed.success && Object.keys(problems).length === 0) return { ok: true, body: parsed.data };
  const all = { ...problemsOf(parsed.error), ...problems };
  const sentence =
    all.title === undefined && all.categoryId === undefined
      ? (problems.duration ?? problems.totalQuestions ?? QUIZ_FORM_MESSAGES.invalid())
      : QUIZ_FORM_MESSAGES.invalid();
  return { ok: false, problems: all, sentence };
}

function bodyOf(values: QuizFormValues, policy: ValidatedPolicy) {
  return {
    title: values.title,
    description: values.description.trim() === '' ? null : values.description,
    categoryId: values.categoryId,
    duration: values.duration,
    totalQuestions: values.totalQuestions,
    endDate: momentOf(values.endDate),
    ...(values.startTogether === 'each'
      ? {}
      : { startTogether: { by: values.startTogether, lateMinutes: values.lateMinutes } }),
    finishAfterEnd: values.finishAfterEnd,
    closingMail: values.closingMail,
    ...(isRepeated(values) ? { retakes: retakesIn(values) } : {}),
    reminders: remindersIn(values),
    ...(values.languages === '' ? {} : { languages: languagesIn(values.languages) }),
    ...(policy.ok ? { policy: policy.settings } : {}),
  };
}

function remindersIn({ remindBeforeOpening, remindBeforeEnd }: QuizFormValues) {
  const hoursIn = (value: string) => (value === NO_REMINDER ? null : Number(value));
  const reminders = {
    beforeOpening: hoursIn(remindBeforeOpening),
    beforeEnd: hoursIn(remindBeforeEnd),
  };
  return reminders.beforeOpening === null && reminders.beforeEnd === null ? null : reminders;
}

const languagesIn = (chosen: string) =>
  chosen === NO_LANGUAGES ? null : chosen.split(' ').filter(isLanguage);

const momentOf = (input: string) => (input === '' ? null : instantOf(input));

const policyProblem = (policy: ValidatedPolicy): QuizFormProblems =>
  policy.ok ? {} : { policy: policy.problems };

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

function dateProblem({ endDate }: QuizFormValues, needed: boolean, now: number): QuizFormProblems {
  if (endDate === '') return needed ? { endDate: QUIZ_FORM_MESSAGES.noEndDate() } : {};
  const instant = instantOf(endDate);
  if (instant === null) return { endDate: QUIZ_FORM_MESSAGES.badEndDate(endDate) };
  return Date.parse(instant) <= now ? { endDate: QUIZ_FORM_MESSAGES.pastEndDate() } : {};
}

function openingProblem({ opensAt, endDate, startTogether }: QuizFormValues): QuizFormProblems {
  if (opensAt === '') {
    return startTogether === 'time' ? { opensAt: QUIZ_FORM_MESSAGES.noOpening() } : {};
  }
  const opens = instantOf(opensAt);
  if (opens === null) return { opensAt: QUIZ_FORM_MESSAGES.badEndDate(opensAt) };
  const ends = instantOf(endDate);
  return ends !== null && opens >= ends ? { opensAt: QUIZ_FORM_MESSAGES.lateOpening() } : {};
}

/** A latest start is after the opening and not after the end, as the server has it. */
function startByProblem({ opensAt, endDate, startBy }: QuizFormValues): QuizFormProblems {
  if (startBy === '') return {};
  const times = {
    opensAt: instantOf(opensAt),
    endDate: instantOf(endDate),
    startBy: instantOf(startBy),
  };
  if (times.startBy === null) return { startBy: QUIZ_FORM_MESSAGES.badEndDate(startBy) };
  return startsWithin(times) ? {} : { startBy: STARTS_OUTSIDE.error() };
}

function problemsOf(error: z.ZodError | undefined): QuizFormProblems {
  const problems: QuizFormProblems = {};
  for (const issue of error?.issues ?? []) {
    const [first, part] = issue.path;
    const name = first === 'retakes' && part === 'waitMinutes' ? 'wait' : part;
    const field = FIELDS.find((known) => known === name) ?? FIELDS.find((known) => known === first);
    if (field !== undefined) problems[field] ??= issue.message;
  }
  return problems;
}

export const FIELDS = [
  'title',
  'description',
  'categoryId',
  'duration',
  'totalQuestions',
  'opensAt',
  'endDate',
  'startBy',
  'startTogether',
  'lateMinutes',
  'finishAfterEnd',
  'closingMail',
  'attempts',
  'wait',
  'waitUnit',
  'counts',
  'remindBeforeOpening',
  'remindBeforeEnd',
  'languages',
  'status',
] as const satisfies readonly QuizField[];

/**
 * The form of an assessment. Errors are shown at their fields; the specification's sentence for the form is a
 * toast on submit.
 */
export function useQuizForm<B>(
  defaultValues: QuizFormValues,
  validate: (values: QuizFormValues) => ValidatedQuizForm<B>,
) {
  const validated = useRef<ValidatedQuizForm<B>>(null);
  const resolver: Resolver<QuizFormValues> = (values, _context, { fields }) => {
    validated.current = validate(asTyped(values, fields));
    return errorsOf(values, validated.current);
  };
  const form = useForm<QuizFormValues>({ defaultValues, resolver });
  const sayInvalid = () => {
    if (validated.current?.ok === false) {
      toast({ title: validated.current.sentence, variant: 'destructive' });
    }
  };
  return { form, sayInvalid };
}

function errorsOf<B>(values: QuizFormValues, validated: ValidatedQuizForm<B>) {
  if (validated.ok) return { values, errors: {} };
  const errors: FieldErrors<QuizFormValues> = {};
  for (const field of FIELDS) {
    const message = validated.problems[field];
    if (message !== undefined) errors[field] = { type: 'validate', message };
  }
  for (const field of POLICY_NUMBERS) {
    const message = validated.problems.policy?.[field];
    if (message === undefined) continue;
    errors.policy = { ...errors.policy, [field]: { type: 'validate', message } };
  }
  return { values: {}, errors };
}

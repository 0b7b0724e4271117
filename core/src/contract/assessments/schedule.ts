import { z } from 'zod';
import { PEOPLE_LIMITS, QUIZ_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { classified, KnownPerson, PersonEmail } from '../definition/classified.ts';
import { endpoint, Instant, Moment, whole } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';

/** The minutes of an assessment, or of a rule. */
export const Minutes = whole(QUIZ_LIMITS.durationMinMinutes, QUIZ_LIMITS.durationMaxMinutes, () =>
  t(
    'field.duration',
    '{max, plural, one {Duration must be {min} to {max} minute} other {Duration must be {min} to {max} minutes}}',
    { min: QUIZ_LIMITS.durationMinMinutes, max: QUIZ_LIMITS.durationMaxMinutes },
  ),
);

/** The most attempts of each person, of an assessment or a rule. */
export const Attempts = whole(1, QUIZ_LIMITS.attemptsMax, () =>
  t('field.attempts', 'Attempts must be {min} to {max}', {
    min: 1,
    max: QUIZ_LIMITS.attemptsMax,
  }),
);

/** Whether an opening is before an end; true where there are not both. */
export const opensBeforeEnd = (times: {
  opensAt?: string | null | undefined;
  endDate?: string | null | undefined;
}): boolean =>
  times.opensAt == null ||
  times.endDate == null ||
  Date.parse(times.opensAt) < Date.parse(times.endDate);

export const OPENS_TOO_LATE = {
  path: ['opensAt'],
  error: () =>
    t(/* of the opening */ 'server.quiz.opensTooLate', 'Select a time before the end date'),
};

const ReminderHours = whole(1, QUIZ_LIMITS.reminderMaxHours, () =>
  t(
    /* before an opening or an end */ 'field.reminderHours',
    '{max, plural, one {Enter {min} to {max} hour} other {Enter {min} to {max} hours}}',
    { min: 1, max: QUIZ_LIMITS.reminderMaxHours },
  ),
).nullable();

/** Hours before the opening and the end of each person at which those who have not begun get an email; null: none. */
export const Reminders = z.object({ beforeOpening: ReminderHours, beforeEnd: ReminderHours });

/** Whether a latest start is after the opening and not after the end; true where there is none. */
export const startsWithin = (times: {
  opensAt?: string | null | undefined;
  endDate?: string | null | undefined;
  startBy?: string | null | undefined;
}): boolean => {
  if (times.startBy == null) return true;
  const startBy = Date.parse(times.startBy);
  return (
    (times.opensAt == null || Date.parse(times.opensAt) < startBy) &&
    (times.endDate == null || startBy <= Date.parse(times.endDate))
  );
};

export const STARTS_OUTSIDE = {
  path: ['startBy'],
  error: () =>
    t(
      /* of the latest time to start an assessment */ 'server.quiz.startByOutside',
      'Select a time after the opening and not after the end date',
    ),
};

/** Own times of a person, or of the people in a group; null: at once, or no end. */
const Window = z
  .object({
    opensAt: Moment.nullable(),
    endDate: Moment.nullable(),
    /** The latest start; null or absent: until the end. */
    startBy: Moment.nullable().optional(),
  })
  .refine(opensBeforeEnd, OPENS_TOO_LATE)
  .refine(startsWithin, STARTS_OUTSIDE);

const hasTimes = (rule: { window?: unknown; minutes?: unknown; attempts?: unknown }) =>
  rule.window !== undefined || rule.minutes !== undefined || rule.attempts !== undefined;

const EMPTY = {
  error: () =>
    t(
      /* a rule has at least one of them */ 'field.ownRule',
      'Enter other times, another duration or a number of attempts',
    ),
};

/** An opening and end, minutes, attempts, or several of them, in place of the assessment's. */
export const TimeRule = z
  .object({
    window: Window.optional(),
    minutes: Minutes.optional(),
    attempts: Attempts.optional(),
  })
  .refine(hasTimes, EMPTY);

const max = PEOPLE_LIMITS.textMaxCharacters;
const groupName = { error: () => t('field.group', 'Select a group') };

export const GroupTimeRule = z
  .object({
    group: z.string(groupName).trim().min(1, groupName).max(max, atMostCharacters(max)),
    window: Window.optional(),
    minutes: Minutes.optional(),
    attempts: Attempts.optional(),
  })
  .refine(hasTimes, EMPTY);

const known = {
  window: z
    .object({
      opensAt: Instant.nullable(),
      endDate: Instant.nullable(),
      startBy: Instant.nullable().optional(),
    })
    .optional(),
  minutes: z.int().optional(),
  attempts: z.int().optional(),
};

/** A rule as answers have it. */
export const KnownTimeRule = z.object(known);

export const GroupTimeRules = z
  .array(GroupTimeRule)
  .max(QUIZ_LIMITS.timeRulesMax)
  .superRefine((rules, ctx) => {
    for (const [i, { group }] of rules.entries()) {
      if (rules.findIndex((other) => other.group === group) === i) continue;
      const message = t('field.groupTwice', 'This group has a rule already');
      ctx.addIssue({ code: 'custom', path: [i, 'group'], message });
    }
  });

/** The times of one person. */
export const Times = z.object({
  opensAt: Instant.nullable(),
  endDate: Instant.nullable(),
  /** The latest start; absent: until the end. */
  startBy: Instant.optional(),
  /** Minutes, before extra time. */
  duration: z.int(),
  /** The most attempts; absent: once only. */
  attempts: z.int().optional(),
});
export type Times = z.infer<typeof Times>;

/** Someone with a rule of their own. */
const PersonTimeRule = z.object({
  invitationId: z.string(),
  email: PersonEmail,
  userName: KnownPerson.userName,
  times: KnownTimeRule,
});

const Schedule = z.object({
  /** The nearest first: of several groups of a person the first one counts. */
  rules: z.array(z.object({ group: z.string(), ...known })),
  /** Rules for one person, which are nearer than those for groups; `PUT /api/invitations/:id` changes them. */
  people: z.array(PersonTimeRule),
  /** Groups of invited people, with how many are in each. */
  groups: classified(['person'], z.array(z.object({ group: z.string(), people: z.int() })), []),
});
export type QuizSchedule = z.infer<typeof Schedule>;

export const getSchedule = endpoint('GET /api/quizzes/:id/schedule', ['quiz: quizzes.edit'], {
  summary: 'The rules by which groups and people have other times than the assessment',
  responses: { 200: Schedule },
});

/** Someone whose times a rule changes. */
const TimesChange = z.object({
  invitationId: z.string(),
  email: PersonEmail,
  userName: KnownPerson.userName,
  before: Times,
  after: Times,
  /** Someone is in the middle of an attempt, which keeps its end. */
  isUnderWay: z.boolean(),
});

export const setSchedule = endpoint('PUT /api/quizzes/:id/schedule', ['quiz: quizzes.edit'], {
  audit: 'quiz.schedule_set',
  summary:
    'Set the rules for groups, or with `dryRun` say only whose times would change; attempts under way keep theirs',
  body: z.object({
    rules: GroupTimeRules,
    dryRun: z.boolean({ error: () => t('field.dryRun', 'Say whether it is a dry run') }),
    /** The rules as they were read; if others are stored, the call is STALE. */
    before: z.array(GroupTimeRule).optional(),
  }),
  responses: {
    200: z.object({
      /** People who have not finished and whose times change, and those of them who are in the middle of an attempt, which keeps its end. */
      changed: z.int(),
      underWay: z.int(),
      /** The first of them. */
      changes: z.array(TimesChange),
    }),
  },
  errors: ['STALE'],
});

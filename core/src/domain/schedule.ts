import { ONCE, type RetakeRule } from './retakes.ts';

/** When a person can take an assessment, how long and how often: its own times, or those of a rule. */

export interface Schedule {
  /** No attempt starts before; null: none has to wait. */
  opensAt: Date | null;
  /** No attempt starts from then on; null: no end. */
  endDate: Date | null;
  /** No attempt starts from then on, while those that have may go on until the end; null: the end decides. */
  startBy: Date | null;
  /** Minutes, before extra time. */
  duration: number;
  /** The most attempts; 1: once only. */
  attempts: number;
}

/** The opening, the end and the latest start of a schedule. */
export type Window = Pick<Schedule, 'opensAt' | 'endDate' | 'startBy'>;

/** Times in place of those of the assessment; as ISO 8601, because rules are stored as JSON. */
export interface TimeRule {
  /** The times of the assessment are replaced, also by none; absent: none. */
  window?:
    | { opensAt: string | null; endDate: string | null; startBy?: string | null | undefined }
    | undefined;
  minutes?: number | undefined;
  attempts?: number | undefined;
}

/** A rule as it is stored: with its times in UTC, whose order is that of their texts. */
export function storedRule<Rule extends TimeRule>({ window, ...rule }: Rule): Rule {
  const inUtc = (text: string | null) => text && new Date(text).toISOString();
  const times = window && {
    ...{ opensAt: inUtc(window.opensAt), endDate: inUtc(window.endDate) },
    ...(window.startBy == null ? {} : { startBy: inUtc(window.startBy) }),
  };
  return { ...rule, ...(times ? { window: times } : {}) } as Rule;
}

/** When people are reminded by email: hours before their opening, and before their end if they have not begun. */
export interface Reminders {
  beforeOpening: number | null;
  beforeEnd: number | null;
}

/** The times of everyone in a group. */
export interface GroupTimeRule extends TimeRule {
  group: string;
}

/** The times of an assessment, and its rules; of several groups of a person, the one that stands first. */
export interface TimedQuiz extends Omit<Schedule, 'attempts'> {
  timeRules: readonly GroupTimeRule[] | null;
  /** null: once only. */
  retakes: RetakeRule | null;
}

/** Facts about a person on which their times depend. */
export interface TimedPerson {
  groups: readonly string[];
  /** A rule for this person alone. */
  ownTimes: TimeRule | null;
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

const windowOf = ({ opensAt, endDate, startBy = null }: NonNullable<TimeRule['window']>) => ({
  opensAt: dateOf(opensAt),
  endDate: dateOf(endDate),
  startBy: dateOf(startBy),
});

/** The schedule of an assessment for everyone whom no rule is about. */
export const ownScheduleOf = ({
  opensAt,
  endDate,
  startBy,
  duration,
  retakes,
}: TimedQuiz): Schedule => ({
  ...{ opensAt, endDate, startBy, duration },
  attempts: (retakes ?? ONCE).attempts,
});

/**
 * The times of a person: from the rule nearest to them that has any, else the assessment's. A rule for the person
 * is nearer than one for a group. Window, minutes and attempts are looked for apart, so that a rule may have only
 * one.
 */
export function scheduleOf(quiz: TimedQuiz, { groups, ownTimes }: TimedPerson): Schedule {
  const ofGroups = (quiz.timeRules ?? []).filter(({ group }) => groups.includes(group));
  const rules: readonly TimeRule[] = ownTimes ? [ownTimes, ...ofGroups] : ofGroups;
  const window = rules.find((rule) => rule.window)?.window;
  const minutes = rules.find((rule) => rule.minutes !== undefined)?.minutes;
  const attempts = rules.find((rule) => rule.attempts !== undefined)?.attempts;
  const own = ownScheduleOf(quiz);
  return {
    ...own,
    ...(window ? windowOf(window) : {}),
    duration: minutes ?? own.duration,
    attempts: attempts ?? own.attempts,
  };
}

/** Times as an invitation has them: `duration` and `attempts` null where they are the assessment's. */
export type StoredSchedule = Window & { duration: number | null; attempts: number | null };

/** Whether two schedules are the same to the millisecond. */
export const isSameSchedule = (a: StoredSchedule, b: StoredSchedule): boolean =>
  a.duration === b.duration &&
  a.attempts === b.attempts &&
  a.opensAt?.getTime() === b.opensAt?.getTime() &&
  a.endDate?.getTime() === b.endDate?.getTime() &&
  a.startBy?.getTime() === b.startBy?.getTime();

/** The moment from which no attempt starts; null: there is none. */
export const lastStartOf = ({
  startBy,
  endDate,
}: Pick<Schedule, 'startBy' | 'endDate'>): Date | null => startBy ?? endDate;

/** The time within which someone can start by the assessment or a rule for a group. */
export function widestWindow({ timeRules, ...quiz }: Window & Pick<TimedQuiz, 'timeRules'>) {
  const windows = (timeRules ?? []).flatMap(({ window }) => (window ? [windowOf(window)] : []));
  return windows.reduce(
    (widest, window) => ({
      opensAt: extreme(widest.opensAt, window.opensAt, Math.min),
      endDate: extreme(widest.endDate, window.endDate, Math.max),
      lastStart: extreme(widest.lastStart, lastStartOf(window), Math.max),
    }),
    { opensAt: quiz.opensAt, endDate: quiz.endDate, lastStart: lastStartOf(quiz) },
  );
}

/** The earlier opening or later end; null, which has none, is the widest. */
const extreme = (a: Date | null, b: Date | null, of: typeof Math.min): Date | null =>
  a === null || b === null ? null : new Date(of(a.getTime(), b.getTime()));

/** When all who take an assessment start together: at its opening, or when an invigilator says so. */

export interface StartTogether {
  by: 'time' | 'button';
  /** Minutes after a common start in which those who are late can still start. */
  lateMinutes: number;
}

/** A start that an invigilator gave. It is never taken back. */
export interface GivenStart {
  /** null: for everyone */
  group: string | null;
  /** ISO 8601 in UTC, because starts are stored as JSON. */
  at: string;
}

/** The facts that decide on a common start, of an assessment with the times of one person. */
export interface StartedTogether {
  startTogether: StartTogether | null;
  commonStarts: readonly GivenStart[] | null;
  opensAt: Date | null;
}

/** The common start of one person. */
export interface CommonStart extends StartTogether {
  /** null: has not come */
  startedAt: Date | null;
  /** The end of the time in which those who are late can start. */
  lateUntil: Date | null;
}

const MINUTE_MS = 60_000;

/**
 * The common start of a person in some groups, by the newest start given for everyone or one of them; null: need not
 * wait for others. A given start counts whatever the clock says: that of another process may be a moment behind.
 */
export function commonStartOf(
  { startTogether, commonStarts, opensAt }: StartedTogether,
  groups: readonly string[],
  now: Date,
): CommonStart | null {
  if (startTogether === null || (startTogether.by === 'time' && opensAt === null)) return null;
  const isMine = ({ group }: GivenStart) => group === null || groups.includes(group);
  const given = (commonStarts ?? []).filter(isMine).map(({ at }) => Date.parse(at));
  const startedMs =
    startTogether.by === 'button'
      ? Math.max(...given)
      : opensAt !== null && now >= opensAt
        ? opensAt.getTime()
        : Number.NEGATIVE_INFINITY;
  if (startedMs === Number.NEGATIVE_INFINITY) {
    return { ...startTogether, startedAt: null, lateUntil: null };
  }
  const lateUntil = new Date(startedMs + startTogether.lateMinutes * MINUTE_MS);
  return { ...startTogether, startedAt: new Date(startedMs), lateUntil };
}

/** Whether people in the groups depend on who they are: some of the starts were given for a group. */
export const hasGroupStarts = ({ startTogether, commonStarts }: Omit<StartedTogether, 'opensAt'>) =>
  startTogether?.by === 'button' && (commonStarts ?? []).some(({ group }) => group !== null);

/**
 * Why a new attempt cannot begin now, as far as a common start decides. Only a first attempt can be late: another one
 * was given on purpose.
 */
export function whyNotTogether(
  start: CommonStart | null,
  attempt: number,
  now: Date,
): 'NOT_STARTED_YET' | 'TOO_LATE' | null {
  if (start === null) return null;
  if (start.lateUntil === null) return 'NOT_STARTED_YET';
  return attempt === 1 && now >= start.lateUntil ? 'TOO_LATE' : null;
}

/** The starts given so far with a new one, which replaces an earlier one of the same people. */
export const withStart = (
  starts: readonly GivenStart[] | null,
  given: GivenStart,
): GivenStart[] => [...(starts ?? []).filter(({ group }) => group !== given.group), given];

import type { Account } from '@invigil/core/contract/accounts/auth';
import { minutesWithExtra } from '@invigil/core/domain/attempt';
import { durationText } from '@invigil/core/texts/amounts';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useState } from 'react';
import { formatTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { useSession } from '../../lib/person/session.tsx';

/** The time available to a candidate who starts or continues now. */
export interface TimeAllowed {
  minutes: number;
  /** When the assessment closes, with the time zone, if that leaves less than the full time. */
  closesAt: string | null;
}

const SAMPLE_MS = 5_000;

/**
 * @param sinceMs since the server's response with the time until closing: the device clock may be wrong,
 *   so only elapsed time is used
 */
export function timeAllowed(account: Account, sinceMs: number): TimeAllowed {
  const { quiz, attempt, extraTimeFactor = 1, endsInMs, opensInMs, continuesMs } = account;
  if (attempt?.status === 'in_progress') {
    const leftMs = Math.max(0, attempt.remainingMs - sinceMs);
    return { minutes: Math.floor(leftMs / 60_000), closesAt: null };
  }
  if (continuesMs !== undefined) {
    return { minutes: Math.floor(continuesMs / 60_000), closesAt: null };
  }
  const whole = minutesWithExtra(quiz?.duration ?? 0, extraTimeFactor);
  // Before the opening no time passes that one could have.
  const fromMs = Math.max(sinceMs, opensInMs ?? 0);
  const left = endsInMs === undefined ? Number.POSITIVE_INFINITY : (endsInMs - fromMs) / 60_000;
  const endDate = quiz?.endDate ?? null;
  if (left >= whole || endDate === null) return { minutes: whole, closesAt: null };
  return {
    minutes: Math.max(0, Math.floor(left)),
    closesAt: formatTime(endDate) + zoneText(endDate, account.timeZone),
  };
}

/** Updated every few seconds; the page may be open for long before the start. */
export function useTimeAllowed(account: Account | null): TimeAllowed | null {
  const { receivedAt } = useSession();
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), SAMPLE_MS);
    return () => clearInterval(timer);
  }, []);
  return account && timeAllowed(account, Math.max(0, now - receivedAt));
}

/** 'You will have 6 minutes: this assessment closes at 18:05 (Europe/Berlin).'; `null` if the full time is left. */
export function cutText({ minutes, closesAt }: TimeAllowed): string | null {
  if (closesAt === null) return null;
  return t(
    /* closesAt: a time of day with its time zone */ 'timeAllowed.cut',
    '{minutes, plural, =0 {You will have less than a minute: this assessment closes at {closesAt}.} one {You will have # minute: this assessment closes at {closesAt}.} other {You will have # minutes: this assessment closes at {closesAt}.}}',
    { minutes, closesAt },
  );
}

/** '25 minutes', 'less than a minute' */
export function minutesText(minutes: number): string {
  return minutes === 0
    ? t(/* beside “Time left” or “Duration” */ 'timeAllowed.none', 'less than a minute')
    : durationText(minutes);
}

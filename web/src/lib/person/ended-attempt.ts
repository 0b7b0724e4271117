import { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { z } from 'zod';
import { logProblem } from '../problem-log.ts';

const KEY = 'invigil-ended';

/** `until` by this device's clock, which may be hours off the server's. Milliseconds since 1970. */
const Kept = z.object({ ended: EndedAttempt, until: z.number() });
type Kept = z.infer<typeof Kept>;

let known: Kept | null = null;

/** Keeps an attempt that has just ended for the sign-in page: in this tab, for ten minutes. */
export function keepEnded(ended: EndedAttempt): void {
  keep({ ended, until: Date.now() + VIOLATION_LIMITS.candidateNoteWindowMs });
}

/** The attempt that ended here within the last ten minutes, if nobody has signed in since. */
export function endedHere(): Kept | null {
  known ??= stored();
  return known !== null && Date.now() < known.until ? known : null;
}

/** Runs something that clears this tab's data, except what is kept here. */
export function withEndedKept(clear: () => void): void {
  const kept = endedHere();
  clear();
  if (kept !== null) keep(kept);
}

export function forgetEnded(): void {
  known = null;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Blocked storage holds nothing.
  }
}

function keep(kept: Kept): void {
  known = kept;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch (cause) {
    logProblem('The ended attempt is shown only until the page is reloaded', cause);
  }
}

function stored(): Kept | null {
  try {
    return Kept.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}

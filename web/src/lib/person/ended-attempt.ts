import { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { z } from 'zod';
import { tabKey } from './local-keys.ts';

/** `until` by this device's clock, which may be hours off the server's. Milliseconds since 1970. */
const Kept = z.object({ ended: EndedAttempt, until: z.number() });
type Kept = z.infer<typeof Kept>;
const key = tabKey('invigil-ended', Kept);

let known: Kept | null = null;

/** Keeps an attempt that has just ended for the sign-in page: in this tab, for ten minutes. */
export function keepEnded(ended: EndedAttempt): void {
  keep({ ended, until: Date.now() + VIOLATION_LIMITS.candidateNoteWindowMs });
}

/** The attempt that ended here within the last ten minutes, if nobody has signed in since. */
export function endedHere(): Kept | null {
  known ??= key.read();
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
  key.remove();
}

function keep(kept: Kept): void {
  known = kept;
  key.write(kept);
}

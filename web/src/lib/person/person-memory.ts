import { z } from 'zod';
import { logProblem } from '../problem-log.ts';
import { clearLocalKeys, localKey } from './local-keys.ts';
import { wipeOfflineCopies } from './offline-copies.ts';

/** The person whose data this browser stores; not one of the specification's keys. */
const key = localKey('lastCandidate', z.string());
const forgetting = new Set<() => void>();
let known: string | null = null;

/** Registers cleanup of a module's in-memory state of the candidate. */
export function onForget(forget: () => void): void {
  forgetting.add(forget);
}

/**
 * Clears the page's and the tab's data of a candidate: copies, place, settings, consent, pose.
 * Unacknowledged answers remain, stored per attempt (change-store.ts).
 */
export function forgetPerson(): void {
  known = null;
  clearLocalKeys();
  wipeOfflineCopies();
  try {
    sessionStorage.clear();
  } catch (cause) {
    logProblem('Session storage could not be cleared', cause);
  }
  for (const forget of forgetting) forget();
}

/**
 * Called on sign-in: on a shared machine, clears what the previous candidate left (a closed window, an
 * expired session).
 */
export function meetPerson(userId: string): void {
  if (userId === (known ?? key.read())) {
    known = userId;
    return;
  }
  forgetPerson();
  known = userId;
  key.write(userId);
}

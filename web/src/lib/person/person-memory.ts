import { z } from 'zod';
import { logProblem } from '../problem-log.ts';
import { clearLocalKeys, localKey } from './local-keys.ts';

/** Whose things this browser keeps; ours, beside the seed's keys. */
const key = localKey('lastCandidate', z.string());
const forgetting = new Set<() => void>();
let known: string | null = null;

/** What a module keeps of a candidate while the page lives is forgotten with the rest. */
export function onForget(forget: () => void): void {
  forgetting.add(forget);
}

/**
 * Forgets what this page and this tab keep of a candidate: copies, place, settings, consent, pose.
 * Answers that the server has not acknowledged stay; they lie under their attempt (change-store.ts).
 */
export function forgetPerson(): void {
  known = null;
  clearLocalKeys();
  try {
    sessionStorage.clear();
  } catch (cause) {
    logProblem('What this tab keeps could not be cleared', cause);
  }
  for (const forget of forgetting) forget();
}

/**
 * Someone is signed in: in a hall many sit down at one machine in turn, and what the one before left
 * (closed windows, sessions that ran out) is nothing of theirs.
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

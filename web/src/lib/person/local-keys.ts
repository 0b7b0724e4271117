import { z } from 'zod';
import { logProblem } from '../problem-log.ts';

/** One typed entry of local storage. */
export interface LocalKey<T> {
  readonly name: string;
  /** What is stored, or `null`: nothing there, storage refused, or not readable (logged once, ignored). */
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

const complained = new Set<string>();

function complainOnce(name: string, cause: unknown): void {
  if (complained.has(name)) return;
  complained.add(name);
  logProblem(`Stored data under "${name}" is ignored`, cause);
}

/** A typed entry under a name of the seed's section 3. What is stored is never trusted. */
export function localKey<T>(name: string, schema: z.ZodType<T>): LocalKey<T> {
  return {
    name,
    read() {
      try {
        const text = localStorage.getItem(name);
        return text === null ? null : schema.parse(JSON.parse(text));
      } catch (cause) {
        complainOnce(name, cause);
        return null;
      }
    },
    write(value) {
      try {
        localStorage.setItem(name, JSON.stringify(value));
      } catch (cause) {
        // Full or forbidden storage: these are copies for convenience, nothing depends on them.
        complainOnce(name, cause);
      }
    },
    remove() {
      try {
        localStorage.removeItem(name);
      } catch (cause) {
        complainOnce(name, cause);
      }
    },
  };
}

/** Forgets everything this site stored under local keys (seed: after thank-you, dismissed, expired). */
export function clearLocalKeys(): void {
  try {
    localStorage.clear();
  } catch (cause) {
    complainOnce('*', cause);
  }
}

/** Question id to selected option's text. */
export const quizAnswersKey = localKey('quizAnswers', z.record(z.string(), z.string()));
export const flaggedQuestionsKey = localKey('flaggedQuestions', z.array(z.string()));
export const currentParticipantKey = localKey(
  'currentParticipant',
  z.object({ id: z.string(), startedAt: z.string() }),
);
/** How often each sensor has counted, as the seed names it. */
export const voiceViolationsKey = localKey('voiceViolations', z.int().min(0));
export const faceViolationsKey = localKey('faceViolations', z.int().min(0));
/** milliseconds since 1970 */
export const quizStartTimestampKey = localKey('quizStartTimestamp', z.number());
/** ISO 8601 */
export const quizStartTimeKey = localKey('quizStartTime', z.string());
export const autoSubmittedKey = localKey('autoSubmitted', z.boolean());

/** A copy of the paper's order; the paper itself is the server's (product 4.6). */
export const shuffledOrderKey = (quizId: string, userId: string): LocalKey<string[]> =>
  localKey(`shuffledQuestions_${quizId}_${userId}`, z.array(z.string()));

const CompletionData = z.object({
  status: z.string(),
  /** seconds */
  timeSpent: z.number(),
  answeredCount: z.int(),
  totalQuestions: z.int(),
  violationCount: z.int(),
  submissionType: z.enum(['manual', 'auto', 'dismissed', 'database']),
});
export type CompletionData = z.infer<typeof CompletionData>;
export const completionDataKey = localKey('completionData', CompletionData);

const DismissalContext = z.object({
  fromPage: z.string(),
  answeredCount: z.int(),
  totalQuestions: z.int(),
  flaggedCount: z.int(),
});
export type DismissalContext = z.infer<typeof DismissalContext>;
export const dismissalContextKey = localKey('dismissalContext', DismissalContext);

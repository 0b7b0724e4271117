import { z } from 'zod';
import { logProblem } from '../problem-log.ts';

/** One typed entry of a storage. */
interface StoredKey<T> {
  readonly name: string;
  /** The stored value, or `null` if absent, not accessible or invalid (logged once). */
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

const logged = new Set<string>();

function logOnce(name: string, cause: unknown): void {
  if (logged.has(name)) return;
  logged.add(name);
  logProblem(`Stored data under "${name}" is ignored`, cause);
}

/** A typed entry under a name of the specification's section 3. Stored values are validated. */
export const localKey = <T>(name: string, schema: z.ZodType<T>) =>
  storedKey(() => localStorage, name, schema);

/** A typed entry for the life of the tab. */
export const tabKey = <T>(name: string, schema: z.ZodType<T>) =>
  storedKey(() => sessionStorage, name, schema);

function storedKey<T>(storage: () => Storage, name: string, schema: z.ZodType<T>): StoredKey<T> {
  return {
    name,
    read() {
      try {
        const text = storage().getItem(name);
        return text === null ? null : schema.parse(JSON.parse(text));
      } catch (cause) {
        logOnce(name, cause);
        return null;
      }
    },
    write(value) {
      try {
        storage().setItem(name, JSON.stringify(value));
      } catch (cause) {
        // Full or blocked storage: these are convenience copies, nothing depends on them.
        logOnce(name, cause);
      }
    },
    remove() {
      try {
        storage().removeItem(name);
      } catch (cause) {
        logOnce(name, cause);
      }
    },
  };
}

/** Clears the site's local storage (specification: after thank-you, dismissed, expired). */
export function clearLocalKeys(): void {
  try {
    localStorage.clear();
  } catch (cause) {
    logOnce('*', cause);
  }
}

const DRAFT = 'questionDraft_';
/** Long enough for a day's work that was interrupted; an unsaved question holds its key. */
const DRAFT_MAX_MS = 12 * 3_600_000;
const DraftOrigin = z.object({
  by: z.string(),
  /** milliseconds since 1970, of this device */
  at: z.number(),
});

/** Unsaved changes of a question, with what they contain besides their origin. */
export function questionDraftKey<S extends z.ZodRawShape>(place: string, content: z.ZodObject<S>) {
  return localKey(`${DRAFT}${place}`, DraftOrigin.extend(content.shape));
}

/** Each page has a draft of its own, under `place.page`: none overwrites another's. */
export function questionDraftKeys<S extends z.ZodRawShape>(place: string, content: z.ZodObject<S>) {
  return draftNames()
    .map((name) => name.slice(DRAFT.length))
    .filter((name) => name === place || name.startsWith(`${place}.`))
    .map((name) => questionDraftKey(name, content));
}

/** Removes unsaved questions that are older than 12 hours or not by this administrator; `null`: all. */
export function keepDraftsOf(adminId: string | null): void {
  for (const name of draftNames()) {
    const key = localKey(name, DraftOrigin);
    const origin = key.read();
    const isOld = origin === null || Date.now() - origin.at > DRAFT_MAX_MS;
    if (isOld || origin.by !== adminId) key.remove();
  }
}

function draftNames(): string[] {
  try {
    const names = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '');
    return names.filter((name) => name.startsWith(DRAFT));
  } catch (cause) {
    logOnce(DRAFT, cause);
    return [];
  }
}

/** Question id to selected option's text. */
export const quizAnswersKey = localKey('quizAnswers', z.record(z.string(), z.string()));
export const flaggedQuestionsKey = localKey('flaggedQuestions', z.array(z.string()));
export const currentParticipantKey = localKey(
  'currentParticipant',
  z.object({ id: z.string(), startedAt: z.string() }),
);
/** Violations counted per sensor, under the specification's names. */
export const voiceViolationsKey = localKey('voiceViolations', z.int().min(0));
export const faceViolationsKey = localKey('faceViolations', z.int().min(0));
/** milliseconds since 1970 */
export const quizStartTimestampKey = localKey('quizStartTimestamp', z.number());
/** ISO 8601 */
export const quizStartTimeKey = localKey('quizStartTime', z.string());
export const autoSubmittedKey = localKey('autoSubmitted', z.boolean());

/** A copy of the paper's order; the server has the paper itself (product 4.6). */
export const shuffledOrderKey = (quizId: string, userId: string) =>
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

import { ErrorBody } from '@invigil/core/contract/endpoint';
import type { ErrorIssue } from '@invigil/core/contract/errors';

/** The code of a refusal that no one gave one. */
const UNKNOWN = 'UNKNOWN';

/** The server refused: status, stable code and the sentence for the person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly issues: readonly ErrorIssue[];
  readonly details: Readonly<Record<string, unknown>>;
  /** From `Retry-After`; `null` when the server did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(refusal: {
    status: number;
    code: string;
    sentence: string;
    issues?: readonly ErrorIssue[] | undefined;
    details?: Readonly<Record<string, unknown>> | undefined;
    retryAfterSeconds?: number | null;
  }) {
    // The seed's form of every failed call: "409: sentence".
    super(`${refusal.status}: ${refusal.sentence}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.sentence = refusal.sentence;
    this.issues = refusal.issues ?? [];
    this.details = refusal.details ?? {};
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
  }

  /** Our server wrote this refusal: it always names a code. A proxy's page does not, and may pass. */
  get isOurs(): boolean {
    return this.code !== UNKNOWN;
  }

  /** The server's sentence about one field, by its dotted path. */
  issueAt(path: string): string | undefined {
    return this.issues.find((issue) => issue.path === path)?.message;
  }
}

/** No answer, or one that cannot have come from our server (a captive portal, a proxy's page). */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly reason: 'unreachable' | 'unreadable';

  constructor(reason: 'unreachable' | 'unreadable', cause: unknown) {
    super(
      reason === 'unreachable'
        ? 'The server cannot be reached. Check your connection and try again.'
        : 'The response from the server could not be read. Reload the page and try again.',
      { cause },
    );
    this.reason = reason;
  }
}

/**
 * Whether a write may have been done although it failed here: there was no answer that could be
 * read, or a proxy gave up waiting for one. What is there now must be read before it is repeated.
 */
export function answerWasLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return (
    error instanceof ApiError && !error.isOurs && (error.status === 502 || error.status === 504)
  );
}

/**
 * Whether what stood against a call may pass: no network, a proxy's word in our server's place, too much
 * at the moment, a server that is away. Anything else of ours is a refusal for good.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isOurs) return true;
  if (error.details.isFull === true) return false;
  return error.status === 429 || error.status >= 500;
}

/** When to come back, as far as the answer says; milliseconds. */
export function retryAfterMsOf(error: unknown): number | null {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return seconds === null ? null : seconds * 1_000;
}

/** The sentence to show for anything a call may throw; `fallback` when there is none for people. */
export function sentenceOf(error: unknown, fallback = 'Something went wrong. Try again.'): string {
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof ConnectionError) return error.message;
  return fallback;
}

/** Makes an `ApiError` of a refusal, anyone who wrote it: our server, a proxy or no one. */
export function refusalFrom(
  status: number,
  statusText: string,
  bodyText: string,
  retryAfter: string | null,
  now = Date.now(),
): ApiError {
  const retryAfterSeconds = secondsFrom(retryAfter, now);
  const body = ErrorBody.safeParse(jsonOrNull(bodyText));
  if (body.success) {
    const { code, message, issues, details } = body.data;
    return new ApiError({ status, code, sentence: message, issues, details, retryAfterSeconds });
  }
  // The seed: the body's text, or the status text when it is empty. A page of HTML is not a sentence.
  const text = bodyText.trim();
  const readable = text !== '' && text.length <= 500 && !text.startsWith('<');
  const sentence = readable ? text : statusText || 'Request failed';
  return new ApiError({ status, code: UNKNOWN, sentence, retryAfterSeconds });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The longest wait that is believed: our server asks for no more, a proxy may ask for an hour. */
const RETRY_AFTER_MAX_SECONDS = 60;

/** `Retry-After` in either of its forms, as whole seconds from now. */
function secondsFrom(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - now) / 1_000));
  return Number.isNaN(seconds) ? null : Math.min(seconds, RETRY_AFTER_MAX_SECONDS);
}

import { ErrorBody } from '@invigil/core/contract/definition/endpoint';
import type { ErrorIssue } from '@invigil/core/contract/definition/errors';
import { t } from '@invigil/core/texts/i18n';

/** The code of a refusal without one. */
const UNKNOWN = 'UNKNOWN';

/** The server refused: status, stable code and the sentence to show. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly sentence: string;
  readonly issues: readonly ErrorIssue[];
  readonly details: Readonly<Record<string, unknown>>;
  /** The value of `Retry-After`; `null` without the header. */
  readonly retryAfterSeconds: number | null;

  constructor(refusal: {
    status: number;
    code: string;
    sentence: string;
    issues?: readonly ErrorIssue[] | undefined;
    details?: Readonly<Record<string, unknown>> | undefined;
    retryAfterSeconds?: number | null;
  }) {
    // The specification's form of every failed call: "409: sentence".
    super(`${refusal.status}: ${refusal.sentence}`);
    this.status = refusal.status;
    this.code = refusal.code;
    this.sentence = refusal.sentence;
    this.issues = refusal.issues ?? [];
    this.details = refusal.details ?? {};
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
  }

  /** Whether our server sent this refusal: it always has a code, unlike a proxy's response. */
  get isOurs(): boolean {
    return this.code !== UNKNOWN;
  }

  /** The server's sentence about one field, by its dotted path. */
  issueAt(path: string): string | undefined {
    return this.issues.find((issue) => issue.path === path)?.message;
  }
}

/** No response, or one that is not our server's (a captive portal, a proxy). */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly reason: 'unreachable' | 'unreadable';

  constructor(reason: 'unreachable' | 'unreadable', cause: unknown) {
    super(
      reason === 'unreachable'
        ? t('net.unreachable', 'The server cannot be reached. Check your connection and try again.')
        : t(
            'net.unreadable',
            'The response from the server could not be read. Reload the page and try again.',
          ),
      { cause },
    );
    this.reason = reason;
  }
}

/**
 * Whether a failed write may have been applied: there was no readable response, or a proxy timed out.
 * Read the current state before repeating it.
 */
export function answerWasLost(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return (
    error instanceof ApiError && !error.isOurs && (error.status === 502 || error.status === 504)
  );
}

/**
 * Whether a failure is temporary: no network, a proxy's response, throttling, an unavailable server. Any
 * other refusal of our server is final.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || !error.isOurs) return true;
  if (error.details.isFull === true) return false;
  return error.status === 429 || error.status >= 500;
}

/** The Retry-After of the response, if any; milliseconds. */
export function retryAfterMsOf(error: unknown): number | null {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : null;
  return seconds === null ? null : seconds * 1_000;
}

/** Whether the server refused something for this reason. */
export const hasCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code;

/** A refusal by this page itself; its message is the sentence to show. */
export class PageError extends Error {
  override readonly name = 'PageError';
}

/** The sentence to show for anything a call may throw; `fallback` if the error has none. */
export function sentenceOf(
  error: unknown,
  fallback = t('net.wrong', 'Something went wrong. Try again.'),
): string {
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof ConnectionError || error instanceof PageError) return error.message;
  return fallback;
}

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
  // The specification: the body's text, or the status text when it is empty. HTML and JSON are no sentences.
  const text = bodyText.trim();
  const readable = text !== '' && text.length <= 500 && !/^[<{[]/.test(text);
  const sentence = readable
    ? text
    : statusText ||
      t(/* a call of the server, with no reason given */ 'net.failed', 'Request failed');
  return new ApiError({ status, code: UNKNOWN, sentence, retryAfterSeconds });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Upper bound of Retry-After: our server never exceeds it, a proxy may ask for an hour. */
const RETRY_AFTER_MAX_SECONDS = 60;

/** `Retry-After` in either of its forms, as whole seconds from now. */
function secondsFrom(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter.trim())
    ? Number(retryAfter)
    : Math.max(0, Math.ceil((Date.parse(retryAfter) - now) / 1_000));
  return Number.isNaN(seconds) ? null : Math.min(seconds, RETRY_AFTER_MAX_SECONDS);
}

import { ErrorBody } from '@invigil/core/contract/endpoint';
import type { ErrorIssue } from '@invigil/core/contract/errors';

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
        : 'The answer of the server could not be read. Reload the page and try again.',
      { cause },
    );
    this.reason = reason;
  }
}

/** The sentence to show for anything a call may throw; `fallback` when there is none for people. */
export function sentenceOf(error: unknown, fallback = 'Something went wrong. Try again.'): string {
  if (error instanceof ApiError) return error.sentence;
  if (error instanceof ConnectionError) return error.message;
  return fallback;
}

/** Makes an `ApiError` of a refusal, whoever wrote it: our server, a proxy or nobody. */
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
  return new ApiError({ status, code: 'UNKNOWN', sentence, retryAfterSeconds });
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `Retry-After` in either of its forms, as whole seconds from now. */
function secondsFrom(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}

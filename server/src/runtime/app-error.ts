import {
  ERRORS,
  type ErrorCode,
  type ErrorIssue,
  sentenceOf,
} from '@invigil/core/contract/definition/errors';

export interface AppErrorParts {
  /** A more specific message than the table's: seconds left, a count, a name. */
  message?: string;
  issues?: ErrorIssue[];
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** The only class of refusals. Its code decides status and message by the table in the contract. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: ErrorIssue[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, parts: AppErrorParts = {}) {
    super(parts.message ?? sentenceOf(code));
    this.code = code;
    this.issues = parts.issues;
    this.details = parts.details;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }

  /** A refusal whose message, the table's, is about one field. */
  static at(path: string, code: ErrorCode): AppError {
    return new AppError(code, { issues: [{ path, message: sentenceOf(code) }] });
  }

  get status(): number {
    return ERRORS[this.code][0];
  }
}

/**
 * Why Invigil cannot start, for the person at the terminal: one line that says what is wrong and what to
 * do. Printed without a stack, and the process exits with 1.
 */
export class StartProblem extends Error {
  override name = 'StartProblem';
}

/** The code of an error of Node or PostgreSQL; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

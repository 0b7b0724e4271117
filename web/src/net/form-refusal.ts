import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError, sentenceOf } from './api.ts';

/**
 * Shows the server's issues at their fields. Typed values are preserved.
 *
 * @param fields the form's fields; other issues are left to the caller's sentence
 */
export function showIssues<T extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<T>,
  fields: readonly FieldPath<T>[],
): void {
  if (!(error instanceof ApiError)) return;
  let first = true;
  for (const field of fields) {
    const message = error.issueAt(field);
    if (message === undefined) continue;
    setError(field, { type: 'server', message }, { shouldFocus: first });
    first = false;
  }
}

/**
 * The sentence under a form's failure toast: the server's, or `fixed` for invalid values, which are
 * shown at their fields, and for responses that are not our server's.
 */
export function refusalSentence(error: unknown, fixed: string): string {
  const hasNone = error instanceof ApiError && /^(INVALID_INPUT|UNKNOWN)$/.test(error.code);
  return hasNone ? fixed : sentenceOf(error, fixed);
}

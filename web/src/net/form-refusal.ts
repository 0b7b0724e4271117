import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError, sentenceOf } from './api.ts';

/**
 * Puts what the server said about single fields at those fields. What was typed stays.
 *
 * @param fields the form's fields; issues about anything else are left to the caller's sentence
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
 * The sentence under a form's failure toast: the server's own, or `fixed` where it has none: values
 * that are not valid, which stand at their fields, and answers that are not our server's.
 */
export function refusalSentence(error: unknown, fixed: string): string {
  const hasNone = error instanceof ApiError && /^(INVALID_INPUT|UNKNOWN)$/.test(error.code);
  return hasNone ? fixed : sentenceOf(error, fixed);
}

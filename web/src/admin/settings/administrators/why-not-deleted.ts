import { ERRORS } from '@invigil/core/contract/definition/errors';

/** Why an administrator cannot be deleted, in the server's words; `undefined` if possible. */
export function whyNotDeleted(
  id: string,
  ownId: string | undefined,
  admins: number,
): string | undefined {
  if (admins <= 1) return ERRORS.LAST_ADMIN[1];
  return id === ownId ? ERRORS.OWN_ACCOUNT[1] : undefined;
}

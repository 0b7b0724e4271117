/**
 * Why a waiting message is cancelled: its one-time password no longer works. Its state is `failed`, but
 * nothing went wrong.
 */
export const CANCELLED_MAIL = {
  replaced: 'Replaced by a newer invitation',
  revoked: 'The invitation was revoked',
  replacedOrRevoked: 'Its one-time password was replaced or revoked',
  archived: 'The assessment was deleted',
} as const;

export function isCancelledMail(state: string, lastError: string | null): boolean {
  return state === 'failed' && Object.values<string | null>(CANCELLED_MAIL).includes(lastError);
}

/**
 * Why a waiting message is canceled: its one-time password no longer works. Its state is `failed`, but
 * nothing went wrong.
 */
export const CANCELED_MAIL = {
  replaced: 'Replaced by a newer invitation',
  revoked: 'The invitation was revoked',
  replacedOrRevoked: 'Its one-time password was replaced or revoked',
  archived: 'The assessment was deleted',
} as const;

export function isCanceledMail(state: string, lastError: string | null): boolean {
  return state === 'failed' && Object.values<string | null>(CANCELED_MAIL).includes(lastError);
}

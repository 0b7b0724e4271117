import type { Account } from '@invigil/core/contract/accounts/auth';

/** Local markers of an end that the server may not have acknowledged. */
export interface LocalMarkers {
  /** A submit is done or in progress (`completionData` or `autoSubmitted` is stored). */
  submitted: boolean;
  /** The attempt was dismissed on this screen (`dismissalContext` is stored). */
  dismissed: boolean;
}

/** The target of `/` (product 7). */
export function homeOf(account: Account | null): string {
  if (account === null) return '/login';
  if (account.role === 'admin') return '/admin/dashboard';
  const status = account.attempt?.status;
  if (status === 'completed') return '/quiz/thankyou';
  if (status === 'dismissed') return '/quiz/dismissed';
  if (status !== 'in_progress' && account.quiz?.isOpen !== true) return '/quiz/expired';
  return '/quiz/instructions';
}

/**
 * The page after sign-in: for administrators the requested page of the portal.
 *
 * @param state of the history entry, which is untrusted
 */
export function placeAfterSignIn(account: Account, state: unknown): string {
  const wanted: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, 'wanted') : undefined;
  const isOurs = typeof wanted === 'string' && /^\/admin(\/|$)/.test(wanted);
  return account.role === 'admin' && isOurs ? wanted : homeOf(account);
}

/**
 * Whether a candidate's screen may be opened; otherwise it redirects to `homeOf`. The permissions screen
 * creates the attempt, so the assessment needs a running one.
 */
export function mayEnterQuizScreen(
  path: string,
  account: Account | null,
  markers: LocalMarkers,
): boolean {
  if (account === null || account.role !== 'participant') return false;
  const status = account.attempt?.status ?? 'not_started';
  switch (path) {
    case '/quiz/instructions':
    case '/quiz/permissions':
      return (
        status === 'in_progress' || (status === 'not_started' && account.quiz?.isOpen === true)
      );
    case '/quiz/assessment':
    case '/quiz/review':
      return status === 'in_progress';
    case '/quiz/thankyou':
      return status === 'completed' || (status === 'in_progress' && markers.submitted);
    case '/quiz/dismissed':
      return status === 'dismissed' || (status === 'in_progress' && markers.dismissed);
    default:
      return false;
  }
}

import type { Account } from '@invigil/core/contract/accounts/auth';
import { type ReactNode, useRef } from 'react';
import { Redirect, useLocation } from 'wouter';
import { attemptPage, endMarkers, type LocalMarkers } from '../candidate/navigation.ts';
import { useSession } from '../lib/person/session.tsx';
import { ScreenLoading, SessionFailed, Unauthorized } from './session-notices.tsx';

/** The target of `/` (product 7). */
export function homeOf(account: Account | null): string {
  if (account === null) return '/login';
  if (account.role === 'admin') return '/admin/dashboard';
  const status = account.attempt?.status;
  if (account.retake) return '/quiz/instructions';
  if (account.hasResult) return '/quiz/result';
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
        status === 'in_progress' ||
        account.retake !== undefined ||
        (status === 'not_started' && account.quiz?.isOpen === true)
      );
    case '/quiz/assessment':
    case '/quiz/review':
      return status === 'in_progress';
    case '/quiz/result':
      return account.hasResult === true;
    case '/quiz/thankyou':
      return status === 'completed' || (status === 'in_progress' && markers.submitted);
    case '/quiz/dismissed':
      return status === 'dismissed' || (status === 'in_progress' && markers.dismissed);
    default:
      return false;
  }
}

/** Defers a screen until the session is known. */
function WhenKnown({ children }: { children: ReactNode }) {
  const { status } = useSession();
  if (status === 'loading') return <ScreenLoading />;
  if (status === 'failed') return <SessionFailed />;
  return children;
}

/** `/`: redirects to the person's start page. */
export function Home() {
  const { account } = useSession();
  return (
    <WhenKnown>
      <Redirect to={homeOf(account)} replace />
    </WhenKnown>
  );
}

/** The sign-in page, only without a session. */
export function SignedOutOnly({ children }: { children: ReactNode }) {
  const { account } = useSession();
  return (
    <WhenKnown>
      {account === null ? (
        children
      ) : (
        <Redirect to={placeAfterSignIn(account, window.history.state)} replace />
      )}
    </WhenKnown>
  );
}

/** The page of an assessment that is not open, also without a session. */
export function ExpiredOnly({ children }: { children: ReactNode }) {
  const { account } = useSession();
  const home = homeOf(account);
  const applies = account === null || home === '/quiz/expired';
  return <WhenKnown>{applies ? children : <Redirect to={home} replace />}</WhenKnown>;
}

/** Everything under /admin, or the required set-up of two-step sign-in. */
export function AdminOnly({ setUpTotp, children }: { setUpTotp: ReactNode; children: ReactNode }) {
  const { account } = useSession();
  const { pathname, search, hash } = window.location;
  // Return to this page after sign-in only if it was opened without a session, not after a sign-out.
  const wasHere = useRef(false);
  wasHere.current ||= account !== null;
  const wanted = wasHere.current ? undefined : `${pathname}${search}${hash}`;
  const page =
    account === null ? (
      <Redirect to="/login" replace state={{ wanted }} />
    ) : account.role === 'admin' ? (
      account.mustSetUpTotp ? (
        setUpTotp
      ) : (
        children
      )
    ) : (
      <Unauthorized />
    );
  return <WhenKnown>{page}</WhenKnown>;
}

/** Everything under /quiz that belongs to an attempt. */
export function AttemptOnly({ children }: { children: ReactNode }) {
  const { account } = useSession();
  const [pathname] = useLocation();
  const path = pathname.replace(/\/+$/, '');
  // The page knows of its end even if the browser has no marker of it.
  const mayEnter = mayEnterQuizScreen(path, account, endMarkers()) || path === attemptPage();
  return <WhenKnown>{mayEnter ? children : <Redirect to={homeOf(account)} replace />}</WhenKnown>;
}

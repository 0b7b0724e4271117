import { type ReactNode, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { attemptPage } from '../candidate/navigation.ts';
import {
  autoSubmittedKey,
  completionDataKey,
  dismissalContextKey,
} from '../lib/person/local-keys.ts';
import { useSession } from '../lib/person/session.tsx';
import { homeOf, mayEnterQuizScreen, placeAfterSignIn } from './guard-rules.ts';
import { ScreenLoading, SessionFailed, Unauthorized } from './session-notices.tsx';

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
      <Navigate to={homeOf(account)} replace />
    </WhenKnown>
  );
}

/** The sign-in page, only without a session. */
export function SignedOutOnly() {
  const { account } = useSession();
  const { state } = useLocation();
  return (
    <WhenKnown>
      {account === null ? <Outlet /> : <Navigate to={placeAfterSignIn(account, state)} replace />}
    </WhenKnown>
  );
}

/** Everything under /admin, or the required set-up of two-step sign-in. */
export function AdminOnly({ setUpTotp }: { setUpTotp: ReactNode }) {
  const { account } = useSession();
  const { pathname, search, hash } = useLocation();
  // Return to this page after sign-in only if it was opened without a session, not after a sign-out.
  const wasHere = useRef(false);
  wasHere.current ||= account !== null;
  const wanted = wasHere.current ? undefined : `${pathname}${search}${hash}`;
  const page =
    account === null ? (
      <Navigate to="/login" replace state={{ wanted }} />
    ) : account.role === 'admin' ? (
      account.mustSetUpTotp ? (
        setUpTotp
      ) : (
        <Outlet />
      )
    ) : (
      <Unauthorized />
    );
  return <WhenKnown>{page}</WhenKnown>;
}

/** Everything under /quiz that belongs to an attempt. */
export function AttemptOnly() {
  const { account } = useSession();
  const { pathname } = useLocation();
  const markers = {
    submitted: completionDataKey.read() !== null || autoSubmittedKey.read() !== null,
    dismissed: dismissalContextKey.read() !== null,
  };
  const path = pathname.replace(/\/+$/, '');
  // The page knows of its end even if the browser has no marker of it.
  const mayEnter = mayEnterQuizScreen(path, account, markers) || path === attemptPage();
  return <WhenKnown>{mayEnter ? <Outlet /> : <Navigate to={homeOf(account)} replace />}</WhenKnown>;
}

import { type ReactNode, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { attemptPage } from '../candidate/ongoing-page.ts';
import {
  autoSubmittedKey,
  completionDataKey,
  dismissalContextKey,
} from '../lib/person/local-keys.ts';
import { useSession } from '../lib/person/session.tsx';
import { homeOf, mayEnterQuizScreen, placeAfterSignIn } from './guard-rules.ts';
import { ScreenLoading, SessionFailed, Unauthorized } from './session-notices.tsx';

/** Holds a screen back until it is known who is signed in. */
function WhenKnown({ children }: { children: ReactNode }) {
  const { status } = useSession();
  if (status === 'loading') return <ScreenLoading />;
  if (status === 'failed') return <SessionFailed />;
  return children;
}

/** `/`: where this person belongs. */
export function Home() {
  const { account } = useSession();
  return (
    <WhenKnown>
      <Navigate to={homeOf(account)} replace />
    </WhenKnown>
  );
}

/** The sign-in page is for those who are not signed in. */
export function SignedOutOnly() {
  const { account } = useSession();
  const { state } = useLocation();
  return (
    <WhenKnown>
      {account === null ? <Outlet /> : <Navigate to={placeAfterSignIn(account, state)} replace />}
    </WhenKnown>
  );
}

/** Everything under /admin, or in its place what must be set up before. */
export function AdminOnly({ setUpTotp }: { setUpTotp: ReactNode }) {
  const { account } = useSession();
  const { pathname, search, hash } = useLocation();
  // Who signs out is done with this page: only one that was opened without a session is returned to.
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
export function QuizMoment() {
  const { account } = useSession();
  const { pathname } = useLocation();
  const markers = {
    submitted: completionDataKey.read() !== null || autoSubmittedKey.read() !== null,
    dismissed: dismissalContextKey.read() !== null,
  };
  const path = pathname.replace(/\/+$/, '');
  // The page knows its end even where the browser keeps no marker of it.
  const mayEnter = mayEnterQuizScreen(path, account, markers) || path === attemptPage();
  return <WhenKnown>{mayEnter ? <Outlet /> : <Navigate to={homeOf(account)} replace />}</WhenKnown>;
}

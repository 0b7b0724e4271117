import { Link } from 'wouter';
import { useSession } from '../lib/person/session.tsx';
import { Mark } from '../ui/badges/mark.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Spinner } from '../ui/spinner.tsx';

/** Shown while a screen's code is loading. */
export function ScreenLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <span className="flex items-center gap-3 text-ink-2">
        <Spinner />
        Loading…
      </span>
    </div>
  );
}

/** The session could not be read: offers to retry. */
export function SessionFailed() {
  const { refresh } = useSession();
  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <div className="grid w-full max-w-[30rem] gap-5">
        <Mark withName />
        <FailureNotice
          title="The server cannot be reached"
          onRetry={() => void refresh().catch(() => undefined)}
        >
          Check your connection. Nothing you saved is lost.
        </FailureNotice>
      </div>
    </main>
  );
}

/** A page for administrators only (specification 2). */
export function Unauthorized() {
  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <title>Unauthorized · Invigil</title>
      <div className="grid justify-items-center gap-3 text-center">
        <Mark withName />
        <h1 className="mt-4">Unauthorized</h1>
        <p className="text-md text-ink-2">This page is for administrators.</p>
        <Link
          to="/"
          className="inline-flex min-h-11 items-center font-medium text-accent-ink underline underline-offset-4"
        >
          Go to your start page
        </Link>
      </div>
    </main>
  );
}

import { me } from '@invigil/core/contract/auth';
import { useQueryClient } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError, callEndpoint } from '../lib/api.ts';
import { useSession } from '../lib/session.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/**
 * Shown when a call finds the session gone (30 minutes idle, signed in elsewhere). The page stays as
 * it is, so that nothing typed is lost: signing in in another tab makes it work again.
 */
export function SessionEndedNotice() {
  const client = useQueryClient();
  const { account, signedIn } = useSession();
  const [ended, setEnded] = useState(false);

  useEffect(() => {
    const look = (event: { type: string; action?: { type: string; error?: unknown } }) => {
      if (event.type !== 'updated' || event.action?.type !== 'error') return;
      const { error } = event.action;
      if (error instanceof ApiError && error.status === 401) setEnded(true);
    };
    const reads = client.getQueryCache().subscribe(look);
    const writes = client.getMutationCache().subscribe(look);
    return () => {
      reads();
      writes();
    };
  }, [client]);

  // Coming back from the tab with the sign-in page: ask whether it worked. Asked past the session,
  // because a "nobody" there would take this page away with everything typed on it.
  useEffect(() => {
    if (!ended) return;
    const ask = async () => {
      const now = await callEndpoint(me).catch(() => null);
      if (now?.role !== 'admin') return;
      signedIn(now);
      setEnded(false);
      await client.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
    };
    const onFocus = () => void ask();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [ended, signedIn, client]);

  if (!ended) return null;
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        role="alert"
        icon={<LogIn strokeWidth={1.5} />}
        title="Your session has ended"
        action={
          <a
            href={`/login?email=${encodeURIComponent(account?.user.email ?? '')}`}
            target="_blank"
            rel="noreferrer"
            className={buttonClasses('secondary', 'dense')}
          >
            Sign in in a new tab
          </a>
        }
      >
        Sign in again, then come back here. What you typed stays as it is.
      </Notice>
    </div>
  );
}

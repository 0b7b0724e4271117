import { me } from '@invigil/core/contract/accounts/auth';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import { ApiError, callEndpoint, whenPasswordIsNeeded } from '../../net/api.ts';
import { AlertDialog } from '../../ui/dialogs/dialog.tsx';
import { late } from '../screen.ts';

/** The form is code that few pages have. */
const PasswordDialog = late(() => import('./password-dialog.tsx'), 'PasswordDialog');

/**
 * Shown when a call finds that the session has ended (30 minutes idle, signed in elsewhere). The page
 * stays as it is, so that no input is lost: after signing in in another tab it works again.
 */
export function SessionEnded() {
  const client = useQueryClient();
  const { account, signedIn, refresh } = useSession();
  const [ended, setEnded] = useState(false);

  useEffect(() => {
    const look = (event: { type: string; action?: { type: string; error?: unknown } }) => {
      if (event.type !== 'updated' || event.action?.type !== 'error') return;
      const { error } = event.action;
      if (!(error instanceof ApiError)) return;
      if (error.status === 401) setEnded(true);
      // Two-step sign-in is now required, or a role was taken: guards and screens follow.
      if (error.code === 'TOTP_NEEDED' || error.code === 'FORBIDDEN')
        void refresh().catch(() => undefined);
    };
    const reads = client.getQueryCache().subscribe(look);
    const writes = client.getMutationCache().subscribe(look);
    return () => {
      reads();
      writes();
    };
  }, [client, refresh]);

  // The session is checked on return from the tab with the sign-in page. Not through the session provider,
  // whose result "signed out" would unmount this page with all its input.
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

  const signInElsewhere = () =>
    window.open(
      `/login?email=${encodeURIComponent(account?.user.email ?? '')}`,
      '_blank',
      'noopener',
    );
  return (
    <AlertDialog
      open={ended}
      onCancel={() => setEnded(false)}
      title={t('portal.sessionEnded.title', 'Your session has ended')}
      cancelLabel={t(/* a button */ 'portal.sessionEnded.notNow', 'Not now')}
      confirmLabel={t(/* a button */ 'portal.sessionEnded.signIn', 'Sign in again')}
      confirmVariant="primary"
      onConfirm={signInElsewhere}
    >
      {t(
        'portal.sessionEnded.text',
        'Sign in again, then come back to this page. What you typed here stays as it is.',
      )}
    </AlertDialog>
  );
}

/**
 * Asks for an administrator's password again (product 11). The refused call is then resent; the page
 * below keeps its input.
 */
export function ConfirmPassword() {
  const [waiting, setWaiting] = useState<{ end(confirmed: boolean): void } | null>(null);
  useEffect(
    () =>
      whenPasswordIsNeeded(
        () =>
          new Promise((resolve) => {
            const end = (confirmed: boolean) => {
              setWaiting(null);
              resolve(confirmed);
            };
            setWaiting({ end });
          }),
      ),
    [],
  );
  // The call is refused if the page is left.
  useEffect(() => () => waiting?.end(false), [waiting]);
  return <Suspense>{waiting !== null && <PasswordDialog onEnd={waiting.end} />}</Suspense>;
}

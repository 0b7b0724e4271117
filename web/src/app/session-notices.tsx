import { t } from '@invigil/core/texts/i18n';
import { useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { useLanguage } from '../lib/language.ts';
import { useSession } from '../lib/person/session.tsx';
import { missingCode } from '../proctoring/fetch-again.ts';
import { Mark } from '../ui/badges/mark.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { lateScreens } from './screen.ts';

/** Shown while a screen's code is loading. */
export function ScreenLoading() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <span className="flex items-center gap-3 text-ink-2">
        <Spinner />
        {t('page.loading', 'Loading…')}
      </span>
    </div>
  );
}

/**
 * Says that the next screen does not come, above the one that stays. Where that lasts although there is a
 * connection, its files may be gone after an update of the server: then a reload helps.
 */
export function LateScreen() {
  const { account } = useSession();
  const late = useSyncExternalStore(lateScreens.subscribe, lateScreens.getSnapshot);
  const code = useSyncExternalStore(missingCode.subscribe, missingCode.getSnapshot);
  const isBeforeStart = account?.role === 'participant' && account.attempt === null;
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-40">
      {late.missing > 0 && (
        <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-b border-warn-edge bg-warn px-5 py-2.5 text-center font-medium text-on-warn">
          <span>
            {t('page.late', 'The next page does not load just now. It is tried again by itself.')}
            {isBeforeStart &&
              ` ${t(/* of an assessment */ 'page.late.notStarted', 'Your time has not started.')}`}
          </span>
          {code.missing > 0 && (
            <Button size="dense" onClick={() => window.location.reload()}>
              {t(/* a button: reloads the page */ 'page.reload', 'Reload')}
            </Button>
          )}
        </p>
      )}
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
          title={t('page.unreachable', 'The server cannot be reached')}
          onRetry={() => void refresh().catch(() => undefined)}
        >
          {t('page.unreachable.text', 'Check your connection. Nothing you saved is lost.')}
        </FailureNotice>
      </div>
    </main>
  );
}

/** A page for administrators only (specification 2). */
export function Unauthorized() {
  // Nothing else draws it again in another language.
  useLanguage();
  return (
    <main className="grid min-h-dvh place-items-center p-5">
      <title>{`${t('unauthorized.title', 'Unauthorized')} · Invigil`}</title>
      <div className="grid justify-items-center gap-3 text-center">
        <Mark withName />
        <h1 className="mt-4">{t('unauthorized.title', 'Unauthorized')}</h1>
        <p className="text-md text-ink-2">
          {t('unauthorized.text', 'This page is for administrators.')}
        </p>
        <Link
          to="/"
          className="inline-flex min-h-11 items-center font-medium text-accent-ink underline underline-offset-4"
        >
          {t(/* a link */ 'unauthorized.start', 'Go to your start page')}
        </Link>
      </div>
    </main>
  );
}

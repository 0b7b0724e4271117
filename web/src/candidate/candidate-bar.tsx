import { t } from '@invigil/core/texts/i18n';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useLocation } from 'wouter';
import { forgetPerson } from '../lib/person/person-memory.ts';
import { useSession } from '../lib/person/session.tsx';
import { rememberLanguage } from '../net/remember-language.ts';
import { thisDevice } from '../proctoring/device/device-kind.ts';
import { blockDoubleTaps } from '../proctoring/device/double-tap.ts';
import { Mark } from '../ui/badges/mark.tsx';
import { Region } from '../ui/region.tsx';
import { useTranslation } from '../ui/use-translation.ts';
import { useArrival } from './navigation.ts';

// Most assessments are in one language.
const LanguageMenu = lazy(async () => ({
  default: (await import('../ui/language-menu.tsx')).LanguageMenu,
}));

/** The top bar of candidate screens: assessment, candidate, and elements of the screen. */
export function CandidateBar({
  children,
  compact = false,
  canLeave = false,
}: {
  children?: ReactNode;
  /** During the attempt, small screens reserve the bar for time, save state and questions. */
  compact?: boolean;
  /** Offers to sign out if the name is wrong; before the test. */
  canLeave?: boolean;
}) {
  const { account } = useSession();
  useDoubleTapBlock();
  useArrival();
  const { attempt, quiz } = account ?? {};
  const policy = attempt?.status === 'in_progress' ? attempt.policy : quiz?.policy;
  useTranslation(policy?.mayTranslate === true);
  return (
    <header
      data-candidate-bar={compact ? 'time' : ''}
      className={`sticky top-0 z-30 flex min-h-(--bar) items-center gap-x-2.5 border-b border-line bg-surface max-[359px]:gap-x-1.5 lg:gap-x-4 lg:px-6 ${compact ? 'py-1 pe-3 ps-4' : 'px-5 py-1'} short:py-0`}
    >
      <span
        className={`items-center gap-4 ${compact ? 'hidden min-w-0 flex-1 lg:flex' : 'flex min-w-0 flex-1'}`}
      >
        <Mark />
        <span className="min-w-0">
          <bdi className="block w-fit max-w-full truncate font-semibold">
            {account?.quiz?.title ?? 'Invigil'}
          </bdi>
          <span className="flex flex-wrap items-baseline gap-x-2 text-xs text-ink-3">
            <bdi className="min-w-0 truncate">{account?.user.email}</bdi>
            {canLeave && <NotYou />}
          </span>
        </span>
      </span>
      {/* The menu of the test comes with the questions, which do not wait for it. */}
      {(!compact || Boolean(children)) && (
        <span className={compact ? 'hidden lg:inline' : 'contents'}>
          <LanguageChoice compact={compact} />
        </span>
      )}
      {children}
    </header>
  );
}

/** The menu of an assessment with several languages; in the test, small screens have it with the list of questions. */
export function LanguageChoice({ compact = false }: { compact?: boolean }) {
  const { account } = useSession();
  if (account?.languages === undefined) return null;
  return (
    <Region name="The language menu" fallback={null}>
      <Suspense fallback={compact && <span className="inline-block w-11" />}>
        <LanguageMenu languages={account.languages} onChosen={rememberLanguage} compact={compact} />
      </Suspense>
    </Region>
  );
}

/**
 * Signs out of another person's session on a shared machine. Simpler than after a test
 * (use-leaving.ts), so that its code is not loaded here.
 */
function NotYou() {
  const { signOut } = useSession();
  const [, navigate] = useLocation();
  const leave = async () => {
    await signOut();
    forgetPerson();
    navigate('/login', { replace: true });
  };
  return (
    <button
      type="button"
      className="flex-none underline underline-offset-3 hover:text-ink touch:-my-2 touch:py-2"
      onClick={() => void leave()}
    >
      {t(
        /* a button, after the address of who is signed in */ 'candidateBar.notYou',
        'Not you? Sign out',
      )}
    </button>
  );
}

/** Blocks double taps on iOS (specification 9) while a candidate's screen is shown. */
function useDoubleTapBlock(): void {
  useEffect(() => {
    if (!thisDevice().ios) return;
    const ended = new AbortController();
    blockDoubleTaps(document, ended.signal);
    return () => ended.abort();
  }, []);
}

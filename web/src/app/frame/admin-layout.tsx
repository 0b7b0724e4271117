import { t } from '@invigil/core/texts/i18n';
import { QueryClientProvider } from '@tanstack/react-query';
import { CircleUser, Menu, Search, X } from 'lucide-react';
import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useBlocker, useLocation } from 'react-router';
import { modifierKey } from '../../lib/keys.ts';
import { createQueryClient } from '../../net/query-client.ts';
import { Mark } from '../../ui/badges/mark.tsx';
import { DiscardDialog } from '../../ui/dialogs/dialog.tsx';
import { hasUnsaved } from '../../ui/dialogs/unsaved.ts';
import { useKeptFocus } from '../../ui/dialogs/use-return-focus.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { applySelectedTheme, leaveSelectedTheme } from '../../ui/theme.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useTranslation } from '../../ui/use-translation.ts';
import { late } from '../screen.ts';
import { AdminAccount } from './admin-account.tsx';
import { AdminNav, LiveDot, LiveNav, WorkDot, WorkNav } from './admin-nav.tsx';
import { useFrameKeys } from './frame-keys.ts';
import { useRecentPages } from './recent-pages.ts';
import { ConfirmPassword, SessionEnded } from './session-ended.tsx';

const CommandPalette = late(() => import('./command-palette.tsx'), 'CommandPalette');
const ShortcutsDialog = late(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');

/**
 * The query cache of the administrator's pages. It is discarded with the frame, so that the next person
 * who signs in sees none of it.
 */
export function AdminLayout() {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => () => queryClient.clear(), [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      <AdminFrame />
    </QueryClientProvider>
  );
}

/**
 * The administrator's frame: from 1280 px a sidebar of 232 px, from 1024 px of 200, below that a rail
 * of icons, on phones a bar with a menu.
 */
function AdminFrame() {
  const main = useRef<HTMLElement>(null);
  useSelectedTheme();
  useTranslation(true);
  useFocusOnArrival(main);
  useKeptFocus(main);
  useRecentPages();
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const close = () => setShown(null);
  const openPalette = () => setShown('palette');
  const openShortcuts = () => setShown('shortcuts');
  useFrameKeys({ palette: openPalette, shortcuts: openShortcuts });
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[4rem_minmax(0,1fr)] lg:grid-cols-[12.5rem_minmax(0,1fr)] xl:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 font-medium text-on-accent focus:not-sr-only focus:fixed! focus:top-3 focus:inset-s-3"
      >
        {t(/* a link */ 'portal.skip', 'Skip to content')}
      </a>
      <SessionEnded />
      <ConfirmPassword />
      <LeaveGuard />
      <Suspense>
        {shown === 'palette' && <CommandPalette onClose={close} onShortcuts={openShortcuts} />}
        {shown === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
      <PhoneBar onSearch={openPalette} />
      <aside className="sticky top-0 hidden h-dvh flex-col border-e border-line px-2.5 pb-3 md:flex lg:px-3">
        <Link
          to="/admin/dashboard"
          className="flex h-16 items-center justify-center lg:justify-start lg:px-2"
        >
          <span className="lg:hidden">
            <Mark />
          </span>
          <span className="hidden lg:flex">
            <Mark withName />
          </span>
        </Link>
        <SearchButton onSearch={openPalette} />
        <AdminNav rail />
        <LiveNav rail />
        <WorkNav rail />
        <AdminAccount rail onShortcuts={openShortcuts} />
      </aside>
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="w-full max-w-360 min-w-0 p-4 outline-none md:p-6 xl:px-8 xl:pt-7 xl:pb-8"
      >
        <Suspense fallback={<PageLoading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

/** Opens the palette: a field to look at, with its key, and an icon in the rail. */
function SearchButton({ onSearch }: { onSearch(): void }) {
  return (
    <Tooltip
      text={t('portal.palette', 'Search and commands')}
      side="end"
      describes={false}
      className="lg:hidden"
    >
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onSearch}
        className="mb-3 flex min-h-9 items-center justify-center gap-2.5 rounded-md border border-line px-2.5 text-ink-3 hover:bg-hover hover:text-ink lg:justify-start touch:min-h-11"
      >
        <Search className="size-4.5 flex-none" />
        <span aria-hidden="true" className="max-lg:hidden">
          {t(/* verb: opens a search */ 'portal.palette.search', 'Search')}
        </span>
        <span className="sr-only">{t('portal.palette', 'Search and commands')}</span>
        <span aria-hidden="true" className="ms-auto font-mono text-xs max-lg:hidden">
          {`${modifierKey()} K`}
        </span>
      </button>
    </Tooltip>
  );
}

/** Asks before a link, Back or Forward loses typed input; an address that is only corrected loses none. */
function LeaveGuard() {
  const blocker = useBlocker(({ historyAction }) => historyAction !== 'REPLACE' && hasUnsaved());
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onCancel={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  );
}

function PageLoading() {
  return (
    <div role="status" className="flex items-center gap-3 py-2 text-ink-2">
      <Spinner />
      {t('page.loading', 'Loading…')}
    </div>
  );
}

/** The bar on phones: the logo and a menu that opens below it. */
function PhoneBar({ onSearch }: { onSearch(): void }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface md:hidden">
      <div className="flex h-14 items-center justify-between px-4">
        <Mark withName />
        <div className="-me-2 flex items-center">
          <WorkDot />
          <LiveDot />
          <button
            type="button"
            onClick={onSearch}
            className="inline-flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-hover"
          >
            <Search className="size-5" />
            <span className="sr-only">{t('portal.palette', 'Search and commands')}</span>
          </button>
          <Link
            to="/admin/account"
            onClick={() => setOpen(false)}
            className="inline-flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-hover"
          >
            <CircleUser className="size-5" />
            <span className="sr-only">{t('portal.ownMenu.account', 'Your account')}</span>
          </Link>
          <button
            type="button"
            aria-expanded={open}
            aria-controls="phone-menu"
            onClick={() => setOpen(!open)}
            className="inline-flex size-11 items-center justify-center rounded-md text-ink-2 hover:bg-hover"
          >
            {open ? <X className="size-5" /> : <Menu className="size-5" />}
            <span className="sr-only">
              {t(/* a button: shows the navigation */ 'portal.menu', 'Menu')}
            </span>
          </button>
        </div>
      </div>
      <div
        id="phone-menu"
        hidden={!open}
        className="max-h-[calc(100dvh-3.5rem)] overflow-y-auto px-2 pb-4"
      >
        <AdminNav onGo={() => setOpen(false)} />
        <LiveNav onGo={() => setOpen(false)} />
        <WorkNav onGo={() => setOpen(false)} />
        <div className="mt-3">
          <AdminAccount onGo={() => setOpen(false)} />
        </div>
      </div>
    </header>
  );
}

function useSelectedTheme() {
  useEffect(() => {
    applySelectedTheme();
    return leaveSelectedTheme;
  }, []);
}

/** Moves the focus to a new page, for keyboard and screen reader users. */
function useFocusOnArrival(main: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus();
    window.scrollTo(0, 0);
  }, [pathname, main]);
}

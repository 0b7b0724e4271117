import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { tabKey } from '../../lib/person/local-keys.ts';
import { useSession } from '../../lib/person/session.tsx';

const MOST = 8;
/** A page that is left sooner was only passed, and may not have its title yet. */
const SEEN_AFTER_MS = 1_000;

/** Pages of one assessment, question, person or attempt that were open in this tab, the newest first. */
const recentPages = tabKey(
  'recentPages',
  z.object({ by: z.string(), pages: z.array(z.object({ to: z.string(), title: z.string() })) }),
);

const IS_OF_ONE = /^\/admin\/(?:quizzes|questions|people|participants)\/[0-9a-f-]{36}/;

export function recentPagesOf(adminId: string | undefined) {
  const stored = recentPages.read();
  return stored?.by === adminId ? (stored?.pages ?? []) : [];
}

/** Remembers the page that is open. */
export function useRecentPages(): void {
  const by = useSession().account?.user.id;
  const { pathname } = useLocation();
  useEffect(() => {
    if (by === undefined || !IS_OF_ONE.test(pathname)) return;
    const timer = setTimeout(() => {
      const page = { to: pathname, title: document.title.replace(/ · Invigil$/, '') };
      const others = recentPagesOf(by).filter(({ to }) => to !== pathname);
      recentPages.write({ by, pages: [page, ...others].slice(0, MOST) });
    }, SEEN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [by, pathname]);
}

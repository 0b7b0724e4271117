import { lazy, Suspense } from 'react';
import { useNotices } from './use-notices.ts';

// Fetched when there is something to say.
const ViolationNotices = lazy(() => import('./violation-notices.tsx'));
const NoticedStrip = lazy(() => import('./noticed-strip.tsx'));

/** What monitoring has to say right now, above everything. */
export function Warnings() {
  const { popup, counted } = useNotices();
  if (popup === null && counted === null) return null;
  return (
    <Suspense>
      <ViolationNotices popup={popup} counted={counted} />
    </Suspense>
  );
}

/** What was noticed, quietly, below what the person is working on: nothing above it moves. */
export function Noticed() {
  const { noticed } = useNotices();
  if (noticed.length === 0) return null;
  return (
    <Suspense>
      <NoticedStrip noticed={noticed} />
    </Suspense>
  );
}

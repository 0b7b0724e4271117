import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';

const ITEM =
  'inline-grid h-8 min-w-8 place-items-center rounded-md px-2 text-sm font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-ink-off touch:h-11 touch:min-w-11';

export function Pagination({
  page,
  pages,
  onPage,
}: {
  /** counted from 1 */
  page: number;
  pages: number;
  onPage(page: number): void;
}) {
  const go = (target: number) => () => {
    if (target >= 1 && target <= pages && target !== page) onPage(target);
  };
  let gaps = 0;
  return (
    <nav
      aria-label={t(/* of a list, for screen readers */ 'ui.pages', 'Pages')}
      className="flex flex-wrap items-center justify-between gap-0.5 max-sm:w-full"
    >
      <button type="button" className={ITEM} aria-disabled={page <= 1} onClick={go(page - 1)}>
        {t(/* a button: the page before this one */ 'ui.pages.previous', 'Previous')}
      </button>
      {/* The numbers are in a separate row below Previous and Next on a phone. */}
      <span className="flex flex-wrap items-center justify-center gap-0.5 max-sm:order-last max-sm:w-full">
        {pageWindow(page, pages).map((entry) => {
          if (entry === 'gap') {
            gaps += 1;
            return (
              <span key={`gap-${gaps}`} className="px-1.5 text-ink-3">
                …
              </span>
            );
          }
          const isCurrent = entry === page;
          return (
            <button
              key={entry}
              type="button"
              aria-label={t('ui.pages.page', 'Page {number}', { number: entry })}
              {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
              className={`${ITEM} aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink`}
              onClick={go(entry)}
            >
              {entry}
            </button>
          );
        })}
      </span>
      <button type="button" className={ITEM} aria-disabled={page >= pages} onClick={go(page + 1)}>
        {t(/* a button: the page after this one */ 'ui.pages.next', 'Next')}
      </button>
    </nav>
  );
}

/**
 * The page numbers to show: the first, the last and those around the current one; `gap` replaces two or more
 * pages.
 *
 * @param current counted from 1
 */
export function pageWindow(current: number, pages: number): (number | 'gap')[] {
  const shown = new Set([1, pages, current - 1, current, current + 1]);
  // Three numbers are shown at either end, so that the row's length stays similar.
  if (current <= 2) shown.add(3);
  if (current >= pages - 1) shown.add(pages - 2);
  const numbers = [...shown].filter((n) => n >= 1 && n <= pages).sort((a, b) => a - b);

  const out: (number | 'gap')[] = [];
  for (const n of numbers) {
    const previous = out.at(-1);
    if (typeof previous === 'number' && n - previous === 2) out.push(previous + 1);
    else if (typeof previous === 'number' && n - previous > 2) out.push('gap');
    out.push(n);
  }
  return out;
}

/** The footer of a list: how many rows there are, and its pages where there are several. */
export function ListFooter({
  total,
  page,
  pages,
  onPage,
}: {
  /** "12 invitations" */
  total: ReactNode;
  /** from 1; one behind the last shows the last */
  page: number;
  pages: number;
  onPage(page: number): void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
      <p role="status" className="text-sm text-ink-2 tabular-nums">
        {total}
      </p>
      {pages > 1 && <Pagination page={Math.min(page, pages)} pages={pages} onPage={onPage} />}
    </div>
  );
}

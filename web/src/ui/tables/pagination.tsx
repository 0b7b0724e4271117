import { pageWindow } from './page-window.ts';

const ITEM =
  'inline-grid h-8 min-w-8 place-items-center rounded-md px-2 text-sm font-medium text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-ink-off touch:h-11 touch:min-w-11';

/** Previous, page numbers with ellipsis, Next. */
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
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-0.5 max-sm:w-full"
    >
      <button type="button" className={ITEM} aria-disabled={page <= 1} onClick={go(page - 1)}>
        Previous
      </button>
      {/* On a phone the numbers are in a separate row below Previous and Next. */}
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
              aria-label={`Page ${entry}`}
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
        Next
      </button>
    </nav>
  );
}

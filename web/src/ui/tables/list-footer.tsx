import { Pagination } from './pagination.tsx';

/** Below a list: how many rows there are, and its pages where there are several. */
export function ListFooter({
  total,
  page,
  pages,
  onPage,
}: {
  /** "12 invitations" */
  total: string;
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

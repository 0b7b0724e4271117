import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Label, number and explanation. Zero is shown as 0; the height is fixed while loading. */
export function StatCard({
  label,
  figure,
  loading = figure === undefined,
  meaning,
  aside,
}: {
  label: string;
  figure: number | string | undefined;
  loading?: boolean;
  meaning: string;
  /** An icon or a badge. */
  aside: ReactNode;
}) {
  return (
    // Two cards side by side on a phone have no room next to the label: wrap the badge.
    <section
      aria-label={label}
      className="grid grid-cols-[minmax(0,1fr)_auto] content-start items-start gap-x-2 rounded-lg border border-line bg-surface px-4 py-3.5 @min-[28rem]:px-5 @min-[28rem]:py-4"
    >
      <h2 className="min-h-5.5 text-base leading-5 font-medium text-ink-2 @max-[28rem]:col-span-2">
        {label}
      </h2>
      <span className="text-ink-3 @max-[28rem]:col-start-2 @max-[28rem]:row-start-2 @max-[28rem]:mt-4 [&>svg]:size-5 @max-[28rem]:[&>svg]:hidden">
        {aside}
      </span>
      {loading ? (
        <div
          role="status"
          className="col-span-full mt-2 grid h-14.5 content-center gap-3 @max-[28rem]:col-span-1"
        >
          <span className="sr-only">Loading {label}</span>
          <Skeleton className="h-7 w-16" />
          <Skeleton className="w-2/3" />
        </div>
      ) : (
        <>
          <p className="mt-2 mb-0.5 text-3xl font-semibold tabular-nums @min-[28rem]:col-span-full">
            {figure}
          </p>
          <p className="col-span-full text-sm text-ink-3">{meaning}</p>
        </>
      )}
    </section>
  );
}

import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Label, figure, one line of meaning. Zero is shown as 0; while loading the height stays. */
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
    <section
      aria-label={label}
      className="rounded-lg border border-line bg-surface px-4 py-3.5 @min-[28rem]:px-5 @min-[28rem]:py-4"
    >
      <div className="flex min-h-5.5 flex-wrap items-center justify-between gap-x-2 gap-y-1">
        <h2 className="text-base leading-5 font-medium text-ink-2">{label}</h2>
        <span className="flex-none text-ink-3 [&>svg]:size-5 @max-[28rem]:[&>svg]:hidden">
          {aside}
        </span>
      </div>
      {loading ? (
        <div role="status" className="mt-2 grid h-14.5 content-center gap-3">
          <span className="sr-only">Loading {label}</span>
          <Skeleton className="h-7 w-16" />
          <Skeleton className="w-2/3" />
        </div>
      ) : (
        <>
          <p className="mt-2 mb-0.5 text-3xl font-semibold tabular-nums">{figure}</p>
          <p className="text-sm text-ink-3">{meaning}</p>
        </>
      )}
    </section>
  );
}

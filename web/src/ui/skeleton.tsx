import type { ReactNode } from 'react';

export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block h-3.5 rounded-sm bg-fill ${className}`} />;
}

export function SkeletonRows({ rows = 5, children }: { rows?: number; children: ReactNode }) {
  return (
    <div role="status" className="grid gap-0">
      <p className="px-5 pt-4 text-sm text-ink-2">{children}</p>
      {Array.from({ length: rows }, (_, i) => (
        // The blocks are identical and static.
        // biome-ignore lint/suspicious/noArrayIndexKey: no identity to preserve
        <span key={i} aria-hidden="true" className="flex h-13 items-center gap-4 px-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-1/6" />
          <Skeleton className="ms-auto w-1/5" />
        </span>
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';

export const ROW =
  'flex flex-wrap justify-between gap-x-4 border-b border-line py-2.5 last:border-b-0';

export function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={ROW}>
      <dt className="text-ink-2">{label}</dt>
      <dd className="min-w-0 font-medium wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

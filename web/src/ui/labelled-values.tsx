import type { ReactNode } from 'react';

/** A table row as label and value pairs, in as many columns as fit. */
export function LabelledValues({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(8.5rem,45%),1fr))] gap-3 tabular-nums">
      {children}
    </dl>
  );
}

export function LabelledValue({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-3">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

import type { ReactNode } from 'react';

/** A surface with a hairline and no shadow. With `title` it is a region named by its heading. */
export function Card({
  title,
  aside,
  children,
  className = '',
}: {
  title?: string;
  /** Next to the title: a link or a sentence. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const plane = `rounded-lg border border-line bg-surface ${className}`;
  if (title === undefined) return <div className={plane}>{children}</div>;
  return (
    <section aria-label={title} className={plane}>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-5 py-3">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Illustration of four rings, the last dashed; the sentence; the action that adds the first entry. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-8 text-center">
      <svg width="112" height="28" viewBox="0 0 112 28" fill="none" aria-hidden="true">
        <g className="stroke-line-2" strokeWidth="1.5">
          <circle cx="14" cy="14" r="10" />
          <circle cx="42" cy="14" r="10" />
          <circle cx="70" cy="14" r="10" />
        </g>
        <circle
          cx="98"
          cy="14"
          r="10"
          className="stroke-line-strong"
          strokeWidth="1.5"
          strokeDasharray="3 3.28"
        />
      </svg>
      <p className="max-w-[34ch] text-ink-2">{children}</p>
      {action}
    </div>
  );
}

export function PageHeader({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <title>{`${title} · Invigil`}</title>
      <div className="min-w-0">
        <h1>{title}</h1>
        <p className="mt-0.5 text-ink-2">{subtitle}</p>
      </div>
      {children}
    </div>
  );
}

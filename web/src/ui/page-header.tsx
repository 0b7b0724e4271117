import type { ReactNode } from 'react';

export function PageHeader({
  title,
  subtitle,
  children,
}: {
  title: string;
  subtitle: string;
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

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

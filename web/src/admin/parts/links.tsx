import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A link above a page's title, to the page that it belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="mb-3 inline-flex items-center gap-2 text-sm font-medium text-ink-2 hover:text-ink touch:min-h-11"
    >
      <ArrowLeft className="size-4" />
      {children}
    </Link>
  );
}

/** A link in a row, above the link to a record that covers the row. */
export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="relative z-1 inline-block max-w-full min-w-24 wrap-anywhere underline-offset-4 hover:text-accent-ink hover:underline touch:-my-3 touch:py-3"
    >
      {children}
    </Link>
  );
}

import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';

/** Above a page's title: the page that it belongs to. */
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

import type { ReactNode } from 'react';
import { useSession } from '../../lib/session.tsx';
import { useDoubleTapBlock } from '../../proctoring/use-double-tap-block.ts';
import { Mark } from '../../ui/mark.tsx';

/** The bar over every candidate screen: which assessment, who, and what the screen adds at its end. */
export function CandidateBar({
  children,
  compact = false,
}: {
  children?: ReactNode;
  /** During the attempt small screens keep the bar for time, saving and the questions. */
  compact?: boolean;
}) {
  const { account } = useSession();
  useDoubleTapBlock();
  return (
    <header
      className={`sticky top-0 z-30 flex min-h-14 items-center gap-x-2.5 border-b border-line bg-surface lg:min-h-16 lg:gap-x-4 lg:px-6 ${compact ? 'py-1 pr-3 pl-4' : 'px-5 py-1'}`}
    >
      <span
        className={`items-center gap-4 ${compact ? 'hidden min-w-0 flex-1 lg:flex' : 'flex min-w-0 flex-1'}`}
      >
        <Mark />
        <span className="min-w-0">
          <span className="block truncate font-semibold">{account?.quiz?.title ?? 'Invigil'}</span>
          <span className="block truncate text-xs text-ink-3">{account?.user.email}</span>
        </span>
      </span>
      {children}
    </header>
  );
}

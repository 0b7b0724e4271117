import type { ReactNode } from 'react';

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

import { type ReactNode, useId } from 'react';
import type { BatchProgress } from './use-in-batches.ts';

/** Progress of a long send to the outbox. */
export function InviteProgress({
  done,
  total,
  children,
}: Pick<BatchProgress, 'done' | 'total'> & { children: ReactNode }) {
  const id = useId();
  const words = `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}`;
  return (
    <div className="grid gap-2 py-2">
      <p className="flex justify-between gap-4 font-medium">
        <span id={id}>Queuing invitations</span>
        <span role="status" className="tabular-nums">
          {words}
        </span>
      </p>
      <progress
        aria-labelledby={id}
        value={done}
        max={total}
        className="block h-2 w-full appearance-none overflow-hidden rounded-sm bg-fill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-sm text-ink-3">{children}</p>
    </div>
  );
}

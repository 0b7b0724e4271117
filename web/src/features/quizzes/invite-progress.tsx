import { useId } from 'react';
import type { SendProgress } from './use-send-invitations.ts';

/** How far a long send has come. */
export function InviteProgress({ done, total }: SendProgress) {
  const id = useId();
  const words = `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')}`;
  return (
    <div className="grid gap-2 py-2">
      <p className="flex justify-between gap-4 font-medium">
        <span id={id}>Sending invitations</span>
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
      <p className="text-sm text-ink-3">
        Cancelling keeps what was sent and leaves the other addresses in the box.
      </p>
    </div>
  );
}

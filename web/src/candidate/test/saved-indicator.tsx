import { CloudOff } from 'lucide-react';
import { useState } from 'react';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { SavedCloud } from '../attempt-icons.tsx';
import { useAttempt } from '../current-attempt.ts';

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

type ConnectionNews = 'offline' | 'back' | null;

/** Announcements about the connection, once per change, not per click. */
export function connectionNews(before: ConnectionNews, kind: SyncState['kind']): ConnectionNews {
  if (kind === 'offline') return 'offline';
  if (kind === 'saving') return before;
  return kind === 'saved' && before !== null ? 'back' : null;
}

/**
 * The save state, next to the timer. Screen readers can read it at any time, but only connection changes
 * are announced, because every click changes this line.
 */
export function SavedIndicator() {
  const { sync } = useAttempt();
  const { state, durable } = sync;
  const [before, setBefore] = useState<ConnectionNews>(null);
  const news = connectionNews(before, state.kind);
  if (news !== before) setBefore(news);
  return (
    <>
      <span
        role="status"
        aria-live="off"
        className="text-sm text-ink-2 max-lg:order-2 max-lg:ml-auto"
      >
        <SavedText state={state} />
      </span>
      <span role="status" className="sr-only">
        {news === 'back' && 'Online again. Your changes are saved.'}
        {news === 'offline' &&
          (durable
            ? 'Offline. Your changes are kept on this device and sent when the connection is back.'
            : 'Offline. Keep this page open: this browser cannot keep your changes.')}
      </span>
    </>
  );
}

function SavedText({ state }: { state: SyncState }) {
  switch (state.kind) {
    case 'saved':
      return state.at === null ? (
        <span className="max-sm:sr-only">Saves as you answer</span>
      ) : (
        <span className="flex items-center gap-1.5">
          <SavedCloud className="size-4.5 flex-none text-ok" />
          <span>Saved {time.format(state.at)}</span>
        </span>
      );
    case 'saving':
      return (
        <span className="flex items-center gap-1.5">
          <Spinner />
          <span>Saving…</span>
        </span>
      );
    case 'offline':
      return (
        <span className="flex min-h-8 items-center gap-1.5 rounded-md bg-warn-soft px-2.5 py-0.5 text-warn-ink max-[359px]:px-1.5 max-[359px]:[&_svg]:hidden inset-ring inset-ring-warn-line">
          <CloudOff className="size-4.5 flex-none" />
          <span>
            {`Offline: ${state.waiting} ${state.waiting === 1 ? 'change' : 'changes'} waiting`}
          </span>
        </span>
      );
    default:
      return (
        <span className="flex items-center gap-1.5 text-warn-ink">
          <CloudOff className="size-4.5 flex-none" />
          <span>Not saving</span>
        </span>
      );
  }
}

import { CloudOff } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';
import { useAttempt } from '../current-attempt.ts';

/**
 * Advice while changes are pending. Below the options, so that they do not move when the connection
 * changes. The status beside the timer is announced.
 */
export function OfflineAdvice({ className = '' }: { className?: string }) {
  const { sync } = useAttempt();
  if (sync.state.kind !== 'offline') return null;
  return (
    <div className={className}>
      <Notice tone="warn" icon={<CloudOff />} title="Keep answering.">
        {sync.durable
          ? 'The connection is interrupted. Your changes are kept on this device and sent automatically when you are back online. The clock keeps running: changes that arrive after the end do not count.'
          : 'The connection is interrupted. Keep this page open until it says Saved: this browser cannot keep your changes on this device. The clock keeps running: changes that arrive after the end do not count.'}
      </Notice>
    </div>
  );
}

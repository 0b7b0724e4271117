import { CloudOff } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';
import { useAttempt } from '../use-attempt.ts';

/**
 * What to do while changes wait. Below the options, so that none of them moves when the connection
 * comes and goes. The status beside the timer is what is spoken.
 */
export function OfflineAdvice({ className = '' }: { className?: string }) {
  const { sync } = useAttempt();
  if (sync.state.kind !== 'offline') return null;
  return (
    <div className={className}>
      <Notice tone="warn" icon={<CloudOff strokeWidth={1.5} />} title="Keep answering.">
        {sync.durable
          ? 'The connection is interrupted. Your changes are kept on this device and sent automatically when you are back online. The clock keeps running: changes that arrive after the end do not count.'
          : 'The connection is interrupted. Keep this page open until it says Saved: this browser cannot keep your changes on this device. The clock keeps running: changes that arrive after the end do not count.'}
      </Notice>
    </div>
  );
}

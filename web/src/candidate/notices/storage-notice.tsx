import { HardDrive } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';
import { useAttempt } from '../current-attempt.ts';

/** This browser cannot store: unsaved changes are in this page's memory only. */
export function StorageNotice({ className = '' }: { className?: string }) {
  const { sync } = useAttempt();
  if (sync.durable) return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        icon={<HardDrive />}
        title="This browser cannot keep answers on this device."
      >
        Answers are saved on the server as you select them. If the connection drops, keep this page
        open until it says Saved.
      </Notice>
    </div>
  );
}

import { Clock } from 'lucide-react';
import { Notice } from '../../ui/notice.tsx';

/** Changes sent after the end: stored, but not counted. */
export function LateNotice({ count }: { count: number }) {
  if (count === 0) return null;
  const [changes, are, them] =
    count === 1 ? ['change', 'It is', 'it'] : ['changes', 'They are', 'them'];
  return (
    <div className="mt-6">
      <Notice
        tone="warn"
        role="status"
        icon={<Clock />}
        title={`${count} ${changes} arrived after the end.`}
      >
        {`${are} not counted, but the administrator can see ${them}.`}
      </Notice>
    </div>
  );
}

import { RotateCw } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** A part of the page did not come and will not come by itself: without it nothing is monitored. */
export function MissingCodeNotice({ className = '' }: { className?: string }) {
  const isMissing = useSyncExternalStore(missingCode.subscribe, missingCode.getSnapshot);
  if (!isMissing) return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        role="alert"
        icon={<RotateCw strokeWidth={1.5} />}
        title="Part of this page could not be loaded."
        action={
          <Button size="dense" onClick={() => window.location.reload()}>
            Reload the page
          </Button>
        }
      >
        The connection dropped while it was loading. Reload the page. Your answers and your time are
        not affected.
      </Notice>
    </div>
  );
}

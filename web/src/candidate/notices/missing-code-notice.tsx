import { RotateCw } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { missingCode } from '../../proctoring/fetch-again.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Code for monitoring could not be loaded, and only a reload helps. */
export function MissingCodeNotice({ className = '' }: { className?: string }) {
  const isMissing = useSyncExternalStore(missingCode.subscribe, missingCode.getSnapshot);
  if (!isMissing) return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        role="alert"
        icon={<RotateCw />}
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

import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { scrollIntoView } from '../ui/scroll-into-view.ts';

/** Someone else has saved: what differs, and which version to keep. */
export function StaleNotice({
  what,
  onTakeTheirs,
  onKeepMine,
  children,
}: {
  what: 'assessment' | 'question';
  onTakeTheirs(): void;
  onKeepMine(): void;
  children: ReactNode;
}) {
  return (
    <div ref={scrollIntoView} className="scroll-mt-32 md:scroll-mt-20">
      <Notice
        tone="warn"
        role="alert"
        icon={<Users />}
        title={`Someone else has changed this ${what}`}
      >
        {children}
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="dense" onClick={onTakeTheirs}>
            Use their version
          </Button>
          <Button size="dense" onClick={onKeepMine}>
            Save my version
          </Button>
        </div>
      </Notice>
    </div>
  );
}

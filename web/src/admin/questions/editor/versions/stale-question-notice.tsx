import { Users } from 'lucide-react';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { scrollIntoView } from '../../../../ui/scroll-into-view.ts';
import { ChangesList } from './changes-list.tsx';
import type { Change } from './definition-changes.ts';

/** Someone else saved the question: what differs from it here, and which version to keep. */
export function StaleQuestionNotice({
  changes,
  onTakeTheirs,
  onKeepMine,
}: {
  /** From their version to mine. */
  changes: readonly Change[];
  onTakeTheirs(): void;
  onKeepMine(): void;
}) {
  return (
    <div ref={scrollIntoView} className="scroll-mt-32 md:scroll-mt-20">
      <Notice
        tone="warn"
        role="alert"
        icon={<Users />}
        title="Someone else has changed this question"
      >
        <p>Your changes are still here. Nothing was overwritten. From their version to yours:</p>
        <div className="my-3 rounded-md bg-surface px-3.5 py-3 text-ink">
          <ChangesList changes={changes} />
        </div>
        <div className="flex flex-wrap gap-2">
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

import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { formatDateTime } from '../../../../lib/format.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../../../../ui/skeleton.tsx';
import { LoadFailure } from '../../../failures.tsx';
import { useBankQuestion } from '../../questions-api.ts';
import { ChangesList } from './changes-list.tsx';
import { definitionChanges } from './definition-changes.ts';

/** All versions, newest first, each with what it changed. */
export function HistoryDialog({
  id,
  onRestore,
  onClose,
}: {
  id: string;
  /** Puts an earlier version into the fields; it is saved like any change. */
  onRestore(definition: QuestionDefinition): void;
  onClose(): void;
}) {
  const question = useBankQuestion(id);
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="History"
      description="Candidates keep the version that was current when they started."
      footer={
        <DialogClose>
          <Button data-autofocus="">Close</Button>
        </DialogClose>
      }
    >
      {question.isError ? (
        <LoadFailure title="Could not load the versions" read={question} />
      ) : question.isPending ? (
        <SkeletonRows rows={3}>Loading versions...</SkeletonRows>
      ) : (
        <ol>
          {question.data.versions.map(({ version, createdAt, definition }, i, versions) => {
            const earlier = versions[i + 1];
            return (
              <li key={version} className="border-b border-line py-4 last:border-b-0">
                <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
                  <h3>
                    {`Version ${version}`}
                    <span className="font-normal text-ink-2">
                      {` · ${formatDateTime(createdAt)}${i === 0 ? ' · current' : ''}`}
                    </span>
                  </h3>
                  {i > 0 && (
                    <Button size="dense" onClick={() => onRestore(definition)}>
                      {`Restore version ${version}`}
                    </Button>
                  )}
                </div>
                {earlier === undefined ? (
                  <p className="text-ink-2">The question was added.</p>
                ) : (
                  <ChangesList changes={definitionChanges(earlier.definition, definition)} />
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Dialog>
  );
}

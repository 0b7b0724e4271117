import { useState } from 'react';
import { questionsText } from '../../lib/question-labels.ts';
import { sentenceOf } from '../../net/api.ts';
import { AlertDialog } from '../../ui/dialogs/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useDeleteDrafts, useDeleteQuestions } from '../data/questions.ts';
import { showFailure } from '../data/show-failure.ts';

const deletedText = (count: number) => (count === 1 ? 'Question deleted' : 'Questions deleted');

/** Deletes drafts, with an offer to undo it; `ask` asks about others. */
export function useDeleting(quizId: string | undefined, onDeleted: () => void) {
  const deleteDrafts = useDeleteDrafts(quizId);
  return async (ids: readonly string[], ask: () => void): Promise<void> => {
    try {
      const addAgain = await deleteDrafts(ids);
      if (addAgain === null) return ask();
      onDeleted();
      const undo = () =>
        void addAgain().catch((error: unknown) => showFailure('Failed to undo', error));
      toast({ title: deletedText(ids.length), undo });
    } catch (error) {
      showFailure('Failed to delete question', error);
    }
  };
}

/**
 * Confirm Delete, all or none. The server refuses once an attempt has started. Questions of the bank must
 * be unused; if one is used, the refusal offers to archive all of them.
 */
export function DeleteQuestions({
  ids,
  number,
  quizId,
  onClose,
  onDeleted,
  onArchive,
}: {
  ids: readonly string[];
  number?: number;
  quizId?: string;
  onClose(): void;
  onDeleted?(): void;
  onArchive?(): void;
}) {
  const remove = useDeleteQuestions(quizId);
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async () => {
    try {
      await remove.mutateAsync([...ids]);
      toast({ title: deletedText(ids.length) });
      onDeleted?.();
      onClose();
    } catch (error) {
      if (onArchive !== undefined) return setRefusal(sentenceOf(error));
      const description = sentenceOf(error);
      showFailure('Failed to delete question', description);
      onClose();
    }
  };
  const isRefused = onArchive !== undefined && refusal !== null;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Confirm Delete"
      confirmLabel={
        isRefused
          ? 'Archive instead'
          : number === undefined
            ? `Delete ${questionsText(ids.length)}`
            : 'Delete'
      }
      confirmVariant={isRefused ? 'primary' : 'danger'}
      busy={remove.isPending && 'Deleting…'}
      onConfirm={() => (isRefused ? onArchive() : void confirm())}
    >
      {isRefused ? (
        <Notice tone="bad" role="alert">
          {refusal}. Nothing was deleted.
        </Notice>
      ) : (
        <p>
          {`Delete ${number === undefined ? questionsText(ids.length) : `question ${number}`}? `}
          {quizId === undefined
            ? 'Only questions that no candidate has seen and no section names can be deleted. This cannot be undone.'
            : 'Existing results do not change.'}
        </p>
      )}
    </AlertDialog>
  );
}

import { useState } from 'react';
import { questionsText } from '../../lib/question-labels.ts';
import { sentenceOf } from '../../net/api.ts';
import { AlertDialog } from '../../ui/dialogs/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useDeleteQuestions } from '../data/questions.ts';
import { showFailure, undoBy } from '../data/show-failure.ts';

/** More questions are asked about before they are deleted, although the deletion can be undone. */
export const DELETED_UNASKED = 20;

/** Deletes questions, with an offer to undo it. Rejects if the server refuses. */
export function useDeleting(quizId: string | undefined) {
  const remove = useDeleteQuestions(quizId);
  const deleteAll = async (ids: readonly string[]): Promise<void> => {
    const putBack = await remove.mutateAsync(ids);
    toast({
      title: ids.length === 1 ? 'Question deleted' : 'Questions deleted',
      undo: undoBy(putBack),
    });
  };
  return { deleteAll, isPending: remove.isPending };
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
  refused = null,
}: {
  ids: readonly string[];
  number?: number;
  quizId?: string;
  onClose(): void;
  onDeleted?(): void;
  onArchive?(): void;
  /** The server has refused it already, for this reason. */
  refused?: string | null;
}) {
  const { deleteAll, isPending } = useDeleting(quizId);
  const [refusal, setRefusal] = useState(refused);
  const confirm = async () => {
    try {
      await deleteAll(ids);
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
      busy={isPending && 'Deleting…'}
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
            ? 'Only questions that no candidate has seen and no section names can be deleted.'
            : 'Existing results do not change.'}
        </p>
      )}
    </AlertDialog>
  );
}

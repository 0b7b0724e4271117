import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
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
      title: t(
        'manage.delete.done',
        '{count, plural, one {Question deleted} other {Questions deleted}}',
        { count: ids.length },
      ),
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
      showFailure(t('manage.delete.failed', 'Failed to delete question'), description);
      onClose();
    }
  };
  const isRefused = onArchive !== undefined && refusal !== null;
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={t('manage.delete.title', 'Confirm Delete')}
      confirmLabel={
        isRefused
          ? t(
              /* a button: archives the questions that cannot be deleted */ 'manage.delete.archiveInstead',
              'Archive instead',
            )
          : number === undefined
            ? t(
                /* a button */ 'manage.delete.count',
                '{count, plural, one {Delete # question} other {Delete # questions}}',
                { count: ids.length },
              )
            : t(/* a button */ 'portal.delete', 'Delete')
      }
      confirmVariant={isRefused ? 'primary' : 'danger'}
      busy={isPending && t('portal.deleting', 'Deleting…')}
      onConfirm={() => (isRefused ? onArchive() : void confirm())}
    >
      {isRefused ? (
        <Notice tone="bad" role="alert">
          {t(
            /* reason is a sentence of the server */ 'manage.delete.refused',
            '{reason}. Nothing was deleted.',
            { reason: refusal },
          )}
        </Notice>
      ) : (
        <p>
          {number === undefined
            ? t(
                'manage.delete.askCount',
                '{count, plural, one {Delete # question?} other {Delete # questions?}}',
                { count: ids.length },
              )
            : t(
                /* number: of the question, in its list */ 'manage.delete.askOne',
                'Delete question {number}?',
                { number },
              )}{' '}
          {quizId === undefined
            ? t(
                'manage.delete.onlyUnused',
                'Only questions that no candidate has seen and no section names can be deleted.',
              )
            : t('manage.delete.resultsStay', 'Existing results do not change.')}
        </p>
      )}
    </AlertDialog>
  );
}

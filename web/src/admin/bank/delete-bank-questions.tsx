import { useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { AlertDialog } from '../../ui/dialogs/alert-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useChangeBank } from './bank-api.ts';
import { questionsWords } from './bank-words.ts';

/** Deletes unused questions; if one is used, the refusal offers to archive all of them. */
export function DeleteBankQuestions({
  ids,
  onClose,
  onDone,
  onArchive,
}: {
  ids: readonly string[];
  onClose(): void;
  onDone(): void;
  onArchive(): void;
}) {
  const change = useChangeBank();
  const [refusal, setRefusal] = useState<string | null>(null);
  const remove = async () => {
    try {
      const { changed } = await change.mutateAsync({ ids, isDeleted: true });
      toast({
        title: 'Questions deleted',
        description: questionsWords(changed, 'was', 'were', 'deleted.'),
      });
      onDone();
    } catch (error) {
      setRefusal(sentenceOf(error));
    }
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title={`Delete ${questionsWords(ids.length)}?`}
      confirmLabel={refusal === null ? 'Delete' : 'Archive instead'}
      confirmVariant={refusal === null ? 'danger' : 'primary'}
      busy={change.isPending && 'Deleting…'}
      onConfirm={() => (refusal === null ? void remove() : onArchive())}
    >
      {refusal === null ? (
        'Only questions that no candidate has seen and no section names can be deleted. This cannot be undone.'
      ) : (
        <Notice tone="bad" role="alert">
          {refusal}. Nothing was deleted.
        </Notice>
      )}
    </AlertDialog>
  );
}

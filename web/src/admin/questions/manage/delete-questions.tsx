import { sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { showOutcome } from '../../../ui/toasts/show-outcome.ts';
import { useDeleteQuestions } from '../questions-api.ts';

const questions = (n: number) =>
  `${n.toLocaleString('en-GB')} ${n === 1 ? 'question' : 'questions'}`;

/** Confirm Delete for several, all or none. The server refuses once an attempt has started. */
export function DeleteQuestions({
  quizId,
  ids,
  onClose,
  onDeleted,
}: {
  quizId: string;
  ids: readonly string[];
  onClose(): void;
  onDeleted(): void;
}) {
  const remove = useDeleteQuestions(quizId);
  const confirm = () => {
    const done = { title: ids.length === 1 ? 'Question deleted' : 'Questions deleted' };
    const work = remove.mutateAsync(ids).then(onDeleted);
    void showOutcome(work, done, 'Failed to delete question', sentenceOf).then(onClose);
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Confirm Delete"
      confirmLabel={`Delete ${questions(ids.length)}`}
      busy={remove.isPending && 'Deleting…'}
      onConfirm={confirm}
    >
      <p>{`Delete ${questions(ids.length)}? Existing results do not change.`}</p>
    </AlertDialog>
  );
}

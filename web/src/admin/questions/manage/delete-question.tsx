import type { Question } from '@invigil/core/contract/assessments/question-list';
import { sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { showOutcome } from '../../../ui/toasts/show-outcome.ts';
import { useDeleteQuestion } from '../questions-api.ts';

/** Confirm Delete. The server refuses once an attempt has started. */
export function DeleteQuestion({
  quizId,
  question,
  number,
  onClose,
}: {
  quizId: string;
  question: Question;
  number: number;
  onClose(): void;
}) {
  const remove = useDeleteQuestion(quizId);
  const confirm = () => {
    const done = { title: 'Question deleted' };
    void showOutcome(
      remove.mutateAsync(question.id),
      done,
      'Failed to delete question',
      sentenceOf,
    ).then(onClose);
  };
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Confirm Delete"
      confirmLabel="Delete"
      busy={remove.isPending && 'Deleting…'}
      onConfirm={confirm}
    >
      <p>Delete question {number}? Existing results do not change.</p>
    </AlertDialog>
  );
}

import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { sentenceOf } from '../../../net/api.ts';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { showOutcome } from '../../../ui/toasts/show-outcome.ts';
import { useDeleteQuiz } from '../api.ts';

/** Confirm Delete. The server archives: results stay reportable, attempts in progress continue. */
export function DeleteQuiz({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const remove = useDeleteQuiz();
  const questions = `${quiz.questionCount} question${quiz.questionCount === 1 ? '' : 's'}`;
  const confirm = () => {
    const done = { title: 'Assessment deleted', description: quiz.title };
    void showOutcome(
      remove.mutateAsync(quiz.id),
      done,
      'Failed to delete Assessment',
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
      <p>
        Delete the assessment “{quiz.title}” with its {questions}? It is removed from this list and
        no one can start it.
      </p>
      <p className="mt-2">Results stay in reports. Attempts in progress can be finished.</p>
    </AlertDialog>
  );
}

import type { Question } from '@invigil/core/contract/question-list';
import { sentenceOf } from '../../lib/api.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useDeleteQuestion } from './questions-api.ts';

/** Confirm Delete. The server refuses once somebody has started. */
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
  const confirm = () =>
    remove.mutate(question.id, {
      onSuccess: () => toast({ title: 'Question deleted' }),
      onError: (error) =>
        toast({
          title: 'Failed to delete question',
          description: sentenceOf(error),
          variant: 'destructive',
        }),
      onSettled: onClose,
    });
  return (
    <AlertDialog
      open
      onCancel={onClose}
      title="Confirm Delete"
      confirmLabel="Delete"
      busy={remove.isPending && 'Deleting…'}
      onConfirm={confirm}
    >
      <p>Delete question {number}? Results that already exist stay as they are.</p>
    </AlertDialog>
  );
}

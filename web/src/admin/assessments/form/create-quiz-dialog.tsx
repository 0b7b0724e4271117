import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { ConnectionError } from '../../../net/api.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { useCreateQuiz } from '../api.ts';
import { QuizFields } from './quiz-fields.tsx';
import { NEW_QUIZ, useQuizForm, validateNewQuiz } from './quiz-form.ts';

/** Create New Assessment. It starts active and without questions, which come next. */
export function CreateQuizDialog({
  onClose,
  onCreated,
}: {
  onClose(): void;
  onCreated(quiz: Quiz): void;
}) {
  const create = useCreateQuiz();
  const { form, sayInvalid } = useQuizForm(NEW_QUIZ, validateNewQuiz);
  return (
    <FormDialog
      form={form}
      title="Create New Assessment"
      description="Start with the settings. You add questions and invitations next."
      submitLabel="Create Assessment"
      busyLabel="Creating…"
      failed="Failed to create Assessment"
      sentence={(error) =>
        error instanceof ConnectionError ? error.message : 'Please check your data and try again'
      }
      onInvalid={sayInvalid}
      onClose={onClose}
      onSubmit={async (values) => {
        const validated = validateNewQuiz(values);
        if (!validated.ok) return;
        const quiz = await create.mutateAsync(validated.body);
        toast({ title: 'Assessment created', description: quiz.title });
        onCreated(quiz);
      }}
    >
      <QuizFields form={form} />
    </FormDialog>
  );
}

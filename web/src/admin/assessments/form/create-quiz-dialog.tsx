import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { useId } from 'react';
import { ConnectionError } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { useCreateQuiz } from '../api.ts';
import { QuizFields } from './quiz-fields.tsx';
import { NEW_QUIZ, validateNewQuiz } from './quiz-form.ts';
import { useQuizForm } from './use-quiz-form.ts';

/** Create New Assessment. It starts active and without questions, which come next. */
export function CreateQuizDialog({
  onClose,
  onCreated,
}: {
  onClose(): void;
  onCreated(quiz: Quiz): void;
}) {
  const formId = useId();
  const create = useCreateQuiz();
  const { form, sayInvalid } = useQuizForm(NEW_QUIZ, validateNewQuiz);

  const submit = form.handleSubmit(async (values) => {
    const validated = validateNewQuiz(values);
    if (!validated.ok) return;
    try {
      const quiz = await create.mutateAsync(validated.body);
      toast({ title: 'Assessment created', description: quiz.title });
      onCreated(quiz);
    } catch (error) {
      showIssues(error, form.setError, [
        'title',
        'description',
        'categoryId',
        'duration',
        'totalQuestions',
        'endDate',
      ]);
      toast({
        title: 'Failed to create Assessment',
        description:
          error instanceof ConnectionError ? error.message : 'Please check your data and try again',
        variant: 'destructive',
      });
    }
  }, sayInvalid);

  return (
    <Dialog
      open
      onClose={onClose}
      title="Create New Assessment"
      description="Start with the settings. You add questions and invitations next."
      unsaved={form.formState.isDirty}
      footer={
        <FormFooter formId={formId} busy={create.isPending && 'Creating…'}>
          Create Assessment
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <QuizFields form={form} />
      </form>
    </Dialog>
  );
}

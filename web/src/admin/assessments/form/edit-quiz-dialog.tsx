import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError, ConnectionError, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../dialogs.tsx';
import { showFailure } from '../../failures.tsx';
import { QUIZZES, useCreateQuiz, useUpdateQuiz } from '../api.ts';
import { QuizFields } from './quiz-fields.tsx';
import {
  NEW_QUIZ,
  quizFormValuesOf,
  useQuizForm,
  validateChangedQuiz,
  validateNewQuiz,
} from './quiz-form.ts';
import { STALE_SENTENCE, StaleQuizNotice } from './stale-quiz-notice.tsx';

/** Edit Assessment. A concurrent change is never overwritten unseen. */
export function EditQuizDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const formId = useId();
  const client = useQueryClient();
  const update = useUpdateQuiz(quiz.id);
  /** The version that a save replaces (optimistic lock). */
  const [base, setBase] = useState(quiz);
  const [filledFrom, setFilledFrom] = useState(quiz);
  const [theirs, setTheirs] = useState<Quiz | null>(null);
  const { form, sayInvalid } = useQuizForm(quizFormValuesOf(quiz), (values) =>
    validateChangedQuiz(values, { version: base.version, endDate: filledFrom.endDate }),
  );

  const save = async (version: number) => {
    const validated = validateChangedQuiz(form.getValues(), {
      version,
      endDate: filledFrom.endDate,
    });
    if (!validated.ok) return;
    try {
      const saved = await update.mutateAsync(validated.body);
      toast({ title: 'Assessment updated', description: saved.title });
      onClose();
    } catch (error) {
      await refused(error);
    }
  };

  const refused = async (error: unknown) => {
    showIssues(error, form.setError, [
      'title',
      'description',
      'categoryId',
      'duration',
      'totalQuestions',
      'endDate',
    ]);
    const isStale = error instanceof ApiError && error.code === 'STALE';
    showFailure('Failed to update Assessment', isStale ? STALE_SENTENCE : sentenceOf(error));
    if (!isStale) return;
    const list = await client.fetchQuery({ ...QUIZZES, staleTime: 0 }).catch(() => []);
    setTheirs(list.find((other) => other.id === quiz.id) ?? null);
  };

  const submitOver = ({ version }: Quiz) => form.handleSubmit(() => save(version), sayInvalid);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit Assessment"
      description="Attempts in progress keep their questions and deadline."
      unsaved={form.formState.isDirty}
      footer={
        <FormFooter formId={formId} busy={update.isPending && 'Saving…'}>
          Update Assessment
        </FormFooter>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void submitOver(base)(event)}
        className="grid gap-4"
      >
        {theirs !== null && (
          <StaleQuizNotice
            theirs={theirs}
            typed={form.getValues()}
            onTakeTheirs={() => {
              form.reset(quizFormValuesOf(theirs));
              setBase(theirs);
              setFilledFrom(theirs);
              setTheirs(null);
            }}
            onKeepMine={() => {
              setBase(theirs);
              setTheirs(null);
              void submitOver(theirs)();
            }}
          />
        )}
        <QuizFields form={form} withStatus />
      </form>
    </Dialog>
  );
}

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

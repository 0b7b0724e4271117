import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { t } from '@invigil/core/texts/i18n';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useRef, useState } from 'react';
import { fillForm } from '../../../lib/typed-since.ts';
import { ConnectionError, hasCode, sentenceOf } from '../../../net/api.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { quizQuery, useCreateQuiz, useUpdateQuiz } from '../../data/assessments.ts';
import { showFailure } from '../../data/show-failure.ts';
import { FormDialog } from '../../parts/dialogs.tsx';
import { staleSentence } from '../../parts/stale-notice.tsx';
import { type NewCategoryRef, QuizFields } from './quiz-fields.tsx';
import {
  NEW_QUIZ,
  quizFormValuesOf,
  useQuizForm,
  validateChangedQuiz,
  validateNewQuiz,
} from './quiz-form.ts';
import { StaleQuizNotice } from './stale-quiz-notice.tsx';

/** The form that changes an assessment. A concurrent change is never overwritten unseen. */
function useQuizSettings(quiz: Quiz, onSaved: () => void) {
  const formId = useId();
  const client = useQueryClient();
  const update = useUpdateQuiz(quiz.id);
  /** The version that a save replaces (optimistic lock). */
  const [base, setBase] = useState(quiz);
  const [filledFrom, setFilledFrom] = useState(quiz);
  const [theirs, setTheirs] = useState<Quiz | null>(null);
  const { form, sayInvalid } = useQuizForm(quizFormValuesOf(quiz), (values) =>
    validateChangedQuiz(values, { ...filledFrom, version: base.version }),
  );
  const fillFrom = (stored: Quiz, sent = form.getValues()) => {
    fillForm(form, sent, quizFormValuesOf(stored));
    setBase(stored);
    setFilledFrom(stored);
    setTheirs(null);
  };

  const save = async (version: number) => {
    const validated = validateChangedQuiz(form.getValues(), { ...filledFrom, version });
    if (!validated.ok) return;
    const sent = structuredClone(form.getValues());
    try {
      const saved = await update.mutateAsync(validated.body);
      toast({
        title: t('assessment.edit.done', 'Assessment updated'),
        description: saved.title,
      });
      fillFrom(saved, sent);
      onSaved();
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
      'opensAt',
      'endDate',
      'startBy',
    ]);
    const isStale = hasCode(error, 'STALE');
    showFailure(
      t('assessment.edit.failed', 'Failed to update Assessment'),
      isStale ? staleSentence() : sentenceOf(error),
    );
    if (!isStale) return;
    const read = client.fetchQuery({ ...quizQuery(quiz.id), staleTime: 0 });
    setTheirs(await read.catch(() => null));
  };

  const newCategory: NewCategoryRef = useRef(null);
  const submitOver = async ({ version }: Quiz) => {
    if ((await newCategory.current?.()) !== false) {
      await form.handleSubmit(() => save(version), sayInvalid)();
    }
  };
  return {
    formId,
    isDirty: form.formState.isDirty,
    busy: update.isPending && t(/* on a button while it is saved */ 'portal.saving', 'Saving…'),
    fields: (
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submitOver(base);
        }}
        className="grid gap-4"
      >
        {theirs !== null && (
          <StaleQuizNotice
            theirs={theirs}
            typed={form.getValues()}
            onTakeTheirs={() => fillFrom(theirs)}
            onKeepMine={() => {
              setBase(theirs);
              setTheirs(null);
              void submitOver(theirs);
            }}
          />
        )}
        <QuizFields form={form} quiz={filledFrom} newCategory={newCategory} />
      </form>
    ),
  };
}

const editSentence = () =>
  t('assessment.edit.about', 'Attempts in progress keep their questions and deadline.');

export function EditQuizDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const { formId, isDirty, busy, fields } = useQuizSettings(quiz, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(/* the title of a dialog */ 'assessment.edit.title', 'Edit Assessment')}
      description={editSentence()}
      size="wide"
      unsaved={isDirty}
      footer={
        <FormFooter formId={formId} busy={busy}>
          {t('assessment.edit.button', 'Update Assessment')}
        </FormFooter>
      }
    >
      {fields}
    </Dialog>
  );
}

/** The same on the page of an assessment, above what has forms of its own. */
export function QuizSettings({ quiz, children }: { quiz: Quiz; children?: ReactNode }) {
  const { formId, isDirty, busy, fields } = useQuizSettings(quiz, () => undefined);
  useUnsaved(isDirty);
  return (
    <div className="grid max-w-240 gap-4">
      <p className="text-ink-2">{editSentence()}</p>
      <Card>
        <div className="p-5">{fields}</div>
      </Card>
      <div className="sticky bottom-0 z-20 -mx-4 flex justify-end border-t border-line bg-canvas px-4 py-3 md:-mx-1 md:px-1">
        <Button variant="primary" type="submit" form={formId} busy={busy} aria-disabled={!isDirty}>
          {t('assessment.edit.button', 'Update Assessment')}
        </Button>
      </div>
      {children}
    </div>
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
  const newCategory: NewCategoryRef = useRef(null);
  return (
    <FormDialog
      form={form}
      beforeSubmit={() => newCategory.current?.() ?? Promise.resolve(true)}
      title={t(
        /* a button, and the title of a dialog */ 'assessments.create',
        'Create New Assessment',
      )}
      description={t(
        'assessment.create.about',
        'Start with the settings. You add questions and invitations next.',
      )}
      size="wide"
      submitLabel={t('assessment.create.button', 'Create Assessment')}
      busyLabel={t(/* an assessment; on the button */ 'portal.creating', 'Creating…')}
      failed={t('assessment.create.failed', 'Failed to create Assessment')}
      sentence={(error) =>
        error instanceof ConnectionError
          ? error.message
          : t('assessment.create.checkData', 'Please check your data and try again')
      }
      onInvalid={sayInvalid}
      onClose={onClose}
      onSubmit={async (values) => {
        const validated = validateNewQuiz(values);
        if (!validated.ok) return undefined;
        const quiz = await create.mutateAsync(validated.body);
        toast({
          title: t('assessment.create.done', 'Assessment created'),
          description: quiz.title,
        });
        onCreated(quiz);
        return undefined;
      }}
    >
      <QuizFields form={form} newCategory={newCategory} />
    </FormDialog>
  );
}

import type { Question } from '@invigil/core/contract/assessments/question-list';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { useQueryClient } from '@tanstack/react-query';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialogs/alert-dialog.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { scrollIntoView } from '../../../ui/scroll-into-view.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { STALE_SENTENCE } from '../../assessments/form/stale-quiz-notice.tsx';
import { KeyedOptions } from '../keyed-options.tsx';
import { typedQuestionOf } from '../question-fields.ts';
import { QuestionForm } from '../question-form.tsx';
import { questionsQuery, useUpdateQuestion } from '../questions-api.ts';

/** Edits a question inline. Existing papers keep the old version; later starts get the new one. */
export function EditQuestion({
  question,
  number,
  onDirtyChange,
  onDone,
  onKeyChanged,
}: {
  question: Question;
  number: number;
  onDirtyChange(dirty: boolean): void;
  onDone(): void;
  /** Saved with another correct answer. */
  onKeyChanged(saved: Question): void;
}) {
  const update = useUpdateQuestion(question.quizId);
  const client = useQueryClient();
  const [initial] = useState(() => typedQuestionOf(question));
  /** The version the form was filled from. */
  const [base, setBase] = useState(question);
  const [theirs, setTheirs] = useState<Question | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [asking, setAsking] = useState(false);

  const save = async (draft: QuestionDraft, isUntouched: () => boolean) => {
    try {
      const saved = await update.mutateAsync({ draft, base });
      toast({ title: 'Question updated' });
      // Keep input typed during the save, as a change of the stored version.
      if (isUntouched()) onDone();
      else setBase(saved);
      if (saved.correctAnswer !== base.correctAnswer) onKeyChanged(saved);
      return false;
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === 'STALE';
      toast({
        title: 'Failed to update question',
        description: isStale ? STALE_SENTENCE : sentenceOf(error),
        variant: 'destructive',
      });
      if (isStale) {
        const query = questionsQuery(question.quizId);
        const list = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => []);
        const now = list.find((other) => other.id === question.id) ?? null;
        setTheirs(now);
        // Saving again is then a deliberate choice.
        if (now !== null) setBase(now);
      }
      return false;
    }
  };

  return (
    <section aria-label={`Edit question ${number}`} className="grid gap-4">
      <h3>Edit question {number}</h3>
      {theirs !== null && (
        <div ref={scrollIntoView}>
          <Notice
            tone="warn"
            role="alert"
            icon={<Users />}
            title="Someone else has changed this question"
          >
            <p>Your changes are still below. Saving again replaces their version:</p>
            <p className="mt-2 font-medium whitespace-pre-wrap">{theirs.question}</p>
            <KeyedOptions options={theirs.options} correctAnswer={theirs.correctAnswer} />
          </Notice>
        </div>
      )}
      <QuestionForm
        initial={initial}
        startsFocused
        onDirtyChange={(dirty) => {
          setDirty(dirty);
          onDirtyChange(dirty);
        }}
        onSubmit={save}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => (isDirty ? setAsking(true) : onDone())}>Cancel</Button>
          <Button variant="primary" type="submit" busy={update.isPending && 'Saving…'}>
            Save question
          </Button>
        </div>
      </QuestionForm>
      <AlertDialog
        open={asking}
        onCancel={() => setAsking(false)}
        title="Discard your changes?"
        cancelLabel="Keep editing"
        confirmLabel="Discard"
        onConfirm={onDone}
      >
        Your changes have not been saved.
      </AlertDialog>
    </section>
  );
}

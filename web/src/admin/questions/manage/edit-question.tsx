import type { Question } from '@invigil/core/contract/assessments/question-list';
import { definitionOfDraft } from '@invigil/core/domain/questions/question-definition';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialogs/dialog.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { STALE_SENTENCE } from '../../assessments/form/stale-quiz-notice.tsx';
import { showFailure } from '../../failures.tsx';
import { definitionChanges } from '../editor/versions/definition-changes.ts';
import { StaleQuestionNotice } from '../editor/versions/stale-question-notice.tsx';
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
  /** What the form was filled from. */
  const [filled, setFilled] = useState(question);
  /** The stored version that a save replaces. */
  const [base, setBase] = useState(question);
  const [stale, setStale] = useState<{ theirs: Question; mine: QuestionDraft } | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [asking, setAsking] = useState(false);
  const region = useRef<HTMLElement>(null);
  const tellDirty = (dirty: boolean) => {
    setDirty(dirty);
    onDirtyChange(dirty);
  };

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
      showFailure('Failed to update question', isStale ? STALE_SENTENCE : sentenceOf(error));
      if (isStale) {
        const query = questionsQuery(question.quizId);
        const list = await client.fetchQuery({ ...query, staleTime: 0 }).catch(() => []);
        const theirs = list.find((other) => other.id === question.id);
        setStale(theirs ? { theirs, mine: draft } : null);
        // Saving again is then a deliberate choice.
        if (theirs) setBase(theirs);
      }
      return false;
    }
  };

  return (
    <section ref={region} aria-label={`Edit question ${number}`} className="grid gap-4">
      <h3>Edit question {number}</h3>
      {stale !== null && (
        <StaleQuestionNotice
          changes={definitionChanges(
            stale.theirs.definition ?? definitionOfDraft(stale.theirs),
            definitionOfDraft(stale.mine),
          )}
          onTakeTheirs={() => {
            setFilled(stale.theirs);
            setStale(null);
          }}
          onKeepMine={() => region.current?.querySelector('form')?.requestSubmit()}
        />
      )}
      <QuestionForm
        key={filled.version}
        initial={typedQuestionOf(filled)}
        startsFocused
        onDirtyChange={tellDirty}
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

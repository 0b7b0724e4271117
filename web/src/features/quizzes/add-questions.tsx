import type { QuestionDraft } from '@invigil/core/domain/question-options';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { NO_QUESTION } from './question-fields.ts';
import { QuestionForm } from './question-form.tsx';
import { useCreateQuestion } from './questions-api.ts';
import { UploadQuestions } from './upload-questions.tsx';

/** Add Questions: one by hand, or many from a file. */
export function AddQuestions({
  quizId,
  count,
  onDirtyChange,
  onImported,
}: {
  quizId: string;
  /** How many there are; a new one comes after them. */
  count: number;
  onDirtyChange(dirty: boolean): void;
  onImported(): void;
}) {
  const create = useCreateQuestion(quizId);
  const [typing, setTyping] = useState(false);
  const [uploading, setUploading] = useState(false);
  const isDirty = typing || uploading;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  const add = useCallback(
    async (draft: QuestionDraft) => {
      try {
        await create.mutateAsync({ draft, orderNumber: count + 1 });
        toast({ title: 'Question added', description: `It is number ${count + 1}.` });
        return true;
      } catch (error) {
        toast({
          title: 'Failed to add question',
          description: sentenceOf(error),
          variant: 'destructive',
        });
        return false;
      }
    },
    [create, count],
  );

  return (
    <div className="grid gap-8">
      <section aria-label="Add manually" className="grid gap-4">
        <h3>Add manually</h3>
        <QuestionForm initial={NO_QUESTION} onDirtyChange={setTyping} onSubmit={add}>
          <div className="flex justify-end">
            <Button
              type="submit"
              // Once a file waits, importing it is what the page is about.
              variant={uploading ? 'secondary' : 'primary'}
              busy={create.isPending && 'Adding…'}
              icon={<Plus aria-hidden="true" strokeWidth={1.5} />}
            >
              Add Question
            </Button>
          </div>
        </QuestionForm>
      </section>
      <section aria-label="Upload CSV" className="grid gap-4 border-t border-line pt-6">
        <h3>Upload CSV</h3>
        <UploadQuestions
          quizId={quizId}
          count={count}
          onPendingChange={setUploading}
          onImported={onImported}
        />
      </section>
    </div>
  );
}

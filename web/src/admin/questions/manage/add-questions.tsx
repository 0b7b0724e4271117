import type { Question } from '@invigil/core/contract/assessments/question-list';
import type { QuestionDraft } from '@invigil/core/domain/questions/question-options';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp, Maximize2, Plus } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { answerWasLost, sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { leaveFor } from '../../../ui/dialogs/unsaved.ts';
import { scrollIntoViewAndFocus } from '../../../ui/scroll-into-view.ts';
import { toast } from '../../../ui/toasts/toast.ts';
import { showFailure } from '../../failures.tsx';
import { UploadQuestions } from '../import/upload-questions.tsx';
import { NO_QUESTION } from '../question-fields.ts';
import { QuestionForm } from '../question-form.tsx';
import { questionsKey, useCreateQuestion } from '../questions-api.ts';

/** Add Questions: one by form, or many from a file. */
export function AddQuestions({
  quizId,
  onDirtyChange,
  onImported,
}: {
  quizId: string;
  onDirtyChange(dirty: boolean): void;
  onImported(ids: string[]): void;
}) {
  const create = useCreateQuestion(quizId);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [typing, setTyping] = useState(false);
  const [uploading, setUploading] = useState(false);
  const upload = useRef<HTMLElement>(null);
  const isDirty = typing || uploading;
  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  const add = useCallback(
    async (draft: QuestionDraft) => {
      try {
        const { id } = await create.mutateAsync(draft);
        const list = client.getQueryData<Question[]>(questionsKey(quizId)) ?? [];
        const number = list.findIndex((question) => question.id === id) + 1;
        toast({
          title: 'Question added',
          ...(number === 0 ? {} : { description: `It is number ${number}.` }),
        });
        return true;
      } catch (error) {
        showFailure(
          'Failed to add question',
          answerWasLost(error)
            ? 'The server did not respond. The question may have been added. Check the list before you add it again.'
            : sentenceOf(error),
        );
        return false;
      }
    },
    [create, client, quizId],
  );

  return (
    <div className="grid gap-8">
      <section aria-label="Add manually" className="grid gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3>Add manually</h3>
          <span className="flex flex-wrap gap-x-1">
            <Button
              variant="ghost"
              size="dense"
              icon={<Maximize2 />}
              onClick={() =>
                leaveFor(() =>
                  navigate(`/admin/questions/new?quiz=${quizId}`, {
                    state: { questionsOf: quizId },
                  }),
                )
              }
            >
              Open the question editor
            </Button>
            <Button
              variant="ghost"
              size="dense"
              icon={<FileUp />}
              onClick={() => scrollIntoViewAndFocus(upload.current)}
            >
              Upload a CSV file instead
            </Button>
          </span>
        </div>
        <QuestionForm
          initial={NO_QUESTION}
          onDirtyChange={(dirty) => {
            setTyping(dirty);
            onDirtyChange(dirty || uploading);
          }}
          onSubmit={add}
        >
          <div className="flex justify-end">
            <Button
              type="submit"
              // With a file selected, importing is the primary action.
              variant={uploading ? 'secondary' : 'primary'}
              busy={create.isPending && 'Adding…'}
              icon={<Plus />}
            >
              Add Question
            </Button>
          </div>
        </QuestionForm>
      </section>
      <section
        ref={upload}
        aria-label="Upload CSV"
        tabIndex={-1}
        className="grid scroll-mt-4 gap-4 border-t border-line pt-6 outline-none"
      >
        <h3>Upload CSV</h3>
        <UploadQuestions quizId={quizId} onPendingChange={setUploading} onImported={onImported} />
        <p className="text-ink-2">
          Excel, Moodle, Canvas, GIFT and QTI files have{' '}
          <Link
            to={`/admin/questions/import?quizId=${quizId}`}
            className="text-accent-ink underline underline-offset-4"
          >
            a page of their own
          </Link>
          .
        </p>
      </section>
    </div>
  );
}

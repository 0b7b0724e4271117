import type { Quiz } from '@invigil/core/contract/quizzes';
import { previewQuiz } from '@invigil/core/contract/quizzes';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { sentenceOf } from '../../lib/api.ts';
import { endpointQuery } from '../../lib/endpoint-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

const LETTERS = 'ABCD';

/** Preview: a paper as a candidate could get it. No attempt is made and nothing is stored. */
export function PreviewQuizDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const paper = useQuery({
    ...endpointQuery(previewQuiz, { params: { id: quiz.id } }),
    // Each look is another draw.
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={quiz.title}
      description={`Preview of one paper, ${quiz.duration} minutes. No attempt is made and nothing is stored.`}
      footer={
        <>
          <Button
            className="md:mr-auto"
            icon={<RefreshCw aria-hidden="true" strokeWidth={1.5} />}
            busy={paper.isFetching && 'Drawing…'}
            onClick={() => void paper.refetch()}
          >
            Draw another paper
          </Button>
          <DialogClose>
            <Button variant="primary" data-autofocus="">
              Done
            </Button>
          </DialogClose>
        </>
      }
    >
      {paper.isError ? (
        <FailureNotice title="No preview" onRetry={() => void paper.refetch()}>
          {sentenceOf(paper.error)}
        </FailureNotice>
      ) : paper.isPending ? (
        <SkeletonRows>Loading questions...</SkeletonRows>
      ) : (
        <ol className="grid gap-8">
          {paper.data.map((question, index) => (
            <li key={question.id}>
              <p className="text-sm text-ink-3 tabular-nums">
                Question {index + 1} of {paper.data.length}
              </p>
              <p className="mt-1 text-lg font-medium break-words whitespace-pre-line">
                {question.question}
              </p>
              <ol className="mt-3 grid gap-2">
                {question.options.map((option, place) => (
                  <li
                    key={option}
                    className="flex min-h-12 items-start gap-3 rounded-md border border-line px-3.5 py-2.5 text-md"
                  >
                    <span
                      aria-hidden="true"
                      data-shape=""
                      className="grid size-6.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong text-xs font-semibold text-ink-2"
                    >
                      {LETTERS.charAt(place)}
                    </span>
                    <span className="min-w-0 break-words whitespace-pre-line">{option}</span>
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  );
}

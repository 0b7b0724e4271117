import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { previewQuiz } from '@invigil/core/contract/assessments/quizzes';
import { useQuery } from '@tanstack/react-query';
import { Clock, Eye, RefreshCw, X } from 'lucide-react';
import { sentenceOf } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Mark } from '../../../ui/badges/mark.tsx';
import { Button } from '../../../ui/button.tsx';
import { FullScreenDialog } from '../../../ui/dialogs/full-screen-dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { PreviewPaper } from './preview-paper.tsx';

/** Previews a paper as a candidate could get it. Creates no attempt and stores nothing. */
export function PreviewQuizDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const paper = useQuery({
    ...endpointQuery(previewQuiz, { params: { id: quiz.id } }),
    // Each opening draws another paper.
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return (
    <FullScreenDialog title={`Preview of ${quiz.title}`} onClose={onClose}>
      <header className="sticky top-0 z-30 flex min-h-14 items-center gap-x-2.5 border-b border-line bg-surface py-1 pr-3 pl-4 lg:min-h-16 lg:gap-x-4 lg:px-6">
        <span className="hidden flex-none lg:block">
          <Mark />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block truncate font-semibold">{quiz.title}</span>
          <span className="flex items-center gap-1.5 text-xs text-warn-ink">
            <Eye className="size-3.5 flex-none" />
            <span className="truncate">Preview. Nothing is saved.</span>
          </span>
        </span>
        <span className="inline-flex flex-none items-center gap-1.5 text-sm text-ink-2 max-sm:hidden">
          <Clock className="size-4" />
          {`${quiz.duration} minutes`}
        </span>
        <Button
          size="dense"
          className="max-sm:hidden"
          icon={<RefreshCw />}
          busy={paper.isFetching && 'Generating…'}
          onClick={() => void paper.refetch()}
        >
          Generate another paper
        </Button>
        <IconButton
          label="Generate another paper"
          side="bottom"
          className="sm:hidden"
          onClick={() => void paper.refetch()}
        >
          <RefreshCw />
        </IconButton>
        <IconButton label="Close preview" side="bottom" onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {paper.isError ? (
        <main className="mx-auto max-w-192 p-5">
          <FailureNotice
            title="No preview"
            onRetry={() => void paper.refetch()}
            retrying={paper.isFetching}
          >
            {sentenceOf(paper.error)}
          </FailureNotice>
        </main>
      ) : paper.isPending ? (
        <main className="mx-auto max-w-192 p-5">
          <SkeletonRows>Loading questions...</SkeletonRows>
        </main>
      ) : (
        // A new draw starts at its first question without answers.
        <PreviewPaper
          key={paper.dataUpdatedAt}
          paper={paper.data}
          negativeMarks={quiz.negativeMarks}
          onClose={onClose}
        />
      )}
    </FullScreenDialog>
  );
}

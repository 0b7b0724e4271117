import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { sentenceOf } from '../../../net/api.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { useQuizzes } from '../api.ts';
import { useStructure } from './sections-api.ts';
import { SectionsEditor } from './sections-editor.tsx';

/** /admin/quizzes/:id/sections: what the papers of an assessment consist of. */
export function SectionsScreen() {
  const { id = '' } = useParams();
  const quizzes = useQuizzes();
  const structure = useStructure(id);
  const quiz = quizzes.data?.find((each) => each.id === id);
  const failed = quizzes.isError ? quizzes : structure.isError ? structure : null;
  return (
    <>
      <Link
        to="/admin/quizzes"
        className="mb-3 inline-flex items-center gap-2 text-sm font-medium text-ink-2 hover:text-ink touch:min-h-11"
      >
        <ArrowLeft className="size-4" />
        Assessment Management
      </Link>
      {quiz !== undefined && structure.data !== undefined ? (
        <SectionsEditor key={quiz.id} quiz={quiz} stored={structure.data} />
      ) : quizzes.isSuccess && quiz === undefined ? (
        <EmptyState>This assessment does not exist or was deleted.</EmptyState>
      ) : failed !== null ? (
        <FailureNotice
          title="Failed to load sections"
          onRetry={() => {
            void quizzes.refetch();
            void structure.refetch();
          }}
          retrying={failed.isFetching}
        >
          {sentenceOf(failed.error)}
        </FailureNotice>
      ) : (
        <SkeletonRows>Loading sections...</SkeletonRows>
      )}
    </>
  );
}

import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/tables/empty-state.tsx';
import { useQuizzes } from '../../assessments/api.ts';
import { LoadFailure } from '../../failures.tsx';
import { InvitationsPage } from './invitations-page.tsx';

/** /admin/quizzes/:id/invitations: the people invited to an assessment and their progress. */
export function InvitationsScreen() {
  const { id } = useParams();
  const quizzes = useQuizzes();
  const quiz = quizzes.data?.find((each: Quiz) => each.id === id);
  return (
    <>
      <Link
        to="/admin/quizzes"
        className="mb-3 inline-flex items-center gap-2 text-sm font-medium text-ink-2 hover:text-ink touch:min-h-11"
      >
        <ArrowLeft className="size-4" />
        Assessment Management
      </Link>
      {quiz !== undefined ? (
        <InvitationsPage key={quiz.id} quiz={quiz} />
      ) : quizzes.isPending ? (
        <SkeletonRows>Loading invitations...</SkeletonRows>
      ) : quizzes.isError ? (
        <LoadFailure title="Failed to load invitations" read={quizzes} />
      ) : (
        <EmptyState>This assessment does not exist or was deleted.</EmptyState>
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { QUIZZES } from './api.ts';

/** The title of an assessment as the way to its page, which a deleted one does not have. */
export function QuizLink({ quizId, title }: { quizId: string; title: string }) {
  // The screen reads the list when it opens; rows that come later do not.
  const { data } = useQuery({ ...QUIZZES, refetchOnMount: true });
  const isListed = data?.some(({ id }) => id === quizId) ?? false;
  if (!isListed) return title;
  return (
    <Link
      to={`/admin/quizzes/${quizId}`}
      // Above the link to a record that covers the row.
      className="relative z-1 underline-offset-4 hover:text-accent-ink hover:underline touch:-my-3 touch:inline-block touch:max-w-full touch:py-3"
    >
      {title}
    </Link>
  );
}

import { Link } from 'react-router';
import { useQuizzes } from './api.ts';

/** The title of an assessment as the way to its page, which a deleted one does not have. */
export function QuizLink({ quizId, title }: { quizId: string; title: string }) {
  const isListed = useQuizzes().data?.some(({ id }) => id === quizId) ?? false;
  if (!isListed) return title;
  return (
    <Link
      to={`/admin/quizzes/${quizId}`}
      // Above the link to a record that covers the row.
      className="relative z-1 underline-offset-4 hover:text-accent-ink hover:underline touch:-my-3 touch:inline-block touch:py-3"
    >
      {title}
    </Link>
  );
}

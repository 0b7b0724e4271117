import { useQuery } from '@tanstack/react-query';
import { QUIZZES } from '../data/assessments.ts';
import { RowLink } from './links.tsx';

/** The title of an assessment as the way to its page, which a deleted one does not have. */
export function QuizLink({ quizId, title }: { quizId: string; title: string }) {
  // The screen reads the list when it opens; rows that come later do not.
  const { data } = useQuery({ ...QUIZZES, refetchOnMount: true });
  const isListed = data?.some(({ id }) => id === quizId) ?? false;
  return isListed ? <RowLink to={`/admin/quizzes/${quizId}`}>{title}</RowLink> : title;
}

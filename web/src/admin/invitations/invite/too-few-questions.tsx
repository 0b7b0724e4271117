import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { TriangleAlert } from 'lucide-react';
import { Notice } from '../../../ui/notice.tsx';

/** Warns when people are invited before the questions are complete. */
export function TooFewQuestions({ quiz }: { quiz: Quiz }) {
  const { questionCount, totalQuestions } = quiz;
  if (questionCount >= totalQuestions) return null;
  return (
    <Notice tone="warn" icon={<TriangleAlert />}>
      {questionCount === 0
        ? `This assessment has no questions yet but needs ${totalQuestions}. No one can start it until you add some.`
        : `This assessment has ${questionCount} questions but needs ${totalQuestions}. Candidates get every question there is.`}
    </Notice>
  );
}

import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { z } from 'zod';
import { sentenceOf } from '../../../net/api.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useQuizzes } from '../../assessments/api.ts';
import { useBankQuestion } from '../questions-api.ts';
import { QuestionEditor } from './question-editor.tsx';

/** History state: opened from the questions of this assessment. */
const FromQuestions = z.object({ questionsOf: z.string() });

/**
 * /admin/questions/new (`?quiz=`: for this assessment) and /admin/questions/:id. A new question keeps
 * its form when it gets its id.
 */
export function QuestionEditorScreen() {
  const { id = 'new' } = useParams();
  const [created, setCreated] = useState<BankQuestion | null>(null);
  const [address] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const quizzes = useQuizzes();
  const isStored = id !== 'new' && id !== created?.id;
  const question = useBankQuestion(isStored ? id : null);
  const quiz = quizzes.data?.find((one) => one.id === address.get('quiz')) ?? null;

  const leave = (quizId: string | null) => {
    const from = FromQuestions.safeParse(state).data?.questionsOf;
    if (from === undefined && hasPageBefore()) void navigate(-1);
    else if ((from ?? quizId) === null) void navigate('/admin/questions');
    else void navigate('/admin/quizzes', { state: { questionsOf: from ?? quizId } });
  };
  // A failed second read leaves the form as it is.
  if (isStored ? question.isLoadingError : address.has('quiz') && quizzes.isLoadingError) {
    return (
      <FailureNotice
        title="Could not load the question"
        onRetry={() => void (isStored ? question : quizzes).refetch()}
        retrying={question.isFetching || quizzes.isFetching}
      >
        {sentenceOf(isStored ? question.error : quizzes.error)}
      </FailureNotice>
    );
  }
  // For its title; the question itself needs only the id.
  const isLoading = isStored ? question.isPending : address.has('quiz') && quizzes.isPending;
  if (isLoading) return <SkeletonRows rows={6}>Loading question...</SkeletonRows>;
  const stored = isStored ? (question.data ?? null) : null;
  return (
    <QuestionEditor
      key={isStored ? id : 'new'}
      stored={stored}
      quiz={quiz === null ? null : { id: quiz.id, title: quiz.title }}
      usedIn={(isStored ? (question.data?.usedIn ?? []) : [])
        .filter(({ quizId }) => quizId !== stored?.quizId)
        .map(({ title }) => title)}
      onCreated={(saved) => {
        setCreated(saved);
        void navigate(`/admin/questions/${saved.id}`, { replace: true, state });
      }}
      onLeave={() => leave(stored?.quizId ?? created?.quizId ?? quiz?.id ?? null)}
    />
  );
}

/** Whether a step back stays in the app: by the entry's index, as stored by the router. */
function hasPageBefore(): boolean {
  const state: unknown = window.history.state;
  const index = typeof state === 'object' && state !== null ? Reflect.get(state, 'idx') : 0;
  return typeof index === 'number' && index > 0;
}

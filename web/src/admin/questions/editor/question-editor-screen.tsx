import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import type { Work } from '@invigil/core/contract/installation/works';
import { t } from '@invigil/core/texts/i18n';
import { useState } from 'react';
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { z } from 'zod';
import { hasCode, sentenceOf } from '../../../net/api.ts';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useQuiz } from '../../data/assessments.ts';
import { useBankQuestion, useQuestionOrder } from '../../data/questions.ts';
import { useForgetWork, useWorks } from '../../data/works.ts';
import type { Neighbours } from './editor-header.tsx';
import { QuestionEditor } from './question-editor.tsx';
import { NEW_QUESTION } from './state/question-values.ts';

/** The router's key for the page that the tab was opened with: a step back would leave the app. */
const FIRST_KEY = 'default';

/** History state. */
const Opened = z.object({
  startsAt: z.enum(['text', 'title']).optional(),
});

/** A new question is after the last. */
function useNeighbours(quizId: string | null, id: string): Neighbours | null {
  const order = useQuestionOrder(quizId);
  const { state } = useLocation();
  const navigate = useNavigate();
  const open = (other: string | undefined) =>
    other === undefined
      ? undefined
      : () =>
          void navigate(`/admin/questions/${other}?quiz=${quizId}`, {
            state: { ...Opened.safeParse(state).data, startsAt: 'title' },
          });
  if (order.length === 0) return null;
  const place = order.indexOf(id);
  return place < 0
    ? { words: '', onPrevious: open(order.at(-1)), onNext: undefined }
    : {
        words: t(/* the place of a question among all */ 'editor.place', '{place} of {count}', {
          place: place + 1,
          count: order.length,
        }),
        onPrevious: open(order[place - 1]),
        onNext: open(order[place + 1]),
      };
}

/** Says which work is under way on a question that was deleted. */
const UNDER_WAY: Record<Work['kind'], () => string> = {
  'questions.import': () =>
    t(/* of a question that was deleted */ 'editor.gone.import', 'Import of it is under way.'),
  'scores.check': () =>
    t(
      /* of a question that was deleted */ 'editor.gone.check',
      'Check of scores of it is under way.',
    ),
  'scores.correct': () =>
    t(
      /* of a question that was deleted */ 'editor.gone.rescoring',
      'Rescoring of it is under way.',
    ),
};

const ENDED: Record<Work['kind'], () => string> = {
  'questions.import': () =>
    t(/* of a question that was deleted */ 'editor.gone.importEnded', 'Import of it has ended.'),
  'scores.check': () =>
    t(
      /* of a question that was deleted */ 'editor.gone.checkEnded',
      'Check of scores of it has ended.',
    ),
  'scores.correct': () =>
    t(
      /* of a question that was deleted */ 'editor.gone.rescoringEnded',
      'Rescoring of it has ended.',
    ),
};

/** Work of a question that was deleted is taken off the list here, where the list leads. */
function QuestionGone({ id }: { id: string }) {
  const work = useWorks().find(({ questionId }) => questionId === id);
  const forget = useForgetWork();
  const title = t('editor.gone', 'The question was deleted, or you no longer have access');
  if (work === undefined) return <FailureNotice title={title} />;
  const isRunning = work.state === 'running';
  return (
    <FailureNotice
      title={title}
      retryLabel={
        isRunning
          ? t(/* a button: cancels work that is under way */ 'editor.gone.cancel', 'Cancel it')
          : t(/* a button: work that has ended */ 'editor.gone.forget', 'Take it off the list')
      }
      onRetry={() => forget.mutate(work.id)}
    >
      {isRunning ? UNDER_WAY[work.kind]() : ENDED[work.kind]()}
    </FailureNotice>
  );
}

/**
 * /admin/questions/new and /admin/questions/:id, both with `?quiz=` (among the questions of this
 * assessment) and `&section=` (for its section with this id). A new question keeps its form when it gets its id.
 */
export function QuestionEditorScreen() {
  const { id = 'new' } = useParams();
  const [created, setCreated] = useState<BankQuestion | null>(null);
  // Another question was opened: when its address is opened again, it is read.
  if (created !== null && id !== 'new' && id !== created.id) setCreated(null);
  const [fresh, setFresh] = useState({ round: 0, values: NEW_QUESTION });
  const [address] = useSearchParams();
  const { state, key, search } = useLocation();
  const navigate = useNavigate();
  const isStored = id !== 'new' && id !== created?.id;
  const question = useBankQuestion(isStored ? id : null);
  const quizId = address.get('quiz');
  const ofQuiz = useQuiz(quizId);
  const quiz = ofQuiz.data ?? null;
  const sectionId = address.get('section');
  const neighbours = useNeighbours(quizId, id);
  const { startsAt } = Opened.safeParse(state).data ?? {};

  /** `owner`: the assessment of a question that was opened outside it. */
  const leave = (owner: string | null) => {
    const tab = quizId ?? (key === FIRST_KEY ? owner : null);
    if (tab !== null) void navigate(`/admin/quizzes/${tab}/questions`);
    else if (key === FIRST_KEY) void navigate('/admin/questions');
    else void navigate(-1);
  };
  // A failed second read leaves the form as it is.
  if (question.isLoadingError && hasCode(question.error, 'NOT_FOUND')) {
    return <QuestionGone id={id} />;
  }
  const isLost = ofQuiz.isLoadingError && !hasCode(ofQuiz.error, 'NOT_FOUND');
  if (isStored ? question.isLoadingError : isLost) {
    return (
      <FailureNotice
        title={t('editor.failedLoad', 'Could not load the question')}
        onRetry={() => void (isStored ? question : ofQuiz).refetch()}
        retrying={question.isFetching || ofQuiz.isFetching}
      >
        {sentenceOf(isStored ? question.error : ofQuiz.error)}
      </FailureNotice>
    );
  }
  // The assessment is loaded for its title; the question itself needs only the id.
  const isLoading = isStored ? question.isPending : quizId !== null && ofQuiz.isPending;
  if (isLoading)
    return <SkeletonRows rows={6}>{t('editor.loading', 'Loading question...')}</SkeletonRows>;
  const stored = isStored ? (question.data ?? null) : null;
  return (
    <QuestionEditor
      key={isStored ? id : `new-${fresh.round}`}
      stored={stored}
      quiz={quiz === null ? null : { id: quiz.id, title: quiz.title }}
      section={quizId !== null && sectionId !== null ? { quizId, sectionId } : null}
      initial={fresh.values}
      startsAt={startsAt ?? (id === 'new' ? 'text' : undefined)}
      neighbours={neighbours}
      usedIn={(isStored ? (question.data?.usedIn ?? []) : [])
        .filter(({ quizId }) => quizId !== stored?.quizId)
        .map(({ title }) => title)}
      onCreated={(saved) => {
        setCreated(saved);
        void navigate(
          { pathname: `/admin/questions/${saved.id}`, search },
          { replace: true, state },
        );
      }}
      onNew={(values) => {
        setCreated(null);
        setFresh(({ round }) => ({ round: round + 1, values }));
        void navigate(
          { pathname: '/admin/questions/new', search },
          { replace: true, state: { startsAt: 'text' } },
        );
      }}
      onLeave={() => leave(stored?.quizId ?? created?.quizId ?? quiz?.id ?? null)}
    />
  );
}

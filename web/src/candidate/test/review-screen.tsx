import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { t } from '@invigil/core/texts/i18n';
import { Check, Pencil, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { AnswerValue } from '../../answer-sync/answer-sheet.ts';
import { pointsText } from '../../lib/format.ts';
import { AnswerField } from '../../question-view/answer-field.tsx';
import { isAnswered, toCheckIn } from '../../question-view/answer-value.ts';
import { Content } from '../../question-view/content.tsx';
import { QuestionBubble, QuestionLegend } from '../../question-view/question-bubble.tsx';
import { questionCounts, spokenState } from '../../question-view/question-state.ts';
import { StatusBadge } from '../../ui/badges/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Region } from '../../ui/region.tsx';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { FloatingMonitor, MonitorStrip, showsCamera } from '../notices/camera-overlay.tsx';
import { DetectedNotices, OfflineAdvice, TroubleNotices } from '../notices/notices.tsx';
import { useOverlayPlace } from '../notices/overlay-corner.ts';
import {
  openSentence,
  questionStates,
  toCheckSentence,
  useCurrentQuestion,
} from '../question-states.ts';
import { FeedbackDialog } from './feedback-dialog.tsx';
import { HandButton, HandNotice } from './hand.tsx';
import { PlainSubmit } from './plain-test.tsx';

const inLegend = () => ({
  flagged: t(/* a question, in the legend */ 'review.legend.flagged', 'Flagged'),
  unanswered: t(/* a question, in the legend */ 'review.legend.unanswered', 'Unanswered'),
});
const spoken = () => ({
  flagged: t(/* a question, in a list of what it is */ 'review.spoken.flagged', 'flagged'),
  unanswered: t(
    /* a question, in a list of what it is */
    'review.spoken.unanswered',
    'unanswered',
  ),
});

export function ReviewScreen() {
  const { paper, sync, participant, phase } = useAttempt();
  const [current, go] = useCurrentQuestion(paper);
  const [asking, setAsking] = useState(false);
  const corner = useOverlayPlace();
  const question = paper[current];
  if (question === undefined || participant === null) return null;
  const states = questionStates(paper, sync.values);
  const { answered } = questionCounts(states);
  const submitting = phase.kind === 'submitting';
  const camera = showsCamera(participant.policy);
  // The column makes room for the camera picture if there is no gutter.
  const aside = corner.endsWith('left')
    ? 'lg:max-[1343px]:me-6 lg:max-[1343px]:ms-66'
    : 'lg:max-[1343px]:me-66 lg:max-[1343px]:ms-6';

  const submitButton = (label: string, className: string) => (
    <Button
      variant="primary"
      size="large"
      busy={submitting && t('test.submitting', 'Submitting...')}
      className={className}
      onClick={() => setAsking(true)}
    >
      {label}
    </Button>
  );

  return (
    <>
      <title>{`${t(/* title of the page; a noun */ 'review.page', 'Review')} · Invigil`}</title>
      <main>
        <Region
          name="The camera picture"
          fallback={t('region.cameraPicture', 'The camera picture could not be shown')}
        >
          <MonitorStrip policy={participant.policy} className={camera ? 'md:hidden' : ''} />
        </Region>
        <div
          className={`mx-auto w-full max-w-208 px-4 pt-5 pb-28 md:px-6 md:pt-9 ${camera ? `lg:max-[1343px]:w-auto lg:max-[1343px]:max-w-none lg:max-[1343px]:px-0 ${aside}` : ''}`}
        >
          <HandNotice />
          <TroubleNotices policy={participant.policy} />
          <Region
            name="The notices of the monitoring"
            fallback={t(
              'region.monitoringNotices',
              'The notices of the monitoring could not be shown',
            )}
          >
            <DetectedNotices className="mb-5" />
          </Region>
          <div className="flex flex-col gap-2 md:flex-row md:items-end md:justify-between md:gap-6">
            <div>
              <h1 className="md:text-[1.75rem]! md:leading-9!">
                {t('review.title', 'Review Your Answers')}
              </h1>
              <p className="mt-0.5 text-md text-ink-2">
                {t('review.subtitle', 'Review and modify your answers before final submission')}
              </p>
            </div>
            <p className="text-md font-medium whitespace-nowrap">
              {t('review.progress', '{total, plural, other {{answered} of # questions answered}}', {
                answered,
                total: paper.length,
              })}
            </p>
          </div>

          <section
            aria-label={t('test.questions', 'Questions')}
            className="mt-5 rounded-lg border border-line bg-surface md:mt-6"
          >
            <ol className="grid grid-cols-[repeat(auto-fill,2.5rem)] justify-between gap-x-2 gap-y-3 p-3.5 md:gap-x-4.5 md:gap-y-3.5 md:px-5 md:py-4.5">
              {states.map((state, index) => (
                <li key={state.id} className="grid">
                  <QuestionBubble
                    state={state}
                    current={index === current}
                    size="normal"
                    aria-label={spokenState(state, spoken())}
                    onClick={() => go(index)}
                  />
                </li>
              ))}
            </ol>
            <QuestionLegend
              words={inLegend()}
              toCheck={states.some((state) => state.toCheck !== undefined)}
              className="grid grid-cols-2 gap-x-5.5 gap-y-2 border-t border-line px-3.5 py-3 md:flex md:flex-wrap md:px-5"
            />
          </section>

          {/* Selecting a bubble does not move the focus, so the question is announced. */}
          <p role="status" className="sr-only">
            {t('review.shown', 'Question {number} of {total} is shown', {
              number: current + 1,
              total: paper.length,
            })}
          </p>
          {/* Another question starts in read mode. */}
          <Region
            key={question.id}
            name="This question"
            fallback={t('region.thisQuestion', 'This question could not be shown')}
          >
            <ReviewQuestion
              question={question}
              number={current + 1}
              value={sync.values.get(question.id) ?? { answer: '', isFlagged: false }}
            />
          </Region>

          <Region name="A notice" fallback={t('region.notice', 'A notice could not be shown')}>
            <OfflineAdvice className="mt-4" />
          </Region>
          <div className="mt-4 lg:hidden">
            <HandButton />
          </div>
          <div className="mt-6 hidden items-center justify-between gap-6 md:flex">
            <div>
              <p className="text-ink-2">{openSentence(states)}</p>
              <BackToQuestions />
            </div>
            {submitButton(t('review.submit', 'Submit Final Assessment'), 'flex-none')}
          </div>
          <div className="mt-5 md:hidden">
            <BackToQuestions />
          </div>
        </div>
      </main>
      <div className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface px-[max(1rem,env(safe-area-inset-left),env(safe-area-inset-right))] py-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] short:pt-0 short:pb-[env(safe-area-inset-bottom)] md:hidden">
        {submitButton(t('test.submit', 'Submit Assessment'), 'w-full')}
      </div>
      <Region
        name="The camera picture"
        fallback={t('region.cameraPicture', 'The camera picture could not be shown')}
      >
        <FloatingMonitor policy={participant.policy} />
      </Region>
      <Region name="The submit" fallback={() => <PlainSubmit isSending={submitting} />}>
        <FeedbackDialog
          open={asking || submitting}
          submitting={submitting}
          unanswered={paper.length - answered}
          toCheck={toCheckSentence(states)}
          onClose={() => setAsking(false)}
          onSubmit={(feedback) => currentAttempt.submit(feedback)}
        />
      </Region>
    </>
  );
}

function BackToQuestions() {
  return (
    <Link
      to="/quiz/assessment"
      className="inline-flex items-center font-medium text-accent-ink underline underline-offset-4 touch:min-h-11"
    >
      {t('review.back', 'Back to the questions')}
    </Link>
  );
}

function ReviewQuestion({
  question,
  number,
  value,
}: {
  question: PaperQuestion;
  number: number;
  value: AnswerValue;
}) {
  /** The selection when editing began; `null` outside edit mode. */
  const [before, setBefore] = useState<string | null>(null);
  const edit = useRef<HTMLButtonElement>(null);
  const editing = before !== null;
  const toCheck = toCheckIn(question, value.answer) !== null;
  const answered = isAnswered(question, value.answer);
  const title = t('review.question', 'Question {number}', { number });
  const status = toCheck ? 'to_check' : answered ? 'answered' : 'not_answered';
  return (
    <section
      aria-label={title}
      className="mt-4 rounded-lg border border-line bg-surface p-4 md:px-6 md:pt-5 md:pb-6"
    >
      {question.section !== undefined && (
        <p dir="auto" className="mb-1 text-ink-2 break-words">
          {question.section}
        </p>
      )}
      <div className="mb-2 flex flex-wrap items-center gap-3">
        <span className="font-medium">{title}</span>
        {question.points !== undefined && (
          <span className="text-ink-2">{pointsText(question.points)}</span>
        )}
        <StatusBadge status={status} />
        <span className="ms-auto flex flex-wrap gap-2">
          {editing && (
            <Button
              icon={<Check />}
              onClick={() => {
                // This button disappears; the one beside it becomes "Edit Answer".
                edit.current?.focus();
                setBefore(null);
              }}
            >
              {t(/* a button: the answer is as it should be */ 'review.done', 'Done')}
            </Button>
          )}
          <Button
            ref={edit}
            icon={editing ? <X /> : <Pencil />}
            onClick={() => {
              if (before === null) return setBefore(value.answer);
              currentAttempt.answers?.change(question.id, { answer: before });
              setBefore(null);
            }}
          >
            {editing
              ? t(/* a button: the answer stays as it was */ 'review.cancel', 'Cancel')
              : t('review.edit', 'Edit Answer')}
          </Button>
        </span>
      </div>
      {question.format === 'markdown' ? (
        <div
          dir="auto"
          className="me-auto mb-5 max-w-[62ch] text-[length:calc(1rem*var(--reading,1))] leading-normal"
        >
          <Content text={question.question} format="markdown" links="shown" />
        </div>
      ) : (
        <h2
          dir="auto"
          className="me-auto mb-5 max-w-[62ch] text-[length:calc(1.125rem*var(--reading,1))]! leading-[1.556]! font-normal! break-words whitespace-pre-wrap"
        >
          {question.question}
        </h2>
      )}
      <AnswerField
        question={question}
        value={value.answer}
        readOnly={!editing}
        dense
        onSelect={(option) => currentAttempt.answers?.change(question.id, { answer: option })}
        onType={(text) => currentAttempt.answers?.type(question.id, text)}
        onSettle={() => currentAttempt.answers?.settle()}
      />
    </section>
  );
}

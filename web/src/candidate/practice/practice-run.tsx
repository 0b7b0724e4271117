import type { AnsweredQuestion } from '@invigil/core/contract/assessments/answered-question';
import { checkPracticeAnswer, type Practice } from '@invigil/core/contract/assessments/practice';
import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { hasOptions } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { ArrowRight, Check, CircleCheck, CircleX } from 'lucide-react';
import { type CSSProperties, useEffect, useEffectEvent, useState } from 'react';
import { callEndpoint, sentenceOf } from '../../net/api.ts';
import { AnswerField } from '../../question-view/answer-field.tsx';
import { verdictText } from '../../question-view/answer-rows.tsx';
import { isAnswered, withOption } from '../../question-view/answer-value.ts';
import { QuestionActions, QuestionActionsBar } from '../../question-view/question-actions.tsx';
import { QuestionHead } from '../../question-view/question-head.tsx';
import { QuestionNavigator } from '../../question-view/question-navigator.tsx';
import { AnswerResult, pointsOfText } from '../../question-view/result-view.tsx';
import { Mark } from '../../ui/badges/mark.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTranslation } from '../../ui/use-translation.ts';
import { focusHeading } from '../navigation.ts';
import { KeyHints, useAnswerKeys } from '../test/assessment-screen.tsx';
import { Timer } from '../test/attempt-layout.tsx';
import { ReadingMenu, TEXT_SCALE, useReading } from '../test/reading-controls.tsx';
import { PracticeDevices, PracticeNotices, usePracticeMonitor } from './practice-monitor.tsx';

/** Results of checked answers by question. */
export type Checked = ReadonlyMap<string, AnsweredQuestion>;

const endText = () => t(/* a button: ends the practice */ 'practice.end', 'End practice');

/** A round of practice: the test screen, with a check of each answer and without consequences. */
export function PracticeRun({
  practice,
  token,
  isMonitored,
  onOver,
}: {
  practice: Practice;
  token: string;
  isMonitored: boolean;
  onOver(checked: Checked, isTimeUp: boolean): void;
}) {
  const { questions, policy, negativeMarks } = practice;
  const round = useRound(practice, token, onOver);
  const { question, current, answer, result, isFlagged } = round;
  const { textSize, letterKeys } = useReading();
  const monitor = usePracticeMonitor(policy, isMonitored, current);
  useTranslation(policy.mayTranslate === true);
  const optionCount =
    result === undefined && hasOptions(question.type) ? question.options.length : 0;
  const actions = {
    isFirst: current === 0,
    isLast: current === questions.length - 1,
    isFlagged,
    lastName: endText(),
    isAnswered: result === undefined && answer !== '',
    previous: () => round.go(current - 1),
    next: () => round.go(current + 1),
    review: () => void round.finish(false),
    clear: () => round.change(''),
    flag: round.flag,
  };
  useAnswerKeys({
    letters: letterKeys,
    optionCount,
    select: (index) => {
      const option = question.options[index];
      if (option !== undefined) round.change(withOption(question, answer, option));
    },
    flag: actions.flag,
    back: actions.previous,
    forward: actions.next,
  });
  return (
    <div style={{ '--reading': TEXT_SCALE[textSize] } as CSSProperties}>
      <PracticeBar practice={practice} seconds={round.seconds} />
      <div className="lg:grid lg:min-h-[calc(100dvh-var(--bar))] lg:grid-cols-[minmax(0,1fr)_21rem]">
        <main className="@container flex min-w-0 flex-col">
          <div className="mx-auto w-full max-w-192 flex-1 px-4 pt-6 pb-30 lg:px-8 lg:pt-14 lg:pb-8 short:pt-4 short:pb-16">
            <PracticeNotices monitor={monitor} policy={policy} />
            <div aria-live="polite" aria-atomic="true">
              <QuestionHead
                question={question}
                number={current + 1}
                total={questions.length}
                negativeMarks={negativeMarks}
              />
            </div>
            {result === undefined ? (
              <>
                <AnswerField
                  question={question}
                  value={answer}
                  onSelect={round.change}
                  onType={round.change}
                  onSettle={() => undefined}
                />
                <Button
                  size="candidate"
                  variant="primary"
                  className="mt-5"
                  icon={<Check />}
                  aria-disabled={answer === ''}
                  busy={
                    round.isChecking &&
                    t(
                      /* the button while an answer is checked */ 'practice.checking',
                      'Checking...',
                    )
                  }
                  onClick={() => void round.check()}
                >
                  {t(
                    /* a button: says whether the answer is right */ 'practice.check',
                    'Check answer',
                  )}
                </Button>
              </>
            ) : (
              <Feedback question={question} result={result} />
            )}
            {round.problem !== null && (
              <div className="mt-5">
                <FailureNotice title={t('practice.checkFailed', 'The answer could not be checked')}>
                  {round.problem}
                </FailureNotice>
              </div>
            )}
            <KeyHints optionCount={optionCount} letters={letterKeys} />
          </div>
          <QuestionActions {...actions} />
        </main>
        <aside
          aria-label={t('test.questions', 'Questions')}
          className="top-(--bar) flex flex-col gap-5 border-line bg-surface px-4 pt-5 pb-30 max-lg:border-t lg:sticky lg:h-[calc(100dvh-var(--bar))] lg:overflow-y-auto lg:border-s lg:px-6 lg:pb-5"
        >
          <QuestionNavigator states={round.states} current={current} onGo={round.go} />
          <Button
            size="candidate"
            full
            className="flex-none flex-row-reverse"
            icon={<ArrowRight />}
            onClick={actions.review}
          >
            {endText()}
          </Button>
          {isMonitored && <PracticeDevices policy={policy} />}
        </aside>
      </div>
      <QuestionActionsBar {...actions} />
    </div>
  );
}

function PracticeBar({ practice, seconds }: { practice: Practice; seconds: number }) {
  return (
    <header className="sticky top-0 z-30 flex min-h-(--bar) items-center gap-x-2.5 border-b border-line bg-surface py-1 pe-3 ps-4 lg:gap-x-4 lg:px-6 short:py-0">
      <title>{`${practice.title} · Invigil`}</title>
      <span className="hidden flex-none lg:block">
        <Mark />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block w-fit max-w-full truncate font-semibold">{practice.title}</bdi>
        <span className="block truncate text-xs text-ink-3">
          {t(/* said of the practice */ 'practice.bar', 'Practice. Nothing is stored.')}
        </span>
      </span>
      <ReadingMenu />
      <Timer seconds={seconds} totalMs={practice.duration * 60_000} />
    </header>
  );
}

/** The verdict, which is announced, with the answer beside the key. */
function Feedback({ question, result }: { question: PaperQuestion; result: AnsweredQuestion }) {
  const { isCorrect = false, points = 0, maxPoints = 0 } = result;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {result.correction !== 'left_out' && (
        <Notice
          role="status"
          tone={isCorrect ? 'ok' : 'warn'}
          icon={isCorrect ? <CircleCheck /> : <CircleX />}
          title={
            !isCorrect && points > 0
              ? t(/* the answer is correct in part */ 'practice.partly', 'Partly right')
              : verdictText(isCorrect)
          }
        >
          {question.points !== undefined && pointsOfText(points, maxPoints)}
        </Notice>
      )}
      <AnswerResult question={result} />
    </div>
  );
}

/** Holds a round: the place in the paper, the answers, what they earned, and the time left. */
function useRound(
  { questions, duration }: Practice,
  token: string,
  onOver: (checked: Checked, isTimeUp: boolean) => void,
) {
  const [current, setCurrent] = useState(0);
  const [answers, setAnswers] = useState<ReadonlyMap<string, string>>(new Map());
  const [checked, setChecked] = useState<Checked>(new Map());
  const [flagged, setFlagged] = useState<ReadonlySet<string>>(new Set());
  const [isChecking, setChecking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const question = questions[current] as PaperQuestion;
  const { id } = question;
  const answer = answers.get(id) ?? '';

  /** Checks some answers and returns all results; null: one could not be checked. */
  const checkAll = async (asked: readonly PaperQuestion[]): Promise<Checked | null> => {
    const found = new Map(checked);
    setChecking(true);
    setProblem(null);
    try {
      for (const { id: questionId, options } of asked) {
        const body = { questionId, answer: answers.get(questionId) ?? '' };
        const result = await callEndpoint(checkPracticeAnswer, { params: { token }, body });
        found.set(questionId, inOrder(result, options));
      }
      return found;
    } catch (cause) {
      setProblem(sentenceOf(cause));
      return null;
    } finally {
      setChecking(false);
      setChecked(found);
    }
  };
  const isOpen = (one: PaperQuestion) =>
    !checked.has(one.id) && isAnswered(one, answers.get(one.id) ?? '');
  const finish = async (isTimeUp: boolean) => {
    if (isChecking) return;
    const found = await checkAll(questions.filter(isOpen));
    if (found !== null || isTimeUp) onOver(found ?? checked, isTimeUp);
  };
  return {
    ...{ question, current, answer, isChecking, problem, finish },
    seconds: useSecondsOf(duration * 60, () => void finish(true)),
    result: checked.get(id),
    isFlagged: flagged.has(id),
    states: questions.map((one, index) => ({
      id: one.id,
      number: index + 1,
      isAnswered: isAnswered(one, answers.get(one.id) ?? ''),
      isFlagged: flagged.has(one.id),
      ...(one.section === undefined ? {} : { section: one.section }),
    })),
    change: (value: string) => setAnswers(new Map(answers).set(id, value)),
    flag: () =>
      setFlagged(
        new Set(flagged.has(id) ? [...flagged].filter((one) => one !== id) : [...flagged, id]),
      ),
    go(index: number) {
      setProblem(null);
      setCurrent(Math.min(Math.max(index, 0), questions.length - 1));
      window.scrollTo(0, 0);
    },
    check: async () => {
      if (answer === '' || isChecking) return;
      // The button that had the focus is gone.
      if ((await checkAll([question])) !== null) focusHeading();
    },
  };
}

/** A result with its options as the paper has them, not as their author. */
function inOrder(result: AnsweredQuestion, texts: readonly string[]): AnsweredQuestion {
  const place = ({ text }: { text: string }) => texts.indexOf(text);
  return { ...result, options: result.options.toSorted((a, b) => place(a) - place(b)) };
}

/** The seconds left of a duration, by the page's own clock; then calls back once. */
function useSecondsOf(seconds: number, onEnd: () => void): number {
  const [endAt] = useState(() => performance.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((endAt - performance.now()) / 1_000));
      setLeft(now);
      if (now > 0) return;
      clearInterval(timer);
      end();
    }, 250);
    return () => clearInterval(timer);
  }, [endAt]);
  return left;
}

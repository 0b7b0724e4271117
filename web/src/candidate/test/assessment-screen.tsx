import { optionLetter } from '@invigil/core/domain/locale';
import { hasOptions } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { ArrowRight } from 'lucide-react';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { AnswerField } from '../../question-view/answer-field.tsx';
import { withOption } from '../../question-view/answer-value.ts';
import { QuestionActions, QuestionActionsBar } from '../../question-view/question-actions.tsx';
import { QuestionHead } from '../../question-view/question-head.tsx';
import { QuestionNavigator } from '../../question-view/question-navigator.tsx';
import { questionCounts } from '../../question-view/question-state.ts';
import { Button } from '../../ui/button.tsx';
import { inlineArrow } from '../../ui/direction.ts';
import { Region } from '../../ui/region.tsx';
import { Trans } from '../../ui/trans.tsx';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { MonitorStrip, RailMonitor } from '../notices/camera-overlay.tsx';
import { DetectedNotices, OfflineAdvice, TroubleNotices } from '../notices/notices.tsx';
import { questionStates, useCurrentQuestion } from '../question-states.ts';
import { HandNotice } from './hand.tsx';
import { useReading } from './reading-controls.tsx';

/** The timed test: one question at a time, inside the attempt layout. */
export function AssessmentScreen() {
  const { paper, sync, participant } = useAttempt();
  const [current, , jump] = useCurrentQuestion(paper);
  const { letterKeys } = useReading();
  const [, navigate] = useLocation();
  const isWide = useMedia('(min-width: 1024px)');
  const question = paper[current];
  const value = question === undefined ? undefined : sync.values.get(question.id);
  const selected = value?.answer ?? '';
  const isFlagged = value?.isFlagged ?? false;
  useTopOf(question?.id);
  useEffect(() => {
    currentAttempt.setShown(current);
    return () => currentAttempt.setShown(null);
  }, [current]);
  const review = () => navigate('/quiz/review');

  const actions = {
    isFirst: current === 0,
    isLast: current === paper.length - 1,
    isFlagged,
    isAnswered: selected !== '',
    previous: () => jump(current - 1),
    next: () => jump(current + 1),
    review,
    clear: () => question && currentAttempt.answers?.change(question.id, { answer: '' }),
    flag: () => question && currentAttempt.answers?.change(question.id, { isFlagged: !isFlagged }),
  };
  // Letters select options, and nothing where an answer has rows.
  const optionCount = question && hasOptions(question.type) ? question.options.length : 0;
  useAnswerKeys({
    letters: letterKeys,
    optionCount,
    select: (index) => {
      const option = question?.options[index];
      if (question !== undefined && option !== undefined)
        currentAttempt.answers?.change(question.id, {
          answer: withOption(question, selected, option),
        });
    },
    flag: actions.flag,
    back: actions.previous,
    forward: actions.next,
  });

  if (question === undefined || participant === null) return null;
  const states = questionStates(paper, sync.values);
  const { answered } = questionCounts(states);
  // Placed where the candidate looks; at the side nothing moves under the pointer.
  const detected = (
    <Region
      name="The notices of the monitoring"
      fallback={t('region.monitoringNotices', 'The notices of the monitoring could not be shown')}
    >
      <DetectedNotices className={isWide ? '' : 'mb-5'} />
    </Region>
  );
  return (
    <>
      <title>{`${t(/* title of the page with the questions */ 'test.title', 'Assessment')} · Invigil`}</title>
      <div className="lg:grid lg:min-h-[calc(100dvh-var(--bar))] lg:grid-cols-[minmax(0,1fr)_21rem]">
        <main className="@container flex min-w-0 flex-col">
          <progress
            aria-label={t(
              /* questions */
              'test.progress',
              '{total, plural, other {{answered} of # answered}}',
              { answered, total: paper.length },
            )}
            value={answered}
            max={paper.length}
            className="sticky top-(--bar) z-20 block h-[3px] w-full appearance-none bg-fill lg:hidden [&::-moz-progress-bar]:bg-ok [&::-webkit-progress-bar]:bg-fill [&::-webkit-progress-value]:bg-ok"
          />
          <Region
            name="The camera picture"
            fallback={t('region.cameraPicture', 'The camera picture could not be shown')}
          >
            <MonitorStrip policy={participant.policy} className="lg:hidden" />
          </Region>
          <div className="mx-auto w-full max-w-192 flex-1 px-4 pt-6 pb-30 lg:px-8 lg:pt-14 lg:pb-8 short:pt-4 short:pb-16">
            <HandNotice isInRoom />
            <TroubleNotices policy={participant.policy} />
            {!isWide && detected}
            <div aria-live="polite" aria-atomic="true">
              <Region
                key={question.id}
                name="This question"
                fallback={t('region.thisQuestion', 'This question could not be shown')}
              >
                <QuestionHead
                  question={question}
                  number={current + 1}
                  total={paper.length}
                  negativeMarks={participant.negativeMarks}
                />
              </Region>
            </div>
            <Region
              key={question.id}
              name="Its answer"
              fallback={t('region.answer', 'Its answer could not be shown')}
            >
              <AnswerField
                question={question}
                value={selected}
                onSelect={(value) => currentAttempt.answers?.change(question.id, { answer: value })}
                onType={(text) => currentAttempt.answers?.type(question.id, text)}
                onSettle={() => currentAttempt.answers?.settle()}
              />
            </Region>
            <Region name="A notice" fallback={t('region.notice', 'A notice could not be shown')}>
              <OfflineAdvice className="mt-6" />
            </Region>
            <KeyHints optionCount={optionCount} letters={letterKeys} />
          </div>
          <QuestionActions {...actions} />
        </main>
        <aside
          aria-label={t('test.questions', 'Questions')}
          className="sticky top-(--bar) hidden h-[calc(100dvh-var(--bar))] flex-col gap-5 overflow-y-auto border-s border-line bg-surface px-6 py-5 lg:flex"
        >
          <Region
            name="The list of questions"
            fallback={t('region.questionList', 'The list of questions could not be shown')}
          >
            <QuestionNavigator states={states} current={current} onGo={jump} />
          </Region>
          <Button
            size="candidate"
            full
            className="flex-none flex-row-reverse"
            icon={<ArrowRight />}
            onClick={review}
          >
            {t(
              /* a button that opens the page Review Your Answers */ 'test.review',
              'Review & Submit',
            )}
          </Button>
          {isWide && detected}
          <Region
            name="The camera picture"
            fallback={t('region.cameraPicture', 'The camera picture could not be shown')}
          >
            <RailMonitor policy={participant.policy} />
          </Region>
        </aside>
      </div>
      <QuestionActionsBar {...actions} />
    </>
  );
}

/** Scrolls to the top for each question. */
function useTopOf(questionId: string | undefined): void {
  const shown = useRef(questionId);
  useEffect(() => {
    if (shown.current !== questionId) window.scrollTo(0, 0);
    shown.current = questionId;
  }, [questionId]);
}

const KEY = {
  key: (
    <kbd className="rounded-sm bg-surface px-1.5 py-[3px] font-mono text-xs leading-none text-ink-2 inset-ring inset-ring-line-2" />
  ),
};

/** Keyboard hints, visual only; none on a touch screen, and none of letters that are off. */
export function KeyHints({ optionCount, letters }: { optionCount: number; letters: boolean }) {
  return (
    <div className="mt-6 hidden gap-4.5 text-sm text-ink-3 lg:flex touch:hidden [&>span]:flex [&>span]:items-center [&>span]:gap-1.5">
      {letters && optionCount > 0 && (
        <>
          <span>
            {optionCount > 5 ? (
              <Trans
                comment="keys that select options; the letter F flags, so 6 selects option F"
                id="test.keys.selectWithF"
                message="<key>A</key> to <key>{last}</key> select, <key>6</key> selects F"
                values={{ last: optionLetter(optionCount - 1) }}
                components={KEY}
              />
            ) : (
              <Trans
                comment="keys that select options"
                id="test.keys.select"
                message="<key>A</key> to <key>{last}</key> select"
                values={{ last: optionLetter(optionCount - 1) }}
                components={KEY}
              />
            )}
          </span>
          <span>
            <Trans
              comment="the key F, the same in every language, flags the question"
              id="test.keys.flag"
              message="<key>F</key> flags"
              components={KEY}
            />
          </span>
        </>
      )}
      <span>
        <Trans
          comment="keys that move to another question"
          id="test.keys.move"
          message="<key>←</key><key>→</key> move"
          components={KEY}
        />
      </span>
    </div>
  );
}

/** Key bindings of the assessment (product 7). */
interface AnswerKeys {
  /** A to Z or 1 to 9, from 0; F flags, 6 selects option F. Disabled if the candidate switched letter keys off. */
  letters: boolean;
  optionCount: number;
  select(index: number): void;
  flag(): void;
  back(): void;
  forward(): void;
}

export function meaningOf(
  key: string,
  letters: boolean,
  optionCount: number,
): { select: number } | 'flag' | null {
  if (!letters || key.length !== 1) return null;
  if (key.toLowerCase() === 'f') return 'flag';
  const letter = key.toUpperCase().charCodeAt(0) - 65;
  const select = letter >= 0 && letter < 26 ? letter : Number(key) - 1;
  return Number.isInteger(select) && select >= 0 && select < optionCount ? { select } : null;
}

/**
 * Left and Right navigate only when no control has the focus. Letters work except in fields and open
 * dialogs.
 */
export function useAnswerKeys(keys: AnswerKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const ended = new AbortController();
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        const { letters, optionCount, ...act } = latest.current;
        const meaning = inlineArrow(event) ?? meaningOf(event.key, letters, optionCount);
        if (meaning === null || !mayAct(document.activeElement, meaning)) return;
        if (typeof meaning === 'string') act[meaning]();
        else act.select(meaning.select);
        event.preventDefault();
      },
      { signal: ended.signal },
    );
    return () => ended.abort();
  }, []);
}

function mayAct(
  focused: Element | null,
  meaning: ReturnType<typeof meaningOf | typeof inlineArrow>,
): boolean {
  if (document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]') !== null)
    return false;
  // After navigation the heading has the focus; it is not a control.
  if (focused === null || focused === document.body || focused.matches('h1')) return true;
  if (meaning === 'back' || meaning === 'forward') return false;
  return focused.closest('input, textarea, select, [contenteditable]') === null;
}

/** Whether a media query holds; renders again when that changes. */
function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

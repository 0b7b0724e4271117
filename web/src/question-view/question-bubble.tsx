import { t } from '@invigil/core/texts/i18n';
import type { ComponentProps } from 'react';
import type { QuestionState } from './question-state.ts';

const SIZES = {
  small: 'size-8 text-sm',
  normal: 'size-10 text-[0.875rem]',
  touch: 'size-11 text-[0.875rem]',
} as const;

/** Fill, corner and icon of a state; color is redundant. */
function bubbleShape({
  isAnswered,
  isFlagged,
  toCheck,
}: Pick<QuestionState, 'isAnswered' | 'isFlagged' | 'toCheck'>) {
  if (isFlagged) return 'rounded-[50%_4px_50%_50%] border-warn-edge bg-warn text-on-warn';
  if (toCheck !== undefined) return 'rounded-full border-warn-edge bg-warn-soft text-warn-ink';
  if (isAnswered) return 'rounded-full border-ok bg-ok text-on-ok';
  return 'rounded-full border-line-strong bg-surface text-ink-2';
}

/** A question as an answer-sheet bubble: a ring, filled with a check mark, or dog-eared with a flag. */
export function QuestionBubble({
  state,
  current,
  size,
  className = '',
  ...button
}: {
  state: QuestionState;
  current: boolean;
  size: keyof typeof SIZES;
} & Omit<ComponentProps<'button'>, 'type'>) {
  return (
    <button
      {...button}
      type="button"
      data-shape=""
      {...(current ? { 'aria-current': 'step' } : {})}
      className={`relative grid flex-none place-content-center place-items-center border-[1.5px] leading-none font-semibold outline-offset-4 transition-colors ${SIZES[size]} ${bubbleShape(state)} ${current ? 'after:absolute after:-inset-[6.5px] after:rounded-[inherit] after:border-[2.5px] after:border-accent focus-visible:outline-offset-8' : ''} ${className}`}
    >
      {state.number}
      <BubbleSigns state={state} />
    </button>
  );
}

function BubbleSigns({ state }: { state: QuestionState }) {
  if (!state.isAnswered && !state.isFlagged) return null;
  return (
    <span aria-hidden="true" className="mt-[3px] flex h-[9px] gap-0.5">
      {state.isFlagged && <FlagSign />}
      {state.toCheck !== undefined ? <CheckSign /> : state.isAnswered && <TickSign />}
    </span>
  );
}

const FlagSign = () => (
  <Sign
    d="M3 11V1.8M3 2.2c2-.9 3.2.9 6.2.1v4.4c-3 .8-4.2-1-6.2-.1"
    fill="currentColor"
    width="1.3"
  />
);

const CheckSign = () => <Sign d="M6 1.6v5.6M6 10.2v.2" width="2.2" />;

const TickSign = () => <Sign d="m2.2 6.4 2.5 2.5 5.1-5.7" width="1.9" />;

function Sign({ d, fill = 'none', width }: { d: string; fill?: string; width: string }) {
  return (
    <svg width="9" height="9" viewBox="0 0 12 12" aria-hidden="true">
      <path
        d={d}
        fill={fill}
        stroke="currentColor"
        strokeWidth={width}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Legend of the bubbles. The review has other names for two of the states (specification 2). */
export function QuestionLegend({
  words,
  toCheck = false,
  className = '',
}: {
  words: { flagged: string; unanswered: string };
  /** An answer is to be checked. */
  toCheck?: boolean;
  className?: string;
}) {
  const dot = 'grid size-5 flex-none place-items-center border-[1.5px]';
  const entries = [
    [
      t(/* a state of a question, in a legend */ 'question.current', 'Current'),
      <span
        key="current"
        className="grid size-5 flex-none place-items-center rounded-full border-2 border-accent"
      >
        <span className="size-3 rounded-full border-[1.5px] border-line-strong" />
      </span>,
    ],
    [
      t(/* a state of a question, in a legend */ 'question.answered', 'Answered'),
      <span
        key="answered"
        className={`${dot} ${bubbleShape({ isAnswered: true, isFlagged: false })}`}
      >
        <TickSign />
      </span>,
    ],
    [
      words.flagged,
      <span
        key="flagged"
        className={`${dot} ${bubbleShape({ isAnswered: false, isFlagged: true })}`}
      >
        <FlagSign />
      </span>,
    ],
    [
      words.unanswered,
      <span
        key="unanswered"
        className={`${dot} ${bubbleShape({ isAnswered: false, isFlagged: false })}`}
      />,
    ],
  ] as const;
  const check = [
    t(/* a state of a question, in a legend */ 'question.toCheck', 'To check'),
    <span
      key="check"
      className={`${dot} ${bubbleShape({ isAnswered: true, isFlagged: false, toCheck: 'no-number' })}`}
    >
      <CheckSign />
    </span>,
  ] as const;
  return (
    <ul
      aria-label={t(
        /* of the signs in the list of questions, for screen readers */ 'question.legend',
        'Legend',
      )}
      className={`text-sm text-ink-2 ${className}`}
    >
      {[...entries, ...(toCheck ? [check] : [])].map(([word, sign]) => (
        <li key={word} className="flex items-center gap-2.25">
          <span aria-hidden="true" data-shape="">
            {sign}
          </span>
          <span>{word}</span>
        </li>
      ))}
    </ul>
  );
}

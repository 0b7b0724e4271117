import type { ComponentProps } from 'react';
import type { QuestionState } from './question-state.ts';

const SIZES = {
  small: 'size-8 text-sm',
  normal: 'size-10 text-[0.875rem]',
  touch: 'size-11 text-[0.875rem]',
} as const;

/** Fill, corner and icon of a state; color is redundant. */
export function bubbleShape({
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

export const FlagSign = () => (
  <Sign
    d="M3 11V1.8M3 2.2c2-.9 3.2.9 6.2.1v4.4c-3 .8-4.2-1-6.2-.1"
    fill="currentColor"
    width="1.3"
  />
);

/** An exclamation mark. */
export const CheckSign = () => <Sign d="M6 1.6v5.6M6 10.2v.2" width="2.2" />;

export const TickSign = () => <Sign d="m2.2 6.4 2.5 2.5 5.1-5.7" width="1.9" />;

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

import { bubbleShape, CheckSign, FlagSign, TickSign } from './question-bubble.tsx';

/** Legend of the bubbles. The review has other names for two of the states (seed 2). */
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
      'Current',
      <span
        key="current"
        className="grid size-5 flex-none place-items-center rounded-full border-2 border-accent"
      >
        <span className="size-3 rounded-full border-[1.5px] border-line-strong" />
      </span>,
    ],
    [
      'Answered',
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
    'To check',
    <span
      key="check"
      className={`${dot} ${bubbleShape({ isAnswered: true, isFlagged: false, toCheck: 'no-number' })}`}
    >
      <CheckSign />
    </span>,
  ] as const;
  return (
    <ul aria-label="Legend" className={`text-sm text-ink-2 ${className}`}>
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

import { optionLetter } from '../../question-view/question-state.ts';

/** The letter of an option in a bubble, filled when the option is right. */
export function LetterBubble({
  index,
  isKey,
  isSeveral,
}: {
  index: number;
  isKey: boolean;
  /** Of a question with several right options: a square. */
  isSeveral: boolean;
}) {
  return (
    <span
      aria-hidden="true"
      data-shape=""
      className={`mt-px grid size-5.5 flex-none place-items-center ${isSeveral ? 'rounded-sm' : 'rounded-full'} border-[1.25px] text-[0.6875rem] font-semibold ${isKey ? 'border-ok bg-ok text-on-ok' : 'border-line-strong text-ink-3'}`}
    >
      {optionLetter(index)}
    </span>
  );
}

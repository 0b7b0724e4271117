import { Check, X } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import type { GlyphName } from '../../ui/glyphs.tsx';
import { type AnswerOutcome, outcomeOf, type RecordQuestion } from './answer-filter.ts';
import { Moment } from './moment.tsx';

const OUTCOMES: Record<AnswerOutcome, readonly [BadgeTone, GlyphName, string]> = {
  correct: ['ok', 'ticked', 'Correct'],
  wrong: ['bad', 'cross', 'Wrong'],
  unanswered: ['neutral', 'ring', 'Unanswered'],
};
const LETTERS = 'ABCD';

/** One question of the paper: what was chosen, what is right, and when it was saved. */
export function RecordAnswer({ question }: { question: RecordQuestion }) {
  const [tone, glyph, word] = OUTCOMES[outcomeOf(question)];
  return (
    <li className="border-b border-line px-5 py-4 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="text-sm font-semibold text-ink-2 tabular-nums">{`Question ${question.position}`}</span>
        <Badge tone={tone} glyph={glyph}>
          {word}
        </Badge>
        {question.isFlagged && <Badge tone="warn">Flagged</Badge>}
        {question.savedAt !== null && (
          <span className="ml-auto text-sm text-ink-3 tabular-nums">
            Saved <Moment at={question.savedAt} />
          </span>
        )}
      </div>
      <p className="mt-1.5 font-medium break-words whitespace-pre-line">{question.question}</p>
      <ol className="mt-2.5 grid gap-1">
        {question.options.map((option, index) => (
          <Option
            key={option}
            letter={LETTERS.charAt(index)}
            text={option}
            isChosen={option === question.selectedOption}
            isRight={option === question.correctAnswer}
          />
        ))}
      </ol>
    </li>
  );
}

function Option({
  letter,
  text,
  isChosen,
  isRight,
}: {
  letter: string;
  text: string;
  isChosen: boolean;
  isRight: boolean;
}) {
  const bubble = isChosen
    ? isRight
      ? 'border-ok bg-ok text-on-ok'
      : 'border-bad bg-bad text-on-bad'
    : isRight
      ? 'border-ok text-ok-ink'
      : 'border-line-strong text-ink-3';
  const note = isChosen
    ? isRight
      ? 'Chosen, correct'
      : 'Chosen'
    : isRight
      ? 'Correct answer'
      : '';
  const Sign = isRight ? Check : X;
  return (
    <li
      className={`flex min-h-6.5 flex-wrap items-start gap-x-2.5 ${isChosen || isRight ? 'text-ink' : 'text-ink-2'}`}
    >
      <span
        aria-hidden="true"
        data-shape=""
        className={`mt-px grid size-5.5 flex-none place-items-center rounded-full border-[1.5px] text-[0.6875rem] font-semibold ${bubble}`}
      >
        {letter}
      </span>
      <span
        className={`min-w-0 max-w-[calc(100%-2.25rem)] pt-0.5 break-words whitespace-pre-line ${isChosen ? 'font-medium' : ''}`}
      >
        {text}
      </span>
      {note !== '' && (
        <span
          className={`inline-flex items-center gap-1 pt-1 text-xs font-medium ${isRight ? 'text-ok-ink' : 'text-bad-ink'}`}
        >
          <Sign aria-hidden="true" className="size-3.5" strokeWidth={2} />
          {note}
        </span>
      )}
    </li>
  );
}

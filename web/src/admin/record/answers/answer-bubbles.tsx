import {
  type AnswerOutcome,
  OUTCOME_WORDS,
  outcomeOf,
  type RecordQuestion,
} from './answer-filter.ts';

/** A ring is unanswered, a filled circle correct, a square wrong, in between partly correct. */
const LOOKS: Record<AnswerOutcome, string> = {
  correct: 'rounded-full border-ok bg-ok-soft text-ok-ink',
  partial: 'rounded-[50%_4px_50%_50%] border-warn-edge bg-warn-soft text-warn-ink',
  wrong: 'rounded-sm border-bad bg-bad-soft text-bad-ink',
  unanswered: 'rounded-full border-line-2 text-ink-3',
  left_out: 'rounded-full border-dashed border-line-2 text-ink-3',
};

/** Overview of the paper; each bubble links to its answer. */
export function AnswerBubbles({
  questions,
  onGo,
}: {
  questions: readonly RecordQuestion[];
  onGo(questionId: string): void;
}) {
  return (
    <ol
      aria-label="Questions"
      className="flex flex-wrap gap-1.5 border-b border-line px-5 py-3.5 tabular-nums"
    >
      {questions.map((question) => {
        const outcome = outcomeOf(question);
        const flag = question.isFlagged ? ', flagged' : '';
        return (
          <li key={question.questionId}>
            <button
              type="button"
              data-shape=""
              aria-label={`Question ${question.position}, ${OUTCOME_WORDS[outcome]}${flag}`}
              onClick={() => onGo(question.questionId)}
              className={`grid size-7 place-items-center border-[1.5px] text-xs font-semibold touch:size-11 touch:text-sm ${LOOKS[outcome]}`}
            >
              {question.position}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

import { QuestionBubble } from './question-bubble.tsx';
import { QuestionLegend } from './question-legend.tsx';
import { type QuestionState, questionCounts, spokenState } from './question-states.ts';

const WORDS = { flagged: 'Marked for review', unanswered: 'Not attempted' };
const SPOKEN = { flagged: 'marked for review', unanswered: 'not attempted' };

/** Above this many the bubbles are smaller and the list scrolls by itself (look.md). */
const MANY = 50;

/** Counts, one bubble per question and the legend: in the rail, and in the sheet on small screens. */
export function QuestionNavigator({
  states,
  current,
  onGo,
  touch = false,
}: {
  states: readonly QuestionState[];
  /** index of the question on the screen */
  current: number;
  onGo(index: number): void;
  touch?: boolean;
}) {
  const { answered, flagged, remaining } = questionCounts(states);
  const many = states.length > MANY;
  const size = touch ? 'touch' : many ? 'small' : 'normal';
  const columns = touch
    ? 'grid-cols-[repeat(auto-fill,2.75rem)] gap-x-2'
    : many
      ? 'grid-cols-[repeat(7,2rem)]'
      : 'grid-cols-[repeat(5,2.5rem)]';
  return (
    <>
      <dl className="grid flex-none grid-cols-3 rounded-lg border border-line">
        {[
          ['Answered', answered],
          ['Flagged', flagged],
          ['Remaining', remaining],
        ].map(([label, count], index) => (
          <div key={label} className={`px-3 py-2.5 ${index > 0 ? 'border-l border-line' : ''}`}>
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="text-lg font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
      <ol
        aria-label="Questions"
        className={`grid justify-between gap-y-4 p-1.5 ${columns} ${many || touch ? 'min-h-0 overflow-y-auto' : 'flex-none'}`}
      >
        {states.map((state, index) => (
          <li key={state.id} className="grid place-items-center">
            <QuestionBubble
              state={state}
              current={index === current}
              size={size}
              aria-label={spokenState(state, SPOKEN)}
              onClick={() => onGo(index)}
            />
          </li>
        ))}
      </ol>
      <QuestionLegend words={WORDS} className="grid flex-none grid-cols-2 gap-x-3 gap-y-2.5" />
    </>
  );
}

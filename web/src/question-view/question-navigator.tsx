import { t } from '@invigil/core/texts/i18n';
import { useEffect, useRef } from 'react';
import { QuestionBubble, QuestionLegend } from './question-bubble.tsx';
import { type QuestionState, questionCounts, sectionsOf, spokenState } from './question-state.ts';

const words = () => ({
  flagged: t(
    /* a state of a question, in a legend */ 'question.markedForReview',
    'Marked for review',
  ),
  unanswered: t(/* a state of a question, in a legend */ 'question.notAttempted', 'Not attempted'),
});
const spokenWords = () => ({
  flagged: t(
    /* a state of a question, after its number */ 'question.spoken.markedForReview',
    'marked for review',
  ),
  unanswered: t(
    /* a state of a question, after its number */ 'question.spoken.notAttempted',
    'not attempted',
  ),
});

/** Above this number the bubbles are smaller and the list scrolls separately. */
const MANY = 50;

/** Counts, one bubble per question and the legend; in the rail or, on small screens, in the sheet. */
export function QuestionNavigator({
  states,
  current,
  onGo,
  touch = false,
}: {
  states: readonly QuestionState[];
  current: number;
  onGo(index: number): void;
  touch?: boolean;
}) {
  const list = useRef<HTMLElement | null>(null);
  const setList = (element: HTMLElement | null) => {
    list.current = element;
  };
  useEffect(() => keepInSight(list.current, current), [current]);
  const { answered, flagged, remaining } = questionCounts(states);
  const many = states.length > MANY;
  const size = touch ? 'touch' : many ? 'small' : 'normal';
  const columns = touch
    ? `${many ? 'grid-cols-[repeat(auto-fill,2.75rem)]' : 'grid-cols-[repeat(5,2.75rem)] sm:grid-cols-[repeat(auto-fill,2.75rem)]'} gap-x-1 sm:gap-x-3`
    : many
      ? 'grid-cols-[repeat(7,2rem)]'
      : 'grid-cols-[repeat(5,2.5rem)]';
  const grid = `grid justify-between gap-y-4 p-1.5 ${columns}`;
  const room = many || touch ? 'min-h-0 overflow-y-auto' : 'flex-none';
  const sections = sectionsOf(states);
  const bubbles = (questions: readonly QuestionState[]) =>
    questions.map((state) => (
      <li key={state.id} className="grid place-items-center">
        <QuestionBubble
          state={state}
          current={state.number === current + 1}
          size={size}
          aria-label={spokenState(state, spokenWords())}
          onClick={() => onGo(state.number - 1)}
        />
      </li>
    ));
  return (
    <>
      <dl className="grid flex-none grid-cols-3 rounded-lg border border-line">
        {[
          [t(/* a count of questions */ 'question.count.answered', 'Answered'), answered],
          [t(/* a count of questions */ 'question.count.flagged', 'Flagged'), flagged],
          [t(/* a count of questions */ 'question.count.remaining', 'Remaining'), remaining],
        ].map(([label, count], index) => (
          <div key={label} className={`px-3 py-2.5 ${index > 0 ? 'border-s border-line' : ''}`}>
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="text-lg leading-5 font-semibold">{count}</dd>
          </div>
        ))}
      </dl>
      {sections.length === 1 && sections[0]?.title === undefined ? (
        <ol
          ref={setList}
          aria-label={t(
            /* the list of questions, for screen readers */ 'question.list',
            'Questions',
          )}
          className={`${grid} ${room}`}
        >
          {bubbles(states)}
        </ol>
      ) : (
        <div ref={setList} className={`grid content-start gap-3 ${room}`}>
          {sections.map(({ title, questions }) => (
            <div key={questions[0]?.id}>
              <p dir="auto" aria-hidden="true" className="px-1.5 text-sm font-medium break-words">
                {title}
              </p>
              <ol
                aria-label={
                  title ??
                  t(/* the list of questions, for screen readers */ 'question.list', 'Questions')
                }
                className={grid}
              >
                {bubbles(questions)}
              </ol>
            </div>
          ))}
        </div>
      )}
      <QuestionLegend
        words={words()}
        toCheck={states.some((state) => state.toCheck !== undefined)}
        className="grid flex-none grid-cols-2 gap-x-3 gap-y-2.5"
      />
    </>
  );
}

/** Scrolls only the list, so that the current question is visible. */
function keepInSight(list: HTMLElement | null, current: number): void {
  const bubble = list?.querySelectorAll('li')[current];
  if (list === null || bubble === undefined) return;
  const [place, frame] = [bubble.getBoundingClientRect(), list.getBoundingClientRect()];
  if (place.top < frame.top) list.scrollTop -= frame.top - place.top + place.height;
  else if (place.bottom > frame.bottom) {
    list.scrollTop += place.bottom - frame.bottom + place.height;
  }
}

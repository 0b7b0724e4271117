import { ChevronDown, Flag } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { pointsOfMax } from '../../../lib/points.ts';
import { Content } from '../../../question-view/content.tsx';
import { Glyph } from '../../../ui/badges/glyphs.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Moment } from '../moment.tsx';
import { givenTexts, keyTexts, outcomeOf, type RecordQuestion } from './answer-filter.ts';
import { AnswerOptions } from './answer-options.tsx';
import { AnswerScoring } from './answer-scoring.tsx';
import { Texts } from './texts.tsx';

/** One question of the paper: the selected and the correct option; all options on request. */
export function RecordAnswer({ question }: { question: RecordQuestion }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { position, savedAt, isFlagged, definition } = question;
  // A question that counts for no one has 0 of 0 points.
  const points = question.correction === 'left_out' ? null : pointsOfMax(question);
  const details = question.options.length > 0 ? 'Options' : 'Key';
  return (
    <li className="border-b border-line px-5 py-3 last:border-b-0">
      <div className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-start gap-x-2 @min-[40rem]:grid-cols-[1.75rem_minmax(0,1fr)_7rem]">
        <span className="leading-8 text-ink-3 tabular-nums">{position}</span>
        <div
          id={`answer-${question.questionId}`}
          tabIndex={-1}
          className="min-w-0 scroll-mt-20 rounded-sm pt-1.5"
        >
          <QuestionText formatted={definition?.format === 'markdown'}>
            <Content text={question.question} format={definition?.format} />
            {isFlagged && (
              <span className="ml-2 inline-flex items-center gap-1 text-xs text-warn-ink">
                <Flag className="size-3.5" strokeWidth={1.75} />
                Flagged
              </span>
            )}
          </QuestionText>
          {(!open || details === 'Key') && <SelectedAnswer question={question} />}
          {question.correction !== undefined && (
            <p className="mt-1 text-sm text-ink-2">{CORRECTIONS[question.correction]}</p>
          )}
          <div id={id}>
            {open && <AnswerOptions question={question} />}
            {open && definition && <AnswerScoring definition={definition} />}
          </div>
        </div>
        <span className="flex items-center justify-end gap-2 text-sm text-ink-3 tabular-nums">
          {points !== null && (
            <span className="font-medium whitespace-nowrap text-ink">{points}</span>
          )}
          {savedAt !== null && (
            <span className="@max-[40rem]:hidden">
              <Moment at={savedAt} />
            </span>
          )}
          <IconButton
            label={`${details} of question ${position}`}
            tooltip={
              open ? `Hide the ${details.toLowerCase()}` : details === 'Key' ? 'Key' : 'All options'
            }
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <ChevronDown className={open ? 'rotate-180' : ''} />
          </IconButton>
        </span>
      </div>
    </li>
  );
}

/** A formatted text has blocks, which a paragraph cannot hold. */
function QuestionText({ formatted, children }: { formatted: boolean; children: ReactNode }) {
  return formatted ? (
    <div>{children}</div>
  ) : (
    <p className="break-words whitespace-pre-wrap">{children}</p>
  );
}

const LOOKS = {
  correct: { tone: 'text-ok-ink', glyph: 'ticked', spoken: 'Correct: ' },
  partial: { tone: 'text-warn-ink', glyph: 'half', spoken: 'Partly correct: ' },
  wrong: { tone: 'text-bad-ink', glyph: 'cross', spoken: 'Wrong: ' },
  unanswered: { tone: 'text-ink-3', glyph: 'ring', spoken: '' },
  left_out: { tone: 'text-ink-3', glyph: 'slashed', spoken: 'Left out: ' },
} as const;

/** What a rescoring decided for everyone. */
const CORRECTIONS = {
  full_points: 'Everyone has the points of this question.',
  left_out: 'This question is left out of the result.',
  also_right: 'Another answer is accepted beside the key.',
} as const;

function SelectedAnswer({ question }: { question: RecordQuestion }) {
  const outcome = outcomeOf(question);
  const { tone, glyph, spoken } = LOOKS[outcome];
  // What was decided for everyone counts as correct, whatever was answered.
  const hasKey = outcome !== 'correct' || question.correction !== undefined;
  return (
    <div className={`mt-1 grid gap-x-6 gap-y-0.5 ${hasKey ? '@min-[40rem]:grid-cols-2' : ''}`}>
      <span className={`flex min-w-0 items-start gap-2 ${tone}`}>
        <Glyph name={glyph} className="mt-1" />
        {question.selectedOption === '' ? (
          <span>Unanswered</span>
        ) : (
          <span className="min-w-0 break-words">
            <span className="sr-only">{spoken}</span>
            <Texts of={givenTexts(question)} format={question.definition?.format} />
          </span>
        )}
      </span>
      {hasKey && (
        <span className="min-w-0 break-words text-ink-2">
          <span className="text-ink-3">Correct answer: </span>
          <Texts of={keyTexts(question)} format={question.definition?.format} />
        </span>
      )}
    </div>
  );
}

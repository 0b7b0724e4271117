import { optionLetter } from '@invigil/core/domain/locale';
import {
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, TYPES, typeIn } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { Check, ChevronDown, Flag, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { isRightOption, ruleName } from '../../../../lib/question-labels.ts';
import { pointsOfMax } from '../../../../lib/score-text.ts';
import { AnswerRows } from '../../../../question-view/answer-rows.tsx';
import { Content } from '../../../../question-view/content.tsx';
import { Glyph } from '../../../../ui/badges/glyphs.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Moment, Texts } from '../record-texts.tsx';
import {
  answerFormat,
  givenTexts,
  isOrder,
  keyTexts,
  outcomeOf,
  type RecordQuestion,
  selectedIn,
} from './answer-filter.ts';

export function RecordAnswer({ question }: { question: RecordQuestion }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { position, savedAt, isFlagged, definition } = question;
  // A question that counts for no one has 0 of 0 points.
  const points = question.correction === 'left_out' ? null : pointsOfMax(question);
  const hasOptions = question.options.length > 0;
  return (
    <li className="border-b border-line px-5 py-3 last:border-b-0">
      <div className="grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-start gap-x-2 @min-[40rem]:grid-cols-[1.75rem_minmax(0,1fr)_minmax(7rem,auto)]">
        <span className="leading-8 text-ink-3 tabular-nums">{position}</span>
        <div
          id={`answer-${question.questionId}`}
          tabIndex={-1}
          className="min-w-0 scroll-mt-20 rounded-sm pt-1.5"
        >
          <QuestionText formatted={definition?.format === 'markdown'}>
            <Content text={question.question} format={definition?.format} />
            {isFlagged && (
              <span className="ms-2 inline-flex items-center gap-1 text-xs text-warn-ink">
                <Flag className="size-3.5" strokeWidth={1.75} />
                {t(/* of a question, by the candidate */ 'record.answer.flagged', 'Flagged')}
              </span>
            )}
          </QuestionText>
          {(!open || !hasOptions) && <SelectedAnswer question={question} />}
          {question.correction !== undefined && (
            <p className="mt-1 text-sm text-ink-2">{CORRECTIONS[question.correction]()}</p>
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
            <span className="whitespace-nowrap @max-[40rem]:hidden">
              <Moment at={savedAt} />
            </span>
          )}
          <IconButton
            label={
              hasOptions
                ? t('record.answer.optionsOf', 'Options of question {position}', { position })
                : t(/* its right answer */ 'record.answer.keyOf', 'Key of question {position}', {
                    position,
                  })
            }
            tooltip={hasOptions ? optionsTooltip(open) : keyTooltip(open)}
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

const optionsTooltip = (open: boolean) =>
  open
    ? t(/* of a question */ 'record.answer.hideOptions', 'Hide the options')
    : t(/* of a question; shows them */ 'record.answer.allOptions', 'All options');

const keyTooltip = (open: boolean) =>
  open
    ? t(/* the right answer of a question */ 'record.answer.hideKey', 'Hide the key')
    : t(/* the right answer of a question; shows it */ 'record.answer.key', 'Key');

/** A formatted text has blocks, which a paragraph cannot hold. */
function QuestionText({ formatted, children }: { formatted: boolean; children: ReactNode }) {
  return formatted ? (
    <div dir="auto">{children}</div>
  ) : (
    <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {children}
    </p>
  );
}

const LOOKS = {
  correct: {
    tone: 'text-ok-ink',
    glyph: 'ticked',
    spoken: () => t(/* the answer follows */ 'record.spoken.correct', 'Correct:'),
  },
  partial: {
    tone: 'text-warn-ink',
    glyph: 'half',
    spoken: () => t(/* the answer follows */ 'record.spoken.partial', 'Partly correct:'),
  },
  wrong: {
    tone: 'text-bad-ink',
    glyph: 'cross',
    spoken: () => t(/* the answer follows */ 'record.spoken.wrong', 'Wrong:'),
  },
  unanswered: { tone: 'text-ink-3', glyph: 'ring', spoken: () => '' },
  left_out: {
    tone: 'text-ink-3',
    glyph: 'slashed',
    spoken: () =>
      t(
        /* the answer to a question that counts for no one follows */ 'record.spoken.leftOut',
        'Left out:',
      ),
  },
} as const;

const CORRECTIONS = {
  full_points: () => t('record.correction.fullPoints', 'Everyone has the points of this question.'),
  left_out: () => t('record.correction.leftOut', 'This question is left out of the result.'),
  also_right: () => t('record.correction.alsoRight', 'Another answer is accepted beside the key.'),
} as const;

function SelectedAnswer({ question }: { question: RecordQuestion }) {
  const outcome = outcomeOf(question);
  const { tone, glyph, spoken } = LOOKS[outcome];
  // An answer counts as correct, whatever it is, if a correction decided so for everyone.
  const hasKey = outcome !== 'correct' || question.correction !== undefined;
  return (
    <div className={`mt-1 grid gap-x-6 gap-y-0.5 ${hasKey ? '@min-[40rem]:grid-cols-2' : ''}`}>
      <span className={`flex min-w-0 items-start gap-2 ${tone}`}>
        <Glyph name={glyph} className="mt-1" />
        {question.selectedOption === '' ? (
          <span>{t(/* a question */ 'record.answer.unanswered', 'Unanswered')}</span>
        ) : (
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">{`${spoken()} `}</span>
            <Texts of={givenTexts(question)} format={answerFormat(question)} />
          </span>
        )}
      </span>
      {hasKey && (
        <span className="min-w-0 wrap-anywhere text-ink-2">
          <span className="text-ink-3">{`${t(/* it follows */ 'record.answer.correctFollows', 'Correct answer:')} `}</span>
          <Texts of={keyTexts(question)} format={answerFormat(question)} />
        </span>
      )}
    </div>
  );
}

function AnswerOptions({ question }: { question: RecordQuestion }) {
  const { options, definition, rows } = question;
  const selected = selectedIn(question);
  // An answer that is accepted beside the key is a single option.
  const isAccepted = question.correction === 'also_right' && question.isCorrect;
  if (rows) {
    return (
      <div className="mt-2">
        <AnswerRows rows={rows} isOrder={isOrder(question)} format={definition?.format} />
      </div>
    );
  }
  return (
    <ol className="mt-2 grid gap-1">
      {options.map((option, index) => (
        <Option
          key={option}
          {...{ definition, index }}
          text={option}
          isSelected={selected.includes(option)}
          isRight={isRightOption(question, option) || (isAccepted && selected.includes(option))}
        />
      ))}
    </ol>
  );
}

function Option({
  definition,
  index,
  text,
  isSelected,
  isRight,
}: {
  definition: QuestionDefinition | undefined;
  index: number;
  text: string;
  isSelected: boolean;
  isRight: boolean;
}) {
  const weight = definition?.options.find((one) => one.text === text)?.weight;
  const [bubble, note] = isSelected
    ? isRight
      ? [
          'border-ok bg-ok text-on-ok',
          t(/* an option, by the candidate */ 'record.option.selectedCorrect', 'Selected, correct'),
        ]
      : [
          'border-bad bg-bad text-on-bad',
          t(/* an option, by the candidate */ 'record.option.selected', 'Selected'),
        ]
    : isRight
      ? [
          'border-ok text-ok-ink',
          t(/* said of an option */ 'portal.correctAnswer', 'Correct answer'),
        ]
      : ['border-line-strong text-ink-3', ''];
  const Sign = isRight ? Check : X;
  return (
    <li
      className={`flex min-h-6.5 flex-wrap items-start gap-x-2.5 ${isSelected || isRight ? 'text-ink' : 'text-ink-2'}`}
    >
      <span
        aria-hidden="true"
        data-shape=""
        className={`mt-px grid size-5.5 flex-none place-items-center ${isSeveralChoice(typeIn(definition)) ? 'rounded-sm' : 'rounded-full'} border-[1.5px] text-[0.6875rem] font-semibold ${bubble}`}
      >
        {optionLetter(index)}
      </span>
      <span
        dir="auto"
        className={`min-w-0 max-w-[calc(100%-2.25rem)] pt-0.5 wrap-anywhere whitespace-pre-wrap ${isSelected ? 'font-medium' : ''}`}
      >
        <Content text={text} format={definition?.format} inline />
      </span>
      {note !== '' && (
        <span
          className={`inline-flex items-center gap-1 pt-1 text-xs font-medium ${isRight ? 'text-ok-ink' : 'text-bad-ink'}`}
        >
          <Sign aria-hidden="true" className="size-3.5" strokeWidth={2} />
          {note}
        </span>
      )}
      {weight !== undefined && (
        <span className="pt-1 text-xs text-ink-3 tabular-nums">{`${weight}%`}</span>
      )}
    </li>
  );
}

function AnswerScoring({ definition }: { definition: QuestionDefinition }) {
  const { type, format, explanation } = definition;
  // Rows of an answer have the key beside them.
  const accepted = isInRows(type) ? [] : acceptedText(definition);
  const rules = [TYPES[type].name(), ruleName(definition), ...TYPES[type].keyRules(definition)];
  return (
    <div className="mt-2 grid gap-1.5 text-sm text-ink-2">
      {accepted.length > 0 && (
        <div>
          <p className="text-ink-3">{t('record.answer.accepted', 'Accepted answers')}</p>
          <ul className="list-disc ps-5">
            {accepted.map((words) => (
              <li key={words} className="wrap-anywhere">
                <bdi>{words}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-ink-3">{rules.join(' · ')}</p>
      {explanation && (
        <div className="wrap-anywhere whitespace-pre-wrap">
          <span className="text-ink-3">{`${t(/* it follows */ 'record.answer.explanation', 'Explanation:')} `}</span>
          <Content text={explanation} format={format} />
        </div>
      )}
    </div>
  );
}

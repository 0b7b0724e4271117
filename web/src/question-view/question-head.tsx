import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import { t } from '@invigil/core/texts/i18n';
import { useId } from 'react';
import { pointsText } from '../lib/format.ts';
import { negativeRuleOf } from '../lib/negative-label.ts';
import { Content } from './content.tsx';

/**
 * Section, number, points, what a wrong answer costs, and text of a question. A formatted text
 * has paragraphs and tables, so its heading is the number. No text is bolder than another: in a paper
 * with both kinds that would look like a meaning.
 */
export function QuestionHead({
  question: { type, question, format, section, points },
  number,
  total,
  negativeMarks,
}: {
  question: PaperQuestion;
  number: number;
  total: number;
  negativeMarks?: NegativeMarks | undefined;
}) {
  const numberId = useId();
  const cost = negativeMarks === undefined ? null : negativeRuleOf(type, negativeMarks);
  const costLine = cost !== null && <p className="mt-1 text-sm text-ink-2">{cost}</p>;
  const count = (
    <>
      <span>{t('question.numberOf', 'Question {number} of {total}', { number, total })}</span>
      {points !== undefined && <span>{` · ${pointsText(points)}`}</span>}
    </>
  );
  return (
    <div>
      {section !== undefined && (
        <p dir="auto" className="mb-1 text-md font-medium break-words">
          {section}
        </p>
      )}
      {format === 'markdown' ? (
        <>
          <h1 className="text-md! font-normal! text-ink-2">{count}</h1>
          {costLine}
          <div
            dir="auto"
            className="question-text mt-4 mb-5 text-[length:calc(1.0625rem*var(--reading,1))] leading-[1.6] lg:mb-7 lg:text-[length:calc(1.125rem*var(--reading,1))]"
          >
            <Content text={question} format={format} links="shown" />
          </div>
        </>
      ) : (
        <>
          <p id={numberId} className="text-md text-ink-2">
            {count}
          </p>
          {costLine}
          <h1
            aria-describedby={numberId}
            dir="auto"
            className="mt-1.5 mb-5 max-w-[40em] text-[length:calc(1.1875rem*var(--reading,1))]! leading-[1.47]! font-normal! break-words whitespace-pre-wrap lg:mt-2 lg:mb-7 lg:text-[length:calc(1.375rem*var(--reading,1))]! lg:leading-[1.455]!"
          >
            {question}
          </h1>
        </>
      )}
    </div>
  );
}

/** The text of a question in a list: one paragraph, or the blocks of a formatted text. */
export function QuestionText({
  text,
  format,
  className,
}: {
  text: string;
  format: TextFormat | undefined;
  /** The class of a plain text. */
  className: string;
}) {
  return format === 'markdown' ? (
    <div dir="auto" className="me-auto max-w-[64ch]">
      <Content text={text} format={format} />
    </div>
  ) : (
    <p dir="auto" className={className}>
      {text}
    </p>
  );
}

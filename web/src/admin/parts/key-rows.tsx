import { keyRows } from '@invigil/core/domain/questions/answer-rows';
import { furtherAnswers } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { Fragment } from 'react';
import { RowText } from '../../question-view/answer-rows.tsx';
import { Content } from '../../question-view/content.tsx';

/** The items with their answers, then further answers; or the items in order. Rows of a list. */
export function KeyRows({ definition }: { definition: QuestionDefinition }) {
  const { type, format, options } = definition;
  const isOrder = type === 'ordering';
  const further = isOrder ? [] : furtherAnswers(options);
  return (
    <>
      {keyRows(definition).map(({ item, right }) => (
        <li key={item} className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          <RowText item={item} value={right} isOrder={isOrder} format={format} />
        </li>
      ))}
      {further.map((answer) => (
        <li key={answer} className="min-w-0 wrap-anywhere whitespace-pre-wrap text-ink-2">
          <span className="flex flex-wrap items-baseline gap-x-1.5">
            {t(
              /* an answer follows that belongs to no item */ 'parts.keyRows.wrongForAll',
              'Wrong for all:',
            )}
            <Content text={answer} format={format} inline />
          </span>
        </li>
      ))}
    </>
  );
}

/** The same in one line, without further answers. */
export function KeyRowsLine({ definition }: { definition: QuestionDefinition }) {
  const { type, format } = definition;
  return keyRows(definition).map(({ item, right }, i) => (
    <Fragment key={item}>
      {i > 0 && '; '}
      <RowText item={item} value={right} isOrder={type === 'ordering'} format={format} />
    </Fragment>
  ));
}

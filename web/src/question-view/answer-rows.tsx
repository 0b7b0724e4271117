import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { Glyph } from '../ui/badges/glyphs.tsx';
import { Trans } from '../ui/trans.tsx';
import { Content } from './content.tsx';

/** An item, what it was given ('' is nothing), and what is right; without, the key is not shown. */
export interface ShownRow {
  item: string;
  given: string;
  right?: string | undefined;
}

/** An answer to match or to order, row by row, beside the key where that is shown. */
export function AnswerRows({
  rows,
  isOrder,
  format,
}: {
  rows: readonly ShownRow[];
  isOrder: boolean;
  format: TextFormat | undefined;
}) {
  return (
    <ul className="grid gap-1.5">
      {rows.map(({ item, given, right = '' }) => {
        const isRight = right !== '' && given === right;
        const isWrong = right !== '' && given !== '' && !isRight;
        const look = isRight
          ? 'border-ok-line bg-ok-soft'
          : isWrong
            ? 'border-bad-line bg-bad-soft'
            : 'border-line';
        return (
          <li
            key={item}
            className={`flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md border px-3 py-2 break-inside-avoid ${look}`}
          >
            <Glyph
              name={isRight ? 'ticked' : isWrong ? 'cross' : given === '' ? 'ring' : 'dot'}
              className="mt-1.5 flex-none"
            />
            <div className="min-w-0 flex-1 basis-40 wrap-anywhere whitespace-pre-wrap">
              <RowText item={item} value={given} isOrder={isOrder} format={format} />
              {right !== '' && !isRight && (
                <div className="mt-1 flex flex-wrap items-baseline gap-x-1.5 text-ink-2">
                  {isOrder ? (
                    t(
                      /* of an item that was to be ordered; {place} is a number */ 'result.rightPlace',
                      'Right place: {place}',
                      { place: right },
                    )
                  ) : (
                    <Trans
                      id="result.rightAnswer"
                      comment="the right answer, beside one that is not right"
                      message="Right: {answer}"
                      values={{ answer: <Part text={right} format={format} /> }}
                    />
                  )}
                </div>
              )}
            </div>
            {(isRight || isWrong) && (
              <span className="flex-none text-sm font-medium">{verdictText(isRight)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** 'Right' */
export const verdictText = (isRight: boolean): string =>
  isRight
    ? t(/* the answer is correct */ 'result.right', 'Right')
    : t(/* the answer is not correct */ 'result.notRight', 'Not right');

/** "France → Paris", or "2. Spain": an item with its answer, or behind its place. */
export function RowText({
  item,
  value,
  isOrder,
  format,
}: {
  item: string;
  value: string;
  isOrder: boolean;
  format: TextFormat | undefined;
}) {
  // A formatted text is a block, so that the parts stand side by side as boxes.
  return (
    <span className="inline-flex max-w-full flex-wrap items-baseline gap-x-1.5">
      {isOrder && value !== '' && <span className="flex-none">{`${value}.`}</span>}
      <Part text={item} format={format} />
      {!isOrder && (
        <>
          <span aria-hidden="true" className="points-on">
            →
          </span>
          <span className="sr-only">: </span>
          {value === '' ? (
            <span className="text-ink-3">
              {t(/* in the place of the answer to an item */ 'question.rows.noAnswer', 'no answer')}
            </span>
          ) : (
            <Part text={value} format={format} />
          )}
        </>
      )}
    </span>
  );
}

function Part({ text, format }: { text: string; format: TextFormat | undefined }) {
  return (
    <span dir="auto" className="min-w-0">
      <Content text={text} format={format} inline />
    </span>
  );
}

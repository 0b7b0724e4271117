import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { listText, numberText, percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { Content } from '../../question-view/content.tsx';
import { Glyph } from '../../ui/badges/glyphs.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/tables/table.tsx';
import { Trans } from '../../ui/trans.tsx';
import { figure } from './statistics-texts.ts';

const WIDE = '@max-[40rem]:hidden';

/**
 * How often each option was selected, by whom: a row of five bars from the lowest fifth to the highest. Of a question
 * to match or to order: how often each item was right, and below it everything that it was given.
 */
export function OptionTable({ question }: { question: QuestionStatistics }) {
  const hasRows = question.options.some(({ given }) => given !== undefined);
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Table
        label={
          hasRows
            ? t(
                /* items of a question to match or to order */ 'results.options.itemsOf',
                'Items of question {number}',
                { number: question.number },
              )
            : t('results.options.of', 'Options of question {number}', { number: question.number })
        }
      >
        <thead>
          <tr>
            <HeadCell>
              {hasRows
                ? t(
                    /* a column: an item of a question to match or to order */ 'results.options.item',
                    'Item',
                  )
                : t(/* a column */ 'results.options.option', 'Option')}
            </HeadCell>
            <HeadCell end className={WIDE}>
              {hasRows
                ? t(/* a column: how many had an item right */ 'results.options.right', 'Right')
                : t(
                    /* a column: how many selected an option */ 'results.options.selected',
                    'Selected',
                  )}
            </HeadCell>
            <HeadCell end>
              {t(/* a column, a noun: the share of the people */ 'results.options.share', 'Share')}
            </HeadCell>
            <HeadCell end className={WIDE}>
              {t(
                /* a column: correlation with the rest of the paper */ 'results.withTheRest',
                'With the rest',
              )}
            </HeadCell>
            <HeadCell>
              <Trans
                id="results.options.byAbility"
                message="By ability<wide>, from the lowest fifth to the highest</wide>"
                comment="a column; a narrow screen shows only what stands before <wide>"
                components={{ wide: <span className={WIDE} /> }}
              />
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {question.options.map(
            ({ text, isKey, chosen, share, correlation, byAbility, given }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: options may have equal texts
              <Row key={i}>
                <Cell>
                  <span className="flex items-center gap-2">
                    {isKey && !given && <Glyph name="ticked" />}
                    <span className={isKey ? 'font-medium' : ''}>
                      <Content text={text} format={question.format} inline />
                      {isKey && !given && (
                        <span className="sr-only">
                          {t(
                            /* read out after an option that is right */ 'results.options.isRight',
                            '(right)',
                          )}
                        </span>
                      )}
                    </span>
                  </span>
                  {given && <Given question={question} given={given} />}
                </Cell>
                <Cell end className={WIDE}>
                  {numberText(chosen)}
                </Cell>
                <Cell end>{percentText(Math.round(100 * share))}</Cell>
                <Cell end className={WIDE}>
                  {figure(correlation)}
                </Cell>
                <Cell>
                  <Fifths shares={byAbility} isKey={isKey} />
                </Cell>
              </Row>
            ),
          )}
        </tbody>
      </Table>
    </div>
  );
}

/** Lists what an item was given, by how many: answers, or places. */
function Given({
  question: { type, format, n },
  given,
}: {
  question: QuestionStatistics;
  given: NonNullable<QuestionStatistics['options'][number]['given']>;
}) {
  return (
    <ul className="mt-1 grid gap-0.5 text-sm text-ink-2">
      {given.map(({ text, isKey, chosen }) => (
        <li key={text} className="flex items-start gap-2">
          <Glyph name={isKey ? 'ticked' : 'ring'} className="mt-0.5 flex-none" />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 wrap-anywhere">
            {type === 'ordering' ? (
              t(
                /* of a question to order: the place that an item was given, 1 is the first */ 'results.options.place',
                'Place {place}',
                { place: text },
              )
            ) : (
              <Content text={text} format={format} inline />
            )}
            {isKey && (
              <span className="sr-only">
                {t(
                  /* read out after an option that is right */ 'results.options.isRight',
                  '(right)',
                )}
              </span>
            )}
            <span className="text-ink-3 tabular-nums">
              {`${numberText(chosen)} (${percentText(Math.round((100 * chosen) / Math.max(1, n)))})`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Fifths({ shares, isKey }: { shares: readonly number[]; isKey: boolean }) {
  const texts = shares.map((share) => percentText(Math.round(100 * share)));
  return (
    <span
      dir="ltr"
      className="flex h-9 w-20 items-end gap-1 @min-[40rem]:w-40 border-b border-line-2"
      title={listText(texts, 'unit')}
    >
      <span className="sr-only">{listText(texts, 'unit')}</span>
      {shares.map((share, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the fifths are their positions
          key={i}
          aria-hidden="true"
          data-shape=""
          className={`w-full rounded-t-[2px] ${isKey ? 'bg-chart' : 'bg-line-strong'}`}
          style={{ height: `${Math.max(3, 100 * share)}%` }}
        />
      ))}
    </span>
  );
}

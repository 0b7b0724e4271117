import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { Content } from '../../question-view/content.tsx';
import { Glyph } from '../../ui/badges/glyphs.tsx';
import { Cell, HeadCell, Row, Table } from '../../ui/tables/table.tsx';
import { figure } from './statistics-texts.ts';

const WIDE = '@max-[40rem]:hidden';

/** How often each option was selected, by whom: a row of five bars from the lowest fifth to the highest. */
export function OptionTable({ question }: { question: QuestionStatistics }) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <Table label={`Options of question ${question.number}`}>
        <thead>
          <tr>
            <HeadCell>Option</HeadCell>
            <HeadCell end className={WIDE}>
              Selected
            </HeadCell>
            <HeadCell end>Share</HeadCell>
            <HeadCell end className={WIDE}>
              With the rest
            </HeadCell>
            <HeadCell>
              By ability<span className={WIDE}>, from the lowest fifth to the highest</span>
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {question.options.map(({ text, isKey, chosen, share, correlation, byAbility }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may have equal texts
            <Row key={i}>
              <Cell>
                <span className="flex items-center gap-2">
                  {isKey && <Glyph name="ticked" />}
                  <span className={isKey ? 'font-medium' : ''}>
                    <Content text={text} format={question.format} inline />
                    {isKey && <span className="sr-only"> (right)</span>}
                  </span>
                </span>
              </Cell>
              <Cell end className={WIDE}>
                {chosen.toLocaleString('en-GB')}
              </Cell>
              <Cell end>{`${Math.round(100 * share)}\u00a0%`}</Cell>
              <Cell end className={WIDE}>
                {figure(correlation)}
              </Cell>
              <Cell>
                <Fifths shares={byAbility} isKey={isKey} />
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Fifths({ shares, isKey }: { shares: readonly number[]; isKey: boolean }) {
  const texts = shares.map((share) => `${Math.round(100 * share)} %`);
  return (
    <span
      className="flex h-9 w-20 items-end gap-1 @min-[40rem]:w-40 border-b border-line-2"
      title={texts.join(', ')}
    >
      <span className="sr-only">{texts.join(', ')}</span>
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

import { figureText, percentText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';

export interface Bar {
  /** Text in the table: `90 to 100`, `14 May 2026`. */
  name: string;
  count: number;
}

/** A line across the axis, at percent of its length. */
interface Mark {
  at: number;
  label: string;
}

/** The most bars with numbers above them; those of more would overlap. */
const FIGURES_UP_TO = 20;

/** One series as HTML bars; screen readers get a table. */
export function BarChart({
  caption,
  nameHead,
  countHead,
  bars,
  axis,
  mark,
  own,
}: {
  caption: string;
  nameHead: string;
  countHead: string;
  bars: readonly Bar[];
  /** Labels along the bottom, from the first bar to the last. */
  axis: readonly string[];
  mark?: Mark | undefined;
  /** The place of the bar that the reader is in. */
  own?: number | undefined;
}) {
  const most = Math.max(0, ...bars.map(({ count }) => count));
  const withFigures = bars.length <= FIGURES_UP_TO;
  return (
    <div className="relative px-5 py-4 tabular-nums">
      <div aria-hidden="true" dir="ltr">
        {!withFigures && (
          <p dir="auto" className="h-4 text-xs text-ink-3">
            {t(
              /* the highest bar of a chart of days: attempts */ 'ui.chart.atMost',
              '{most, plural, one {At most # in a day} other {At most # in a day}}',
              { most },
            )}
          </p>
        )}
        <div
          className={`relative flex items-end border-b border-line-2 ${withFigures ? 'h-44 gap-1.5 pt-5 @min-[40rem]:gap-2.5' : 'h-40 gap-px pt-1'}`}
        >
          {bars.map((bar, i) => (
            <div
              key={bar.name}
              title={`${bar.name}: ${bar.count}`}
              className="flex h-full min-w-0 flex-1 items-end"
            >
              <div
                data-shape=""
                className={`relative w-full rounded-t-[3px] ${own === undefined ? 'bg-chart' : own === i ? 'bg-accent' : 'bg-line-strong'}`}
                style={{ height: `${heightOf(bar.count, most)}%` }}
              >
                {withFigures && (
                  <span className="absolute inset-x-0 bottom-full pb-0.5 text-center text-xs text-ink-2">
                    {bar.count}
                  </span>
                )}
              </div>
            </div>
          ))}
          {mark !== undefined && (
            <span
              className="absolute inset-y-0 border-s-2 border-dashed border-accent"
              style={{ left: `${mark.at}%` }}
            >
              <span
                className={`absolute top-0 px-1.5 text-xs whitespace-nowrap text-accent-ink ${mark.at > 50 ? 'inset-e-0' : 'inset-s-0'}`}
              >
                <bdi>{mark.label}</bdi>
              </span>
            </span>
          )}
        </div>
        <div className="mt-1.5 flex justify-between gap-1 text-xs text-ink-3">
          {axis.map((label, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the labels are their positions
            <span key={index} dir="auto">
              {label}
            </span>
          ))}
        </div>
      </div>
      {/* Wraps the table, whose own height would otherwise extend the page. */}
      <div className="sr-only">
        <table>
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{nameHead}</th>
              <th scope="col">{countHead}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar, i) => (
              <tr key={bar.name}>
                <th scope="row">
                  {own === i
                    ? t(
                        /* the reader’s own; {range}: from one percentage to another */ 'ui.chart.yours',
                        '{range} (yours)',
                        { range: bar.name },
                      )
                    : bar.name}
                </th>
                <td>{bar.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** Attempts by percentage. */
export function PercentChart({
  distribution,
  own,
  ...chart
}: {
  caption: string;
  countHead: string;
  /** People in twentieths of 100 percent; 100 is in the last. */
  distribution: readonly number[];
  mark?: Mark | undefined;
  /** The reader's percentage. */
  own?: number | undefined;
}) {
  return (
    <BarChart
      nameHead={t(/* head of a column */ 'ui.chart.percentage', 'Percentage')}
      bars={distribution.map((count, bin) => ({
        name: binName(bin),
        count,
      }))}
      axis={[0, 25, 50, 75, 100].map((percent) => percentText(percent))}
      own={own === undefined ? undefined : Math.min(19, Math.floor(own / 5))}
      {...chart}
    />
  );
}

/** The percentages in a twentieth, written out: a sum would read 19.990000000000002. */
export const binName = (bin: number): string =>
  t(/* percentages: "5 to 9.99" */ 'ui.chart.range', '{from} to {to}', {
    from: figureText(bin * 5),
    to: bin === 19 ? figureText(100) : figureText(bin * 5 + 4.99, 2),
  });

/** Heights in percent of the highest bar; nonzero values are always visible. */
export function heightOf(count: number, most: number): number {
  return count === 0 || most === 0 ? 0 : Math.max(2, (count / most) * 100);
}

/** The filled bubble per line of the sheet; `current` is the line being answered. */
const LINES = [1, 3, 0, 2, 2, 1, 'current', null, null, null, null, null, null, null] as const;
const COLUMNS = [96, 156, 216, 276];

/** A decorative answer sheet beside the sign-in form. */
export function AnswerSheet() {
  return (
    <svg viewBox="0 0 320 748" aria-hidden="true" className="h-auto w-full">
      {LINES.map((line, index) => {
        const y = 36 + index * 52;
        return (
          <g key={y} className={line === null ? 'opacity-75' : ''}>
            <text
              x={50}
              y={y + 5}
              textAnchor="end"
              className="fill-ink-3 text-[14px] font-medium tabular-nums"
            >
              {index + 1}
            </text>
            {COLUMNS.map((x, column) => (
              <circle
                key={x}
                cx={x}
                cy={y}
                r="14.25"
                strokeWidth="1.5"
                className={
                  line === column
                    ? 'fill-accent'
                    : line === 'current'
                      ? 'fill-none stroke-accent'
                      : 'fill-none stroke-line-2'
                }
              />
            ))}
          </g>
        );
      })}
    </svg>
  );
}

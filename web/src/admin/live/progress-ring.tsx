const ROUND = 2 * Math.PI * 18;

/** Answered questions as a ring with the number in it; the text is for screen readers. */
export function ProgressRing({ answered, total }: { answered: number; total: number }) {
  const share = total === 0 ? 0 : Math.min(1, answered / total);
  return (
    <span className="relative grid size-11 flex-none place-items-center font-semibold tabular-nums">
      <svg
        viewBox="0 0 44 44"
        aria-hidden="true"
        className="absolute inset-0 -rotate-90"
        fill="none"
        strokeWidth="4"
      >
        <circle cx="22" cy="22" r="18" className="stroke-line" />
        <circle
          cx="22"
          cy="22"
          r="18"
          className="stroke-accent"
          strokeDasharray={`${share * ROUND} ${ROUND}`}
        />
      </svg>
      <span aria-hidden="true" className="relative text-sm">
        {answered}
      </span>
      <span className="sr-only">{`${answered} of ${total} answered,`}</span>
    </span>
  );
}

/** The logo: four seats, one marked. Its name is visible or for screen readers only. */
export function Mark({ withName = false }: { withName?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2.5 text-lg font-semibold tracking-[-0.012em] text-ink">
      <svg
        width={26}
        height={26}
        viewBox="0 0 24 24"
        fill="none"
        className="flex-none"
        aria-hidden="true"
      >
        <g stroke="currentColor" strokeWidth="1.75">
          <circle cx="6.75" cy="6.75" r="3.5" />
          <circle cx="6.75" cy="17.25" r="3.5" />
          <circle cx="17.25" cy="17.25" r="3.5" />
        </g>
        <circle cx="17.25" cy="6.75" r="4.375" className="fill-accent" />
      </svg>
      <span className={withName ? '' : 'sr-only'}>Invigil</span>
    </span>
  );
}

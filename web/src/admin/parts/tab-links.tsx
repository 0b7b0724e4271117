import { Link } from 'react-router';

/** The tabs of a page, each with an address of its own: for sharing, reloading and Back. */
export function TabLinks({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly { to: string; name: string }[];
  /** The address of the tab that is shown. */
  current: string;
}) {
  return (
    <nav
      aria-label={label}
      className="mb-4 flex flex-wrap gap-x-5 border-b border-line max-sm:gap-x-3 max-[22.5rem]:gap-x-1.5 max-[22.5rem]:tracking-tight"
    >
      {tabs.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          {...(to === current ? { 'aria-current': 'page' as const } : {})}
          className="-mb-px inline-flex min-h-10 flex-none items-center border-b-2 border-transparent font-medium text-ink-2 hover:text-ink max-sm:text-sm aria-[current=page]:border-accent aria-[current=page]:text-ink touch:min-h-11"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

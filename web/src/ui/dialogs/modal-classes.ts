/** The scrim of everything that blocks: it centres its one child and never lets it grow beyond the page. */
export const SCRIM =
  'fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4 md:p-6';

/** The plane on it. */
export const SHEET =
  'relative flex w-full animate-enter flex-col rounded-xl bg-raised shadow-lg outline-none';

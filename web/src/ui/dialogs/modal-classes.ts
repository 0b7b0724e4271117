/** The scrim of modal elements: centers its only child and limits it to the page. */
export const SCRIM =
  'fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center bg-scrim p-4 md:p-6';

/** The surface on it. */
export const SHEET =
  'relative flex w-full animate-enter flex-col rounded-xl bg-raised shadow-lg outline-none';

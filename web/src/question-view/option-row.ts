/** One option: a row with its letter and its text. Style of both radios and checkboxes. */
export const OPTION_ROW =
  'group flex w-full items-center gap-3.5 rounded-lg border border-line-2 bg-surface text-start transition-colors hover:border-line-strong hover:bg-hover disabled:cursor-default disabled:border-line disabled:bg-surface disabled:text-ink-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft data-[state=checked]:text-ink data-[state=checked]:inset-ring data-[state=checked]:inset-ring-accent';

export function optionSize(dense: boolean): string {
  return dense
    ? 'min-h-13 py-2 pr-4 pl-2.5'
    : 'min-h-14 py-2.5 pr-3.5 pl-2.75 lg:min-h-15 lg:py-3 lg:pr-4.5 lg:pl-3.5';
}

export function optionGap(dense: boolean): string {
  return `grid ${dense ? 'gap-2' : 'gap-2.5 lg:gap-3'}`;
}

/** Its letter; the shape says whether one or several can be selected. */
export const OPTION_LETTER =
  'grid size-8.5 flex-none place-items-center border-[1.5px] border-line-strong bg-surface text-[0.9375rem] font-semibold text-ink-2 group-disabled:border-line-2 group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=checked]:text-on-accent';

export const OPTION_TEXT =
  'min-w-0 text-[length:calc(1rem*var(--reading,1))] leading-normal break-words whitespace-pre-wrap';

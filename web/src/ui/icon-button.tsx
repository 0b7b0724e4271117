import type { ComponentProps, ReactNode } from 'react';
import type { WishedSide } from './place-beside.ts';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'type'> {
  /** The accessible name. Also the tooltip, unless `tooltip` is given. */
  label: string;
  tooltip?: string;
  /** Why the button is disabled; replaces the tooltip. The button remains focusable. */
  unavailable?: string | undefined;
  side?: WishedSide;
  children: ReactNode;
}

/** An icon button of 32 px (44 px on touch screens), with tooltip and name. */
export function IconButton({
  label,
  tooltip,
  unavailable,
  side = 'top',
  onClick,
  className = '',
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip
      text={unavailable ?? tooltip ?? label}
      side={side}
      describes={unavailable !== undefined}
    >
      <button
        {...rest}
        type="button"
        aria-label={label}
        {...(unavailable === undefined
          ? {}
          : { 'aria-disabled': true, 'aria-description': unavailable })}
        className={`inline-grid size-8 flex-none place-items-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:bg-transparent aria-disabled:text-ink-off touch:size-11 [&_svg]:size-4.5 ${className}`}
        onClick={(event) => {
          if (unavailable === undefined) onClick?.(event);
          else event.preventDefault();
        }}
      >
        {children}
      </button>
    </Tooltip>
  );
}

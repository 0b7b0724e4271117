import type { ComponentProps, ReactNode } from 'react';
import type { Side } from './place-beside.ts';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'type'> {
  /** The spoken name. Also the tooltip, unless `tooltip` says it shorter. */
  label: string;
  tooltip?: string;
  /** The button cannot be used now; this says why and takes the tooltip's place. It keeps the focus. */
  unavailable?: string | undefined;
  side?: Side;
  children: ReactNode;
}

/** A 32 px button of one icon (44 px under a finger), with tooltip and name. */
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

import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost';
/** dense 32, admin 36, candidate 44, large 48 px; at least 44 on touch screens. */
export type ButtonSize = 'dense' | 'admin' | 'candidate' | 'large';

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-press forced-colors:border-3',
  secondary: 'border-line-2 bg-surface text-ink hover:bg-hover',
  ghost: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border-transparent bg-bad text-on-bad hover:bg-bad-hover',
  'danger-ghost': 'border-transparent text-bad-ink hover:bg-bad-soft',
};

const SIZES: Record<ButtonSize, string> = {
  dense: 'min-h-8 px-3 text-sm touch:min-h-11',
  admin: 'min-h-9 px-3.5 text-base touch:min-h-11',
  candidate: 'min-h-11 px-5 text-md',
  large: 'min-h-12 px-5.5 text-md short:min-h-11',
};

const OFF =
  'aria-disabled:cursor-not-allowed aria-disabled:border-transparent aria-disabled:bg-fill aria-disabled:text-ink-off disabled:cursor-not-allowed disabled:border-transparent disabled:bg-fill disabled:text-ink-off';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'type'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  type?: 'button' | 'submit';
  /** An icon of 18 px before the text. */
  icon?: ReactNode;
  /** Work is in progress: shows a spinner and this text at the same width; focusable but inert. */
  busy?: string | false | undefined;
  full?: boolean;
}

/** Classes of a button, for links styled as one. */
export function buttonClasses(variant: ButtonVariant, size: ButtonSize, full = false): string {
  return `inline-flex items-center justify-center gap-2 rounded-md border py-1 text-center font-medium transition-colors select-none [&_svg]:size-4.5 [&_svg]:flex-none ${VARIANTS[variant]} ${SIZES[size]} ${full ? 'w-full' : ''}`;
}

/** A button; it submits only with `type="submit"`. */
export function Button({
  variant = 'secondary',
  size = 'admin',
  type = 'button',
  icon,
  busy = false,
  full = false,
  children,
  className = '',
  onClick,
  ref,
  ...rest
}: ButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  const [idleWidth, setIdleWidth] = useState<number>();
  const isBusy = busy !== false;
  // Preserve the width of the idle text, so that the layout does not shift.
  useLayoutEffect(() => {
    if (!isBusy) setIdleWidth(own.current?.offsetWidth);
  }, [isBusy]);

  return (
    <button
      {...rest}
      ref={(element) => {
        own.current = element;
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
      }}
      type={type}
      {...(isBusy ? { 'aria-disabled': true, style: { minWidth: idleWidth } } : {})}
      className={`${buttonClasses(variant, size, full)} ${isBusy ? 'cursor-default!' : OFF} ${className}`}
      onClick={(event) => {
        // Also blocks Enter in a field: implicit submission clicks this button.
        if (isBusy || rest['aria-disabled'] === true) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? <Spinner /> : icon}
      <span>{isBusy ? busy : children}</span>
    </button>
  );
}

import { RadioGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** A radio group with arrow-key navigation. Name it with `label` or `labelledBy`. */
export function RadioGroup({
  label,
  labelledBy,
  describedBy,
  value,
  onChange,
  disabled = false,
  invalid = false,
  className = '',
  children,
}: {
  label?: string;
  labelledBy?: string;
  describedBy?: string | undefined;
  /** `null`: nothing selected yet. */
  value: string | null;
  onChange(value: string): void;
  disabled?: boolean;
  invalid?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Radix.Root
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      {...(invalid ? { 'aria-invalid': true } : {})}
      value={value}
      onValueChange={onChange}
      disabled={disabled}
      className={className}
    >
      {children}
    </Radix.Root>
  );
}

/** A lettered bubble; `value` is one of the enclosing group's. */
export function BubbleRadio({
  value,
  letter,
  label,
  tone = 'accent',
  disabled = false,
}: {
  value: string;
  letter: string;
  label: string;
  /** `ok` for an answer key, `accent` for a choice. */
  tone?: 'accent' | 'ok';
  disabled?: boolean;
}) {
  const marked =
    tone === 'ok'
      ? 'data-[state=checked]:border-ok data-[state=checked]:bg-ok data-[state=checked]:text-on-ok'
      : 'data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent';
  return (
    <Radix.Item
      value={value}
      aria-label={label}
      disabled={disabled}
      data-shape=""
      className={`grid size-8.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-surface text-[0.9375rem] font-semibold text-ink-2 transition-colors hover:bg-hover disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-fill disabled:text-ink-off touch:size-11 ${marked}`}
    >
      <span aria-hidden="true">{letter}</span>
    </Radix.Item>
  );
}

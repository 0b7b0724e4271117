import { RadioGroup as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { pageDirection } from '../direction.ts';

/** A radio group with arrow-key navigation. */
export function RadioGroup({
  label,
  describedBy,
  value,
  onChange,
  invalid = false,
  className,
  children,
}: {
  label: string;
  describedBy?: string | undefined;
  /** `null`: nothing selected yet. */
  value: string | null;
  onChange(value: string): void;
  invalid?: boolean;
  className: string;
  children: ReactNode;
}) {
  return (
    <Radix.Root
      dir={pageDirection()}
      aria-label={label}
      aria-describedby={describedBy}
      {...(invalid ? { 'aria-invalid': true } : {})}
      value={value}
      onValueChange={onChange}
      className={className}
    >
      {children}
    </Radix.Root>
  );
}

/** The lettered bubble of an answer key; `value` is one of the enclosing group's. */
export function BubbleRadio({
  value,
  letter,
  label,
}: {
  value: string;
  letter: string;
  label: string;
}) {
  return (
    <Radix.Item
      value={value}
      aria-label={label}
      data-shape=""
      className="grid size-8.5 flex-none place-items-center rounded-full border-[1.5px] border-line-strong bg-surface text-[0.9375rem] font-semibold text-ink-2 transition-colors hover:bg-hover touch:size-11 data-[state=checked]:border-ok data-[state=checked]:bg-ok data-[state=checked]:text-on-ok"
    >
      <span aria-hidden="true">{letter}</span>
    </Radix.Item>
  );
}

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { CONTROL, CONTROL_SIZE } from '../../../../ui/fields/field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';

/** A short field of a row: named for screen readers, its problem in the note under the row. */
export function RowField({
  label,
  name,
  value,
  onChange,
  problem,
  suffix,
  className = '',
  ...input
}: {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
  problem: string | undefined;
  /** after the text, inside the outline */
  suffix?: string;
  className?: string;
  placeholder?: string;
  inputMode?: 'decimal' | 'text';
}) {
  return (
    <span className={`relative min-w-0 ${className}`}>
      <input
        type="text"
        autoComplete="off"
        {...input}
        name={name}
        aria-label={label}
        {...(problem === undefined
          ? {}
          : { 'aria-invalid': true, 'aria-describedby': `${name}-note` })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`${CONTROL} ${CONTROL_SIZE.admin} ${suffix === undefined ? '' : 'pr-7! text-right'}`}
      />
      {suffix !== undefined && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-2.5 grid place-items-center text-ink-3"
        >
          {suffix}
        </span>
      )}
    </span>
  );
}

/** A row of fields that can be removed. */
export function KeyRow({
  removeLabel,
  onRemove,
  children,
}: {
  removeLabel: string;
  /** Absent: the only row stays. */
  onRemove?: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      {children}
      {onRemove !== undefined && (
        <IconButton label={removeLabel} tooltip="Remove" className="mt-0.5" onClick={onRemove}>
          <X />
        </IconButton>
      )}
    </div>
  );
}

import { t } from '@invigil/core/texts/i18n';
import { Check, ChevronDown } from 'lucide-react';
import { Select } from 'radix-ui';
import type { Ref } from 'react';
import { pageDirection } from '../direction.ts';
import { CONTROL, CONTROL_SIZE, Field, type FieldSize, type FieldTexts } from './field.tsx';
import { styleNonce } from './style-nonce.ts';

export interface SelectOption<V extends string = string> {
  value: V;
  label: string;
}

interface SelectProps<V extends string> {
  value: V | undefined;
  onChange(value: V): void;
  onBlur?(): void;
  options: readonly SelectOption<V>[];
  placeholder?: string;
  size?: FieldSize | 'dense';
  name?: string;
  disabled?: boolean;
  /** The control itself, so that a form can focus it. */
  controlRef?: Ref<HTMLButtonElement>;
}

const SIZE = { ...CONTROL_SIZE, dense: 'min-h-8 px-3 text-base touch:min-h-11' };

/** A select styled as an input, with a floating menu and a check mark on the selected row. */
export function SelectField<V extends string>({
  label,
  hint,
  error,
  optional,
  className = '',
  ...select
}: SelectProps<V> & FieldTexts & { className?: string }) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(ids) => <SelectControl {...select} {...ids} />}
    </Field>
  );
}

/** The same without a visible label, for filters and toolbars: it needs an accessible name. */
export function SelectControl<V extends string>({
  value,
  onChange,
  onBlur,
  options,
  placeholder = t(/* verb: in a list from which nothing was selected */ 'ui.select', 'Select'),
  size = 'admin',
  name,
  disabled = false,
  controlRef,
  className = '',
  ...ids
}: SelectProps<V> & {
  id?: string;
  className?: string;
  'aria-label'?: string;
  'aria-labelledby'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}) {
  return (
    <Select.Root
      dir={pageDirection()}
      value={value ?? ''}
      onValueChange={(next) => {
        const selected = options.find((option) => option.value === next);
        if (selected !== undefined) onChange(selected.value);
      }}
      disabled={disabled}
      {...(name === undefined ? {} : { name })}
    >
      <Select.Trigger
        {...ids}
        {...(controlRef === undefined ? {} : { ref: controlRef })}
        {...(onBlur === undefined ? {} : { onBlur })}
        className={`${CONTROL} ${SIZE[size]} flex items-center justify-between gap-2 text-start data-placeholder:text-ink-3 ${className}`}
      >
        <span className="min-w-0 truncate">
          <Select.Value placeholder={placeholder} />
        </span>
        <Select.Icon className="flex-none text-ink-3">
          <ChevronDown className="size-4" />
        </Select.Icon>
      </Select.Trigger>
      <Select.Portal>
        <Select.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[min(28rem,calc(100vw-1rem))] animate-enter overflow-hidden rounded-lg border border-line bg-raised shadow-md"
        >
          <Select.Viewport className="p-1" nonce={styleNonce()}>
            {options.map((option) => (
              <Select.Item
                key={option.value}
                value={option.value}
                className="flex min-h-8 cursor-default items-center justify-between gap-3 rounded-md px-2.5 py-1 outline-none select-none data-highlighted:bg-hover touch:min-h-11 touch:text-md"
              >
                <Select.ItemText>{option.label}</Select.ItemText>
                <Select.ItemIndicator className="flex-none text-accent-ink">
                  <Check className="size-4" strokeWidth={1.75} />
                </Select.ItemIndicator>
              </Select.Item>
            ))}
          </Select.Viewport>
        </Select.Content>
      </Select.Portal>
    </Select.Root>
  );
}

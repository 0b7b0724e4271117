import type { ComponentProps, ReactNode } from 'react';
import { CONTROL, CONTROL_SIZE, Field, type FieldSize, type FieldTexts } from './field.tsx';

export interface TextFieldProps
  extends Omit<ComponentProps<'input'>, 'size' | 'id' | 'className'>,
    FieldTexts {
  size?: FieldSize;
  className?: string;
  inputClassName?: string;
  icon?: ReactNode;
}

export function TextField({
  label,
  hint,
  error,
  optional,
  size = 'admin',
  className = '',
  inputClassName = '',
  icon,
  ...input
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(ids) =>
        icon === undefined ? (
          <input
            type="text"
            {...input}
            {...ids}
            className={`${CONTROL} ${CONTROL_SIZE[size]} ${inputClassName}`}
          />
        ) : (
          <InputWithIcon
            size={size}
            icon={icon}
            inputClassName={inputClassName}
            {...input}
            {...ids}
          />
        )
      }
    </Field>
  );
}

/** An input with an element inside its outline; the focus ring encloses both. */
export function InputWithIcon({
  size = 'admin',
  icon,
  inputClassName = '',
  className = '',
  ...input
}: Omit<ComponentProps<'input'>, 'size'> & {
  size?: FieldSize;
  icon: ReactNode;
  inputClassName?: string;
}) {
  return (
    <span className={`relative block ${className}`}>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 inset-s-3 grid place-items-center text-ink-3 [&_svg]:size-4.5"
      >
        {icon}
      </span>
      <input
        type="text"
        {...input}
        className={`${CONTROL} ${CONTROL_SIZE[size]} ps-9.5! ${inputClassName}`}
      />
    </span>
  );
}

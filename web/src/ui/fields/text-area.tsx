import type { ComponentProps } from 'react';
import { CONTROL, CONTROL_SIZE, Field, type FieldSize, type FieldTexts } from './field.tsx';

export interface TextAreaProps
  extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>,
    FieldTexts {
  size?: FieldSize;
  className?: string;
  inputClassName?: string;
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  size = 'admin',
  className = '',
  inputClassName = '',
  ...textarea
}: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(ids) => (
        <textarea
          rows={3}
          {...textarea}
          {...ids}
          className={`${CONTROL} ${CONTROL_SIZE[size]} block resize-y py-2 ${inputClassName}`}
        />
      )}
    </Field>
  );
}

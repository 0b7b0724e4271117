import { t } from '@invigil/core/texts/i18n';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { CONTROL, CONTROL_SIZE, Field } from './field.tsx';
import type { TextFieldProps } from './text-field.tsx';

/** A password with a show/hide toggle; shown in the font for codes. */
export function PasswordField({
  label,
  hint,
  error,
  optional,
  size = 'admin',
  className = '',
  inputClassName = '',
  icon: _icon,
  ...input
}: TextFieldProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, hint, error, optional, className }}>
      {(ids) => (
        <span className="relative block">
          <input
            autoComplete="current-password"
            spellCheck={false}
            autoCapitalize="off"
            autoCorrect="off"
            {...input}
            {...ids}
            type={shown ? 'text' : 'password'}
            className={`${CONTROL} ${CONTROL_SIZE[size]} pe-22! rtl:ps-22! rtl:pe-3! ${shown ? 'code tracking-[0.02em]' : ''} ${inputClassName}`}
          />
          <button
            type="button"
            aria-label={
              shown
                ? t('ui.password.hide', 'Hide password')
                : t('ui.password.show', 'Show password')
            }
            onClick={() => setShown(!shown)}
            className={`absolute inset-e-1 top-1/2 inline-flex -translate-y-1/2 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium text-ink-2 hover:bg-hover hover:text-ink ${size === 'admin' ? 'h-7 touch:h-11' : 'h-9 touch:h-11'}`}
          >
            {shown ? <EyeOff className="size-4.5" /> : <Eye className="size-4.5" />}
            {shown
              ? t(/* a button beside a password: do not show it */ 'ui.password.hideShort', 'Hide')
              : t(
                  /* a button beside a password: make it readable */ 'ui.password.showShort',
                  'Show',
                )}
          </button>
        </span>
      )}
    </Field>
  );
}

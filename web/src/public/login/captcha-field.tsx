import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes } from '@invigil/core/domain/one-time-code';
import { RefreshCw } from 'lucide-react';
import type { Ref } from 'react';
import { buttonClasses } from '../../ui/button.tsx';
import { CONTROL, CONTROL_SIZE, Field } from '../../ui/fields/field.tsx';

/** The captcha code, a button for a new one, and the input. */
export function CaptchaField({
  code,
  onRefresh,
  error,
  inputRef,
}: {
  code: string;
  onRefresh(): void;
  error: string | undefined;
  inputRef: Ref<HTMLInputElement>;
}) {
  return (
    <Field label="Captcha" error={error}>
      {(ids) => (
        <span className="grid grid-cols-[auto_2.75rem_minmax(0,1fr)] gap-2">
          <output
            aria-label={`Captcha code: ${[...code].join(', ')}`}
            className="code grid h-11 place-items-center rounded-md bg-sunken px-4 indent-[0.18em] text-[1.25rem] tracking-[0.18em] select-text"
          >
            {code}
          </output>
          <button
            type="button"
            aria-label="New captcha code"
            onClick={onRefresh}
            className={`${buttonClasses('secondary', 'candidate')} w-11 px-0!`}
          >
            <RefreshCw />
          </button>
          <input
            {...ids}
            ref={inputRef}
            name="captcha"
            type="text"
            required
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            placeholder="Type the code"
            className={`${CONTROL} ${CONTROL_SIZE.candidate} code tracking-[0.12em] uppercase placeholder:font-sans placeholder:font-normal placeholder:tracking-normal placeholder:normal-case`}
          />
        </span>
      )}
    </Field>
  );
}

/**
 * Creates a captcha as real text, accessible and easy to copy. The throttle protects, not the captcha.
 */
export function newCaptcha(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LIMITS.captchaCharacters));
  return codeFromBytes(bytes, CODE_LIMITS.captchaCharacters);
}

/** Ignores case (specification 5) and surrounding blanks from copying. */
export function isCaptchaRight(typed: string, shown: string): boolean {
  return typed.trim().toUpperCase() === shown;
}

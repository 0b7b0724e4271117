import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes } from '@invigil/core/domain/one-time-code';

/**
 * Creates a captcha as real text, accessible and easy to copy. The throttle protects, not the captcha.
 */
export function newCaptcha(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LIMITS.captchaCharacters));
  return codeFromBytes(bytes, CODE_LIMITS.captchaCharacters);
}

/** Ignores case (seed 5) and surrounding blanks from copying. */
export function isCaptchaRight(typed: string, shown: string): boolean {
  return typed.trim().toUpperCase() === shown;
}

import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes } from '@invigil/core/domain/one-time-code';

/**
 * A new captcha: real text that can be read out and copied. The throttle protects, not the captcha.
 */
export function newCaptcha(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LIMITS.captchaCharacters));
  return codeFromBytes(bytes, CODE_LIMITS.captchaCharacters);
}

/** Compared without regard to case (seed 5), and to the blanks that copying brings along. */
export function isCaptchaRight(typed: string, shown: string): boolean {
  return typed.trim().toUpperCase() === shown;
}

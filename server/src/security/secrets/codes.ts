import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes, normalizeCode } from '@invigil/core/domain/one-time-code';

/** A new one-time password without its hyphens: 15 characters of 32, 75 bits. */
export function newOneTimeCode(): string {
  const length = CODE_LIMITS.oneTimeCodeCharacters;
  return codeFromBytes(randomBytes(length), length);
}

/**
 * The keyed hash that is stored and looked up. A fast hash is right here: 75 random bits cannot be
 * searched, and many candidates sign in within seconds (product 5).
 */
export function hashOneTimeCode(key: KeyObject, typed: string): Buffer {
  return createHmac('sha256', key).update(normalizeCode(typed)).digest();
}

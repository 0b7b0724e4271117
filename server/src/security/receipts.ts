import { randomBytes } from 'node:crypto';
import { CODE_LIMITS } from '@invigil/core/domain/limits';
import { codeFromBytes, groupCode } from '@invigil/core/domain/one-time-code';

/** A receipt number people can read out: 50 random bits in two groups of five. */
export function newReceiptId(): string {
  const length = CODE_LIMITS.oneTimeCodeGroup * 2;
  return groupCode(codeFromBytes(randomBytes(length), length));
}

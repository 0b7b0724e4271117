import { ViolationAnswer } from '@invigil/core/contract/violations';

/** A stored first answer. */
export function parseViolationAnswer(stored: unknown): ViolationAnswer {
  return ViolationAnswer.parse(stored);
}

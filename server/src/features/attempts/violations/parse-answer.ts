import { ViolationAnswer } from '@invigil/core/contract/attempts/violations';

/** A stored first answer. */
export function parseViolationAnswer(stored: unknown): ViolationAnswer {
  return ViolationAnswer.parse(stored);
}

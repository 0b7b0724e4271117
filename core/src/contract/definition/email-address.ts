import { addressProblem, isEmailAddress, readableEmail } from '../../domain/email-address.ts';
import { MAIL_LIMITS } from '../../domain/limits.ts';
import { addressText, enterAddressText } from '../../texts/addresses.ts';
import { boundedText } from './bounded-text.ts';

/** An address that mail can be sent to, with its domain in its own script. */
export const EmailAddress = boundedText(
  MAIL_LIMITS.addressMaxCharacters,
  (typed) => readableEmail(typed.trim()),
  { typed: enterAddressText, tooLong: enterAddressText },
).refine(isEmailAddress, {
  error: ({ input }) => {
    const problem = addressProblem(String(input));
    return problem?.code === 'not_deliverable' ? addressText(problem) : enterAddressText();
  },
});

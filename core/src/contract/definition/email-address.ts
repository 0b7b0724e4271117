import { z } from 'zod';
import { isEmailAddress, readableEmail, whyNotEmailAddress } from '../../domain/email-address.ts';

/** An address that mail can be sent to, with its domain in its own script. */
export const EmailAddress = z
  .string('Enter an email address')
  .trim()
  .overwrite(readableEmail)
  .refine(isEmailAddress, {
    error: ({ input }) => {
      const reason = whyNotEmailAddress(String(input));
      return reason?.includes('@') ? reason : 'Enter an email address';
    },
  });

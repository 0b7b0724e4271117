import { z } from 'zod';
import { atMostCharacters } from './field-problems.ts';

/** How much longer a text may be before its change: spaces are single and letters composed only after it. */
const LONGER_BEFORE = 4;

/**
 * A text of at most `most` characters after a change such as trimming and composing. It is measured before
 * the change, too: the time of some changes grows faster than the text, and a request can have a megabyte.
 *
 * @param typed what is said where it is no text
 */
export const boundedText = (
  most: number,
  change: (text: string) => string,
  {
    tooLong = atMostCharacters(most).error,
    typed,
  }: { tooLong?: () => string; typed?: () => string } = {},
) =>
  z
    .string(typed && { error: typed })
    .max(LONGER_BEFORE * most, { error: tooLong, abort: true })
    .overwrite(change)
    .max(most, { error: tooLong, abort: true });

import { z } from 'zod';
import { LANGUAGE_TAGS } from '../../texts/languages.ts';

/** A language of screens and mails. */
export const LanguageTag = z.enum(LANGUAGE_TAGS);

/** Some of them, the first for who prefers none. */
export const Languages = z
  .array(LanguageTag)
  .min(1)
  .max(LANGUAGE_TAGS.length)
  .refine((tags) => new Set(tags).size === tags.length);

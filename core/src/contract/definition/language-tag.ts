import { z } from 'zod';
import { LANGUAGES, type Language } from '../../texts/languages.ts';

const TAGS = Object.keys(LANGUAGES) as [Language, ...Language[]];

/** A language of screens and mails. */
export const LanguageTag = z.enum(TAGS);

/** Some of them, the first for who prefers none. */
export const Languages = z
  .array(LanguageTag)
  .min(1)
  .max(TAGS.length)
  .refine((tags) => new Set(tags).size === tags.length);

import { z } from 'zod';
import { t } from '../../texts/i18n.ts';
import { IMAGE_MEDIA_TYPE, ImageHash } from '../assessments/images.ts';
import { boundedText } from '../definition/bounded-text.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';
import { Languages, LanguageTag } from '../definition/language-tag.ts';

const ADDRESS = {
  error: () => t('field.publicUrl', 'Enter https:// and the name of the host, without a path'),
};

/** Scheme and host of the links in mails, such as `https://exams.example.org`. */
const PublicUrl = boundedText(300, (typed) => typed.trim().toLowerCase().replace(/\/+$/, '')).regex(
  /^https?:\/\/([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/,
  ADDRESS,
);

export const InstitutionBody = z.object({
  /** Shown in mails and on the sign-in page; null: none. */
  name: z
    .string()
    .trim()
    .min(1)
    .max(120, atMostCharacters(120))
    .regex(/^\P{Cc}*$/u, {
      error: () => t(/* the text cannot have several */ 'field.oneLine', 'One line'),
    })
    .nullable(),
  /** IANA name; null: the value of TIME_ZONE. */
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, { error: () => t('field.timeZone', 'Select a time zone') })
    .nullable(),
  /** Null: the value of PUBLIC_URL. */
  publicUrl: PublicUrl.nullable(),
  /** An uploaded image, for certificates; null: none. It stays as it is where this is absent. */
  logo: ImageHash.nullable().optional(),
  /** Candidates can read these, the first for who prefers none; they stay as they are where this is absent. */
  languages: Languages.optional(),
});

const CheckedBy = z
  .string()
  .trim()
  .min(1, { error: () => t('field.checkedBy', 'Enter who has read them') })
  .max(120, atMostCharacters(120));

/** Somebody who speaks a language has read the texts that candidates are judged by. */
const LanguageCheck = z.object({
  /** Name, as the owner typed it. */
  checkedBy: z.string(),
  checkedAt: Instant,
  /** The one of the texts that were read. */
  version: z.string(),
});
export type LanguageCheck = z.infer<typeof LanguageCheck>;

/** A language that candidates can read: the texts they are judged by, and who has read them. */
export const Translation = z.object({
  language: LanguageTag,
  /** The one of this installation. */
  version: z.string(),
  /** Absent: nobody yet, so that the language is a preview. */
  check: LanguageCheck.optional(),
});
export type Translation = z.infer<typeof Translation>;

/** The institution that runs this installation, as mails and screens name it. */
export const Institution = InstitutionBody.extend({
  timeZone: z.string().nullable(),
  publicUrl: z.string().nullable(),
  /** Hash of the image; absent: none. */
  logo: z.string().optional(),
  /** Absent: English alone. */
  languages: z.array(LanguageTag).optional(),
  /** Languages beside English that are offered. */
  translations: z.array(Translation).optional(),
  /** The values for settings that are not set. Sign-in and every change work at this `publicUrl` only. */
  configured: z.object({ timeZone: z.string(), publicUrl: z.string() }),
});
export type Institution = z.infer<typeof Institution>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const getInstitution = endpoint('GET /api/institution', ['self'], {
  summary: 'Name, time zone and public address of the institution',
  responses: { 200: Institution },
});

export const putInstitution = endpoint(
  'PUT /api/institution',
  ['installation: installation.manage'],
  {
    audit: 'institution.changed',
    summary: 'Change them; audited. Another public address needs a fresh password',
    /** `before`: what was read of them; others that are stored are STALE. */
    body: InstitutionBody.extend({
      before: Institution.pick({ name: true, timeZone: true, publicUrl: true })
        .extend({ logo: InstitutionBody.shape.logo, languages: InstitutionBody.shape.languages })
        .optional(),
    }),
    responses: { 200: Institution },
    errors: ['CONFIRM_PASSWORD', 'STALE'],
  },
);

export const readTranslation = endpoint(
  'GET /api/institution/translations/:language',
  ['installation: installation.manage'],
  {
    summary: 'What candidates are judged by, in one language beside the English',
    params: z.object({ language: LanguageTag }),
    responses: {
      200: z.object({
        version: z.string(),
        /** ICU messages: values in braces, a plural with all its forms. */
        texts: z.array(z.object({ id: z.string(), english: z.string(), text: z.string() })),
      }),
    },
  },
);

export const checkTranslation = endpoint(
  'PUT /api/institution/translations/:language',
  ['installation: installation.manage'],
  {
    audit: 'translation.checked',
    summary: 'Record who has read a version of a translation, or that nobody has; audited',
    params: z.object({ language: LanguageTag }),
    /** STALE unless `version` is that of the texts of this installation. */
    body: z.object({ version: z.string().max(20), checkedBy: CheckedBy.nullable() }),
    responses: { 200: Institution },
    errors: ['STALE'],
  },
);

export const readLogo = endpoint('GET /api/institution/logo', 'public', {
  summary: 'The logo of the institution',
  responses: { 200: z.custom<Uint8Array>((body) => body instanceof Uint8Array) },
  errors: ['NOT_FOUND'],
  produces: IMAGE_MEDIA_TYPE,
});

export const checkPublicUrl = endpoint(
  'POST /api/institution/check',
  ['installation: installation.manage'],
  {
    audit: { none: 'reads only' },
    summary: 'Whether this installation itself answers at an address, asked from the server',
    body: z.object({ publicUrl: PublicUrl }),
    responses: { 200: z.object({ leadsHere: z.boolean() }) },
  },
);

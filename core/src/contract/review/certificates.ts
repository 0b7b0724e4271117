import { z } from 'zod';
import { CODE_ALPHABET, groupCode, normalizeCode } from '../../domain/one-time-code.ts';
import { t } from '../../texts/i18n.ts';
import { boundedText } from '../definition/bounded-text.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';

/** The content of a certificate. Anyone with its number can read this, and no more. */
export const Certificate = z.object({
  /** `XXXXX-XXXXX-XXXXX`, 75 random bits. */
  number: z.string(),
  /** The name of the person; the email where no name is known. */
  name: z.string(),
  /** The title of the assessment. */
  title: z.string(),
  institution: z.string().nullable(),
  /** The day on which the attempt ended, in the institution's time zone. */
  date: z.iso.date(),
  grade: z.string().optional(),
  percent: z.number().optional(),
});
export type Certificate = z.infer<typeof Certificate>;

/**
 * Whether a certificate counts. `under_correction`: its result was corrected or taken back, and was not released
 * again since. `replaced`: a newer one counts. `revoked`: withdrawn, or the result is no longer a passed one.
 * `altered`: it is not as Invigil wrote it, or the answers are not those of the receipt.
 */
export const CertificateState = z.enum([
  ...(['valid', 'under_correction', 'replaced', 'revoked', 'altered'] as const),
]);
export type CertificateState = z.infer<typeof CertificateState>;

/** An issued certificate, as the record has it. */
export const IssuedCertificate = z.object({
  /** null: the page that it opens has a name that the reader does not see */
  number: z.string().nullable(),
  state: CertificateState,
  issuedAt: Instant,
  /** null: with the release of the result */
  issuedBy: z.string().nullable(),
  revokedAt: Instant.nullable(),
});
export type IssuedCertificate = z.infer<typeof IssuedCertificate>;

/** The number as people type it. */
const Params = z.object({
  number: boundedText(100, (typed) => groupCode(normalizeCode(typed))).regex(
    new RegExp(`^[${CODE_ALPHABET}]{5}(?:-[${CODE_ALPHABET}]{5}){2}$`),
    { error: () => t(/* of a certificate */ 'field.certificateNumber', 'Invalid number') },
  ),
});

export const getCertificate = endpoint('GET /api/certificates/:number', 'public', {
  summary:
    'What a certificate says, and whether it counts: its seal, and the receipt of its attempt, are checked',
  params: Params,
  responses: {
    200: z.object({
      state: CertificateState,
      certificate: Certificate,
      /** Whether the institution has one, to be shown with it. */
      hasLogo: z.boolean(),
    }),
  },
  cost: 2,
});

export const printCertificate = endpoint('GET /api/certificates/:number/pdf', 'public', {
  summary: 'A certificate that counts, as a PDF',
  params: Params,
  responses: { 200: z.custom<Uint8Array>((body) => body instanceof Uint8Array) },
  cost: 4,
  produces: 'application/pdf',
});

export const issueCertificate = endpoint(
  'POST /api/participants/:id/certificate',
  ['participant: scores.correct'],
  {
    audit: 'participant.certificate_issued',
    summary:
      'Issue the certificate of a released, passed attempt; a new one where it would say something else or is revoked; audited',
    responses: { 200: z.object({ number: z.string().nullable() }) },
    errors: ['RULES_UNMET', 'CHANGED_OUTSIDE'],
  },
);

export const revokeCertificate = endpoint(
  'DELETE /api/participants/:id/certificate',
  ['participant: scores.correct'],
  {
    audit: 'participant.certificate_revoked',
    summary: 'Revoke the latest certificate of an attempt; audited',
    responses: { 204: null },
  },
);

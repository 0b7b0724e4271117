import { z } from 'zod';
import { EVIDENCE_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { endpoint, Id } from '../definition/endpoint.ts';

const offsetMs = z.int().min(-EVIDENCE_LIMITS.offsetMaxMs).max(EVIDENCE_LIMITS.offsetMaxMs);

/** base64 of at most `bytes` bytes. */
const jpegOf = (bytes: number) =>
  z.base64({ error: () => t('field.base64', 'Not base64') }).max(Math.ceil(bytes / 3) * 4, {
    error: () =>
      t(
        'field.stillBytes',
        '{max, plural, one {A still has at most {max} byte} other {A still has at most {max} bytes}}',
        { max: bytes },
      ),
  });

/** Sound level as the status box shows it, one value every `everyMs`. */
export const LevelCurve = z.object({
  /** Offset of the first value from the moment. */
  offsetMs,
  everyMs: z.int().min(50).max(10_000),
  values: z.array(z.number().min(0).max(120)).min(1).max(EVIDENCE_LIMITS.levelsMax),
});
export type LevelCurve = z.infer<typeof LevelCurve>;

/**
 * Evidence of one moment. The stills before and after it may come in two uploads; both name the same
 * violation, which is reported first. Without a violation it is a periodic still.
 */
export const EvidenceUpload = z
  .object({
    /** Idempotency key, created by the browser. */
    id: Id,
    violationId: Id.nullable().default(null),
    /** Milliseconds since the moment. */
    ageMs: z.int().min(0).max(EVIDENCE_LIMITS.ageMaxMs).default(0),
    stills: z
      .array(z.object({ offsetMs, jpeg: jpegOf(EVIDENCE_LIMITS.stillMaxBytes) }))
      .max(EVIDENCE_LIMITS.stillsPerUpload, {
        error: () =>
          t(
            /* photos of the camera */ 'field.stills',
            '{max, plural, one {At most # still} other {At most # stills}}',
            { max: EVIDENCE_LIMITS.stillsPerUpload },
          ),
      })
      .default([]),
    levels: LevelCurve.nullable().default(null),
  })
  .refine((e) => e.stills.length > 0 || e.levels !== null, {
    error: () => t('field.nothingToStore', 'Nothing to store'),
  });
export type EvidenceUpload = z.infer<typeof EvidenceUpload>;

const Stored = z.object({ id: z.string() });

export const uploadEvidence = endpoint('POST /api/participants/:id/evidence', ['participant'], {
  summary: 'Stills and level curve of a moment; stored encrypted, shown to administrators only',
  body: EvidenceUpload,
  responses: { 201: Stored, 200: Stored },
  errors: ['ATTEMPT_CLOSED', 'SESSION_REPLACED', 'SENSOR_OFF', 'NOT_A_STILL', 'TOO_MUCH_EVIDENCE'],
  bodyLimit: EVIDENCE_LIMITS.uploadBytes,
  cost: 4,
});

export const sendThumbnail = endpoint('POST /api/participants/:id/thumbnail', ['participant'], {
  summary: 'The camera picture of this second, while an administrator watches; never stored',
  body: z.object({ jpeg: jpegOf(EVIDENCE_LIMITS.thumbnailMaxBytes) }),
  /** `watched: false`: no one is watching any more, stop sending. */
  responses: { 200: z.object({ watched: z.boolean() }) },
  errors: ['SESSION_REPLACED', 'SENSOR_OFF', 'NOT_A_STILL'],
  bodyLimit: EVIDENCE_LIMITS.thumbnailBodyBytes,
});

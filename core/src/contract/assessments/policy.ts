import { z } from 'zod';
import { EVIDENCE_LIMITS } from '../../domain/limits.ts';

const limit = z.int().min(1).max(100).nullable();

/** The violation policy as an administrator sends it; see domain/violation-policy.ts. */
export const PolicySettings = z.object({
  preset: z.enum(['strict', 'balanced', 'review', 'off', 'custom']),
  camera: z.boolean(),
  // Stored policies without this setting admit phones without a camera.
  cameraRequired: z.boolean().default(false),
  microphone: z.boolean(),
  fullscreen: z.boolean(),
  limits: z.object({ combined: limit, face: limit, voice: limit, fullscreen: limit }),
  combinedTypes: z.array(z.enum(['face_not_detected', 'voice_detected'])).max(2),
  tabHidden: z.enum(['dismiss', 'warn_once', 'warn', 'record']),
  tabHiddenMs: z.int().min(0).max(60_000),
  face: z.object({ everyMs: z.int().min(250).max(60_000), misses: z.int().min(1).max(60) }),
  sound: z.object({
    everyMs: z.int().min(50).max(10_000),
    everyMsIos: z.int().min(50).max(10_000),
    level: z.number().min(0).max(120),
    samples: z.int().min(1).max(100),
    speechShare: z.number().min(0).max(1),
    speechWindowMs: z.int().min(100).max(60_000),
    redAbove: z.number().min(0).max(120),
    warnMs: z.int().min(1).max(60_000).optional(),
  }),
  cooldownMs: z.int().min(0).max(600_000),
  dismissDelayMs: z.int().min(0).max(60_000),
  // Stored policies without this setting mean: only with a violation.
  stillEveryMs: z
    .int()
    .min(EVIDENCE_LIMITS.periodicStillMinMs)
    .max(EVIDENCE_LIMITS.periodicStillMaxMs)
    .nullable()
    .default(null),
  // Whatever the preset is.
  mayTranslate: z.literal(true).optional(),
  mayUsePaper: z.literal(true).optional(),
});

export type PolicySettings = z.infer<typeof PolicySettings>;

export const Policy = PolicySettings.extend({
  version: z.int().min(1),
  /** An accommodation in the policy of one person: their face may be partly covered. */
  faceCovered: z.literal(true).optional(),
});
export type Policy = z.infer<typeof Policy>;

import { STRICT_POLICY } from '../../core/src/domain/violations/violation-policy.ts';

/** Strict, without camera and microphone: only what the page itself detects. */
export const PAGE_ONLY = {
  ...STRICT_POLICY,
  preset: 'custom',
  camera: false,
  microphone: false,
} as const;

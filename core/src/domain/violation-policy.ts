/**
 * The violation policy document (product 6). One per quiz and version; the instructions page, the
 * browser and the server read the same one, and an attempt stores the version it ran under.
 */
export interface ViolationPolicy {
  version: number;
  preset: 'strict' | 'balanced' | 'review' | 'off' | 'custom';
  camera: boolean;
  /** No one begins where no camera is asked for, which is on a phone; nothing while `camera` is off. */
  cameraRequired: boolean;
  microphone: boolean;
  fullscreen: boolean;
  /** How many are allowed to happen; the one that reaches the number ends the attempt. `null` = never. */
  limits: {
    combined: number | null;
    face: number | null;
    voice: number | null;
    fullscreen: number | null;
  };
  combinedTypes: ('face_not_detected' | 'voice_detected')[];
  tabHidden: 'dismiss' | 'warn' | 'record';
  tabHiddenMs: number;
  /** `misses` looks without a face, `everyMs` apart, are an absence that counts. */
  face: { everyMs: number; misses: number };
  sound: {
    everyMs: number;
    everyMsIos: number;
    level: number;
    samples: number;
    speechShare: number;
    speechWindowMs: number;
    redAbove: number;
  };
  cooldownMs: number;
  dismissDelayMs: number;
  /** One still every so often, whatever happens; `null` = only with a violation. */
  stillEveryMs: number | null;
  /**
   * Only in a policy as it holds for one person, an accommodation: their face may be partly covered,
   * so that a face that is not found says nothing and never counts.
   */
  faceCovered?: true | undefined;
}

/** A policy as an administrator selects it; the server gives it its version. */
export type PolicySettings = Omit<ViolationPolicy, 'version' | 'faceCovered'>;

/** The default: the seed's five limits fitted together; whichever is reached first ends the attempt. */
export const STRICT_POLICY: PolicySettings = {
  preset: 'strict',
  camera: true,
  cameraRequired: false,
  microphone: true,
  fullscreen: true,
  limits: { combined: 3, face: 3, voice: 5, fullscreen: 5 },
  combinedTypes: ['face_not_detected', 'voice_detected'],
  tabHidden: 'dismiss',
  tabHiddenMs: 2_000,
  face: { everyMs: 1_000, misses: 2 },
  sound: {
    everyMs: 300,
    everyMsIos: 500,
    level: 120,
    samples: 2,
    speechShare: 0.6,
    speechWindowMs: 2_000,
    redAbove: 40,
  },
  cooldownMs: 10_000,
  dismissDelayMs: 1_000,
  stillEveryMs: null,
};

/**
 * As Strict, but what counts is an absence of six seconds: anyone who bends down for a pen, writes on
 * paper or sneezes is warned and not accused.
 */
export const BALANCED_POLICY: PolicySettings = {
  ...STRICT_POLICY,
  preset: 'balanced',
  face: { everyMs: 1_000, misses: 6 },
};

/** Nothing ends by itself; everything is recorded for a person to judge. */
export const REVIEW_POLICY: PolicySettings = {
  ...BALANCED_POLICY,
  preset: 'review',
  limits: { combined: null, face: null, voice: null, fullscreen: null },
  tabHidden: 'record',
};

/** No camera, microphone or fullscreen is asked for. */
export const OFF_POLICY: PolicySettings = {
  ...REVIEW_POLICY,
  preset: 'off',
  camera: false,
  microphone: false,
  fullscreen: false,
};

/** Whether a device without a camera check, a phone or tablet, is refused at the start (product 7). */
export function needsCamera(policy: Pick<ViolationPolicy, 'camera' | 'cameraRequired'>): boolean {
  return policy.camera && policy.cameraRequired;
}

/** The settings behind each named preset. */
export const POLICY_PRESETS = {
  strict: STRICT_POLICY,
  balanced: BALANCED_POLICY,
  review: REVIEW_POLICY,
  off: OFF_POLICY,
} as const;

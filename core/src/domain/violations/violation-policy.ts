/**
 * The violation policy document (product 6). One per quiz and version; the instructions page, the
 * browser and the server read the same one, and an attempt stores the version it ran under.
 */
export interface ViolationPolicy {
  version: number;
  preset: 'strict' | 'balanced' | 'review' | 'off' | 'custom';
  camera: boolean;
  /** Devices without a camera check (phones) cannot start; no effect while `camera` is off. */
  cameraRequired: boolean;
  microphone: boolean;
  fullscreen: boolean;
  /** The violation that reaches the number ends the attempt. `null` = never. */
  limits: {
    combined: number | null;
    face: number | null;
    voice: number | null;
    fullscreen: number | null;
  };
  combinedTypes: ('face_not_detected' | 'voice_detected')[];
  /** `warn_once`: the first switch is a warning, the second ends the attempt. */
  tabHidden: 'dismiss' | 'warn_once' | 'warn' | 'record';
  tabHiddenMs: number;
  /** `misses` checks without a face, `everyMs` apart, are an absence that counts. */
  face: { everyMs: number; misses: number };
  sound: {
    everyMs: number;
    everyMsIos: number;
    level: number;
    samples: number;
    speechShare: number;
    speechWindowMs: number;
    redAbove: number;
    /** A voice that lasts this much longer counts; before, it only warns. Absent: it counts at once. */
    warnMs?: number | undefined;
  };
  cooldownMs: number;
  dismissDelayMs: number;
  /** Interval of periodic stills; `null` = only with a violation. */
  stillEveryMs: number | null;
  /** The browser may translate the page; by default it may not. */
  mayTranslate?: true | undefined;
  /**
   * Pen and paper are allowed: a lowered head is no flag, and a face that is lost while it is lowered
   * counts only after `LOWERED_MS`.
   */
  mayUsePaper?: true | undefined;
  /**
   * Only in the policy of one person, an accommodation: their face may be partly covered, so that a
   * missing face never counts.
   */
  faceCovered?: true | undefined;
}

/**
 * How long a face that was lost downwards may stay away where pen and paper are allowed, milliseconds.
 * Without an end, an empty chair would look like somebody who writes.
 */
export const LOWERED_MS = 60_000;

/** A policy as an administrator sets it; the server adds the version. */
export type PolicySettings = Omit<ViolationPolicy, 'version' | 'faceCovered'>;

/** The default: the five limits of the specification combined; the first one reached ends the attempt. */
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
 * The Strict policy with a warning before everything that counts: an absence counts after six seconds
 * (bending down for a pen, writing on paper or sneezing gets a warning only), a voice when it goes on for
 * four, and a tab switch when it is the second.
 */
export const BALANCED_POLICY: PolicySettings = {
  ...STRICT_POLICY,
  preset: 'balanced',
  face: { everyMs: 1_000, misses: 6 },
  sound: { ...STRICT_POLICY.sound, warnMs: 4_000 },
  tabHidden: 'warn_once',
};

/** Nothing ends automatically; everything is recorded for a reviewer. */
export const REVIEW_POLICY: PolicySettings = {
  ...BALANCED_POLICY,
  preset: 'review',
  limits: { combined: null, face: null, voice: null, fullscreen: null },
  tabHidden: 'record',
};

/** Camera, microphone and fullscreen are not required. */
export const OFF_POLICY: PolicySettings = {
  ...REVIEW_POLICY,
  preset: 'off',
  camera: false,
  microphone: false,
  fullscreen: false,
};

/**
 * The tab switch that ends the attempt; `null`: none does by itself. Then each is a fullscreen warning, as
 * always on a phone, unless it is only recorded.
 */
export function tabSwitchLimit(
  { tabHidden }: Pick<ViolationPolicy, 'tabHidden'>,
  isPhone: boolean,
): number | null {
  if (isPhone) return null;
  return tabHidden === 'dismiss' ? 1 : tabHidden === 'warn_once' ? 2 : null;
}

/** Whether a device without a camera check, a phone or tablet, is refused at the start (product 7). */
export function needsCamera(policy: Pick<ViolationPolicy, 'camera' | 'cameraRequired'>): boolean {
  return policy.camera && policy.cameraRequired;
}

export const POLICY_PRESETS = {
  strict: STRICT_POLICY,
  balanced: BALANCED_POLICY,
  review: REVIEW_POLICY,
  off: OFF_POLICY,
} as const;

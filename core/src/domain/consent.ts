import type { ViolationPolicy } from './violations/violation-policy.ts';

export interface ConsentTo {
  camera: boolean;
  microphone: boolean;
  /** Stills at intervals, not only when something is detected. */
  stills: boolean;
}

/** The monitoring to which a person must agree under their policy. */
export function consentAskedBy({
  camera,
  microphone,
  stillEveryMs,
}: Pick<ViolationPolicy, 'camera' | 'microphone' | 'stillEveryMs'>): ConsentTo {
  return { camera, microphone, stills: camera && stillEveryMs !== null };
}

/** Whether the consent given covers what the policy requires. */
export function coversConsent(agreed: ConsentTo, asked: ConsentTo): boolean {
  return (
    (agreed.camera || !asked.camera) &&
    (agreed.microphone || !asked.microphone) &&
    (agreed.stills || !asked.stills)
  );
}

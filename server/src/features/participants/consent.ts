import type { ConsentTo } from './attempt-work.ts';
import { policyFor } from './present.ts';

/**
 * Whether an attempt would be watched by more than the person has agreed to: the policy, or what is
 * switched off for them, was changed after they had read it.
 */
export function exceedsConsent(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
  agreed: ConsentTo | null,
): boolean {
  if (agreed === null) return false;
  const { camera, microphone, stillEveryMs } = policyFor({ policySettings, ...enabled });
  const stills = camera && stillEveryMs !== null;
  return (
    (camera && !agreed.camera) || (microphone && !agreed.microphone) || (stills && !agreed.stills)
  );
}

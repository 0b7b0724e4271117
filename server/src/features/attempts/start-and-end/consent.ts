import { type ConsentTo, consentAskedBy, coversConsent } from '@invigil/core/domain/consent';
import { policyFor } from '../present.ts';

/**
 * Whether an attempt would be watched by more than the person has agreed to: the policy, or what is
 * switched off for them, was changed after they had read it.
 */
export function exceedsConsent(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
  agreed: ConsentTo | null,
): boolean {
  const asked = consentAskedBy(policyFor({ policySettings, ...enabled }));
  return agreed !== null && !coversConsent(agreed, asked);
}

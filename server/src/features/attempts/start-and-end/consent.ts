import { type ConsentTo, consentAskedBy, coversConsent } from '@invigil/core/domain/consent';
import { policyFor } from '../present.ts';

/**
 * Whether an attempt would be monitored more than the person has agreed to, because the policy or the
 * person's exemptions changed after they were read.
 */
export function exceedsConsent(
  policySettings: unknown,
  enabled: { cameraEnabled: boolean; microphoneEnabled: boolean },
  agreed: ConsentTo | null,
): boolean {
  const asked = consentAskedBy(policyFor({ policySettings, ...enabled }));
  return agreed !== null && !coversConsent(agreed, asked);
}

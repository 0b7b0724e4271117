import {
  LOWERED_MS,
  type PolicySettings,
  tabSwitchLimit,
  type ViolationPolicy,
} from './violation-policy.ts';

type Policy = Omit<ViolationPolicy, 'version' | 'preset'>;
type Limited = Pick<
  Policy,
  'camera' | 'microphone' | 'fullscreen' | 'limits' | 'combinedTypes' | 'tabHidden' | 'faceCovered'
>;

/** The device, on which the limits depend besides the policy. */
export interface RuledDevice {
  mobile: boolean;
  /** The attempt was on a computer before: its tab rule still applies. */
  computerUsed?: boolean | undefined;
  /** Whether the device supports fullscreen for pages; iPhones do not. */
  fullscreen: boolean;
}

export const COMPUTER: RuledDevice = { mobile: false, fullscreen: true };

/** The warning that ends an attempt: of fullscreen exits, of tab switches, or of both. */
export interface Warnings {
  limit: number;
  exits: boolean;
  switches: boolean;
}

/** The limits of a policy on a device, without those of sensors that it does not have. */
export interface AppliedLimits {
  /** The kinds that count towards the combined limit. */
  adding: ('face' | 'voice')[];
  /** `null`: none, or nothing counts towards it. */
  combined: number | null;
  /** The own limits of a kind. */
  face: number | null;
  voice: number | null;
  /** The fullscreen limit and its sources (product 6); `null` without limit or source. */
  warnings: Warnings | null;
  /** The tab switch that ends the attempt by itself: the first, the second, or `null`. */
  tab: number | null;
}

export function appliedLimits(policy: Limited, device: RuledDevice): AppliedLimits {
  const { limits, combinedTypes } = policy;
  const face = policy.camera && !device.mobile && !policy.faceCovered;
  const voice = policy.microphone;
  const adding: AppliedLimits['adding'] = [];
  if (face && combinedTypes.includes('face_not_detected')) adding.push('face');
  if (voice && combinedTypes.includes('voice_detected')) adding.push('voice');
  const tab = tabSwitchesUntilEnd(policy, device);
  const exits = policy.fullscreen && device.fullscreen;
  const switches = policy.tabHidden !== 'record' && tab === null;
  const limit = limits.fullscreen;
  return {
    adding,
    combined: adding.length === 0 ? null : limits.combined,
    face: face ? limits.face : null,
    voice: voice ? limits.voice : null,
    warnings: limit !== null && (exits || switches) ? { limit, exits, switches } : null,
    tab,
  };
}

/** The same, without a kind's own limit that the combined one always precedes. */
export function reachableLimits(limits: AppliedLimits): AppliedLimits {
  const { adding, combined } = limits;
  const reachable = (kind: 'face' | 'voice') => {
    const own = limits[kind];
    const isLate = own !== null && combined !== null && combined <= own;
    return isLate && adding.includes(kind) ? null : own;
  };
  return { ...limits, face: reachable('face'), voice: reachable('voice') };
}

/** The combined limit here; `null` if nothing counts towards it. */
export const combinedLimit = (policy: Limited, mobile: boolean): number | null =>
  appliedLimits(policy, { mobile, fullscreen: true }).combined;

/** The tab switch that ends the attempt; on a phone it is a fullscreen warning instead (product 6). */
export function tabSwitchesUntilEnd(
  policy: Pick<Policy, 'tabHidden'>,
  { mobile, computerUsed = false }: Pick<RuledDevice, 'mobile' | 'computerUsed'>,
): number | null {
  return tabSwitchLimit(policy, mobile && !computerUsed);
}

/** A rule by which an attempt can end, as mails store it. */
export type EndingRule =
  /** `loweredMs`: how long it may while writing; null where paper is not allowed. */
  | { rule: 'face'; ms: number; loweredMs: number | null }
  /** `warnMs`: null without a warning before it counts. */
  | { rule: 'voice'; warnMs: number | null }
  | ({ rule: 'warnings' } & Warnings)
  /** `limit`: how many switches end it, 1 or 2. */
  | { rule: 'tab'; limit: number };

/** How long a face may be out of view. */
export const faceRule = ({
  face,
  mayUsePaper,
}: Pick<Policy, 'face' | 'mayUsePaper'>): EndingRule & { rule: 'face' } => ({
  rule: 'face',
  ms: face.misses * face.everyMs,
  loweredMs: mayUsePaper ? LOWERED_MS : null,
});

/** Whether a voice warns before it counts. */
export const voiceRule = ({ sound }: Pick<Policy, 'sound'>): EndingRule => ({
  rule: 'voice',
  warnMs: sound.warnMs ?? null,
});

/** The rules by which a candidate's attempt can end on a computer. */
export function endingRules(policy: PolicySettings & Pick<Policy, 'faceCovered'>): EndingRule[] {
  const { warnings, tab } = appliedLimits(policy, COMPUTER);
  const counts = Object.values(policy.limits).some((limit) => limit !== null);
  const rules: EndingRule[] = [];
  if (counts && policy.camera && !policy.faceCovered) rules.push(faceRule(policy));
  if (counts && policy.microphone) rules.push(voiceRule(policy));
  if (warnings !== null) rules.push({ rule: 'warnings', ...warnings });
  if (tab !== null) rules.push({ rule: 'tab', limit: tab });
  return rules;
}

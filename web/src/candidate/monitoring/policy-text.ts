import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { ordinal } from '@invigil/core/domain/violations/ordinal';
import {
  faceRule,
  tabRule,
  voiceRule,
  warningRule,
} from '@invigil/core/domain/violations/rule-sentences';
import { tabSwitchLimit } from '@invigil/core/domain/violations/violation-policy';

type Policy = OwnParticipant['policy'];

/** The device, on which the rules depend besides the policy. */
export interface RuledDevice {
  mobile: boolean;
  /** The attempt was on a computer before: its tab rule still applies. */
  computerUsed?: boolean | undefined;
  /** Whether the device supports fullscreen for pages; iPhones do not. */
  fullscreen: boolean;
}

/** The limits of face and voice on this device, without those of missing sensors. */
function strikeLimits(policy: Policy, mobile: boolean) {
  const { combined, face, voice } = policy.limits;
  const hasFace = policy.camera && !mobile && !policy.faceCovered;
  const hasVoice = policy.microphone;
  const addsFace = hasFace && policy.combinedTypes.includes('face_not_detected');
  const addsVoice = hasVoice && policy.combinedTypes.includes('voice_detected');
  const isShared = addsFace && addsVoice;
  // A combined limit with a single sensor is a limit of that sensor.
  const alone = (own: number | null, adds: boolean) =>
    adds && !isShared ? smaller(combined, own) : own;
  return {
    together: isShared ? combined : null,
    face: hasFace ? alone(face, addsFace) : null,
    voice: hasVoice ? alone(voice, addsVoice) : null,
    isShared,
    isAddedUp: addsFace || addsVoice,
  };
}

/** The fullscreen limit and its sources on this device (product 6); `null` without limit or source. */
function warningLimit(policy: Policy, device: RuledDevice) {
  const { fullscreen } = device;
  const { fullscreen: limit } = policy.limits;
  const exits = policy.fullscreen && fullscreen;
  const switches = policy.tabHidden !== 'record' && tabSwitchesUntilEnd(policy, device) === null;
  return limit !== null && (exits || switches) ? { limit, exits, switches } : null;
}

/** The short table of limits under the violation policy: only rules that can end this attempt. */
export function limitCells(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice, isShared } = strikeLimits(policy, device.mobile);
  const warnings = warningLimit(policy, device);
  const cells: [label: string, limit: number | null][] = [
    ['Face or voice', together],
    [isShared ? 'Face alone' : 'Face', reachable(face, together)],
    [isShared ? 'Voice alone' : 'Voice', reachable(voice, together)],
    [warningsName(warnings), warnings?.limit ?? null],
  ];
  const limits = cells.flatMap(([label, limit]): [string, string][] =>
    limit === null ? [] : [[label, String(limit)]],
  );
  const switches = tabSwitchesUntilEnd(policy, device);
  if (switches === null) return limits;
  return [...limits, ['Tab switch', switches === 1 ? 'At once' : 'The second']];
}

/** A limit that a smaller or equal common one always precedes would contradict it. */
function reachable(own: number | null, together: number | null): number | null {
  return own !== null && together !== null && together <= own ? null : own;
}

function warningsName(warnings: ReturnType<typeof warningLimit>): string {
  if (!warnings?.switches) return 'Fullscreen exits';
  return warnings.exits ? 'Fullscreen exits and tab switches' : 'Tab switches';
}

/** The smaller limit; `null` is unlimited. */
function smaller(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/** The dismissed screen names the limits of this policy in the specification's wording. */
export function limitLines(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice } = strikeLimits(policy, device.mobile);
  const warnings = warningLimit(policy, device);
  const strikes = (n: number) => `${n} ${n === 1 ? 'strike' : 'strikes'}`;
  const lines: [string, string][] = [];
  if (together !== null) lines.push(['Face and voice together', strikes(together)]);
  if (voice !== null) lines.push(['Voice/sound', strikes(voice)]);
  if (face !== null) lines.push(['Face not detected', strikes(face)]);
  if (warnings !== null) {
    const { limit, exits, switches } = warnings;
    const both = exits && switches ? 'Fullscreen exit or tab switching' : null;
    const label = both ?? (exits ? 'Fullscreen exit' : 'Tab switching');
    lines.push([label, `${limit} ${limit === 1 ? 'warning' : 'warnings'}`]);
  }
  const most = tabSwitchesUntilEnd(policy, device);
  if (most !== null) lines.push(['Tab switching', most === 1 ? 'Immediate' : 'The second time']);
  return lines;
}

/** Whether the first tab switch ends the attempt; on phones it is a fullscreen warning instead (product 6). */
export function tabSwitchEnds(
  policy: Pick<Policy, 'tabHidden'>,
  device: Pick<RuledDevice, 'mobile' | 'computerUsed'>,
): boolean {
  return tabSwitchesUntilEnd(policy, device) === 1;
}

/** The tab switch that ends the attempt here; `null`: none by itself. */
export function tabSwitchesUntilEnd(
  policy: Pick<Policy, 'tabHidden'>,
  { mobile, computerUsed = false }: Pick<RuledDevice, 'mobile' | 'computerUsed'>,
): number | null {
  return tabSwitchLimit(policy, mobile && !computerUsed);
}

/** The combined limit here; `null` if nothing counts towards it. */
export function combinedLimit(policy: Policy, mobile: boolean): number | null {
  return strikeLimits(policy, mobile).isAddedUp ? policy.limits.combined : null;
}

/** 'Violations allowed' of the card, or what is done instead. */
export function violationsAllowed(policy: Policy, { mobile }: RuledDevice): string | null {
  const { limits, camera, microphone } = policy;
  if (!camera && !microphone) return null;
  const combined = combinedLimit(policy, mobile);
  if (combined !== null) return `Maximum ${combined}`;
  return limits.face === null && limits.voice === null ? 'Recorded for review' : 'See the limits';
}

export interface Guideline {
  name: 'camera' | 'microphone' | 'face' | 'security' | 'violations';
  title: string;
  text: string;
}

/** The rules of this assessment; only those in its policy are mentioned. */
export function guidelines(policy: Policy, device: RuledDevice): Guideline[] {
  const camera = policy.camera && !device.mobile;
  const rules: Guideline[] = [];
  if (camera) {
    rules.push({
      name: 'camera',
      title: 'Camera',
      text: `Your camera stays on during the assessment. Photos are kept ${policy.stillEveryMs === null ? 'only if something is flagged' : `${everyText(policy.stillEveryMs)}, and if something is flagged`}.`,
    });
  }
  if (policy.microphone) {
    rules.push({
      name: 'microphone',
      title: 'Microphone',
      text: `Your microphone measures the sound level and detects speech. Sit in a quiet room.${voiceText(policy)}`,
    });
  }
  if (camera) {
    rules.push({
      name: 'face',
      title: 'Face detection',
      text: policy.faceCovered
        ? 'Your face may be partly covered. If it is not detected, that never counts against you.'
        : `${faceRule(policy)}${policy.mayUsePaper ? ' Pen and paper are allowed, and looking down to write is fine.' : ''} When the picture is too dark or unclear to tell, that never counts against you.`,
    });
  }
  const security = securityText(policy, device);
  const isRecorded = !policy.fullscreen && policy.tabHidden === 'record';
  const title =
    policy.preset === 'strict' ? 'Strict security' : isRecorded ? 'This page' : 'Security';
  if (security !== '') rules.push({ name: 'security', title, text: security });
  rules.push(...violationRule(policy, device));
  return rules;
}

function securityText(policy: Policy, device: RuledDevice): string {
  const warnings = warningLimit(policy, device);
  const sentences: string[] = [];
  if (policy.fullscreen && device.fullscreen) {
    sentences.push('The assessment runs in fullscreen.');
    if (warnings === null) sentences.push('Leaving it is recorded.');
    else if (!warnings.switches) sentences.push(warningRule(warnings));
  }
  const ends = tabRule(policy, device.mobile && !device.computerUsed);
  if (ends !== null) sentences.push(ends);
  else if (warnings?.switches) sentences.push(warningRule(warnings));
  else sentences.push('Switching to another tab or app is recorded.');
  return sentences.join(' ');
}

/** The rule for a voice; empty where nothing ends the attempt, because then nothing counts. */
function voiceText(policy: Policy): string {
  const { combined, voice } = policy.limits;
  return combined === null && voice === null ? '' : ` ${voiceRule(policy)}`;
}

function violationRule(policy: Policy, device: RuledDevice): Guideline[] {
  const isSaid = policy.camera || policy.microphone || policy.fullscreen;
  if (!isSaid && limitCells(policy, device).length === 0) return [];
  return [{ name: 'violations', title: 'Violation policy', text: violationText(policy, device) }];
}

function violationText(policy: Policy, device: RuledDevice): string {
  const combined = combinedLimit(policy, device.mobile);
  if (combined !== null) {
    return `Maximum ${combined} ${combined === 1 ? 'violation' : 'violations'}. After the ${ordinal(combined)}, your answers are submitted automatically.`;
  }
  return limitCells(policy, device).length > 0
    ? 'Each kind has its own limit. When one is reached, your answers are submitted automatically.'
    : 'Nothing ends your assessment automatically. What is detected is recorded and reviewed by a person.';
}

/** 'every second', 'every 30 seconds', 'every 2 minutes': never rounded, since it is part of the consent. */
export function everyText(ms: number): string {
  const [n, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1_000, 'second'];
  return n === 1 ? `every ${unit}` : `every ${n} ${unit}s`;
}

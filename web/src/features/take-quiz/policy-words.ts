import type { OwnParticipant } from '@invigil/core/contract/participants';

type Policy = OwnParticipant['policy'];

const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

function ordinal(n: number): string {
  return ORDINALS[n] ?? `${n}th`;
}

/** The short table of limits under the violation policy: only rules that can end this attempt. */
export function limitCells(policy: Policy, mobile: boolean): [label: string, value: string][] {
  const { combined, face, voice, fullscreen } = policy.limits;
  const camera = policy.camera && !mobile;
  const cells: [label: string, limit: number | null][] = [];
  if (camera && policy.microphone) {
    cells.push(['Face and voice', combined], ['Face alone', face], ['Voice alone', voice]);
  } else if (camera) cells.push(['Face', smaller(combined, face)]);
  else if (policy.microphone) cells.push(['Voice', smaller(combined, voice)]);
  if (policy.fullscreen) cells.push(['Fullscreen exits', fullscreen]);
  const limits = cells.flatMap(([label, limit]): [string, string][] =>
    limit === null ? [] : [[label, String(limit)]],
  );
  return tabSwitchEnds(policy, mobile) ? [...limits, ['Tab switch', 'At once']] : limits;
}

/** Whichever limit is reached first ends the attempt; `null` is never. */
function smaller(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

/** The dismissed screen names the limits of this policy in the seed's wording. */
export function limitLines(policy: Policy, mobile: boolean): [label: string, value: string][] {
  const { combined, face, voice, fullscreen } = policy.limits;
  const camera = policy.camera && !mobile;
  const strikes = (n: number) => `${n} ${n === 1 ? 'strike' : 'strikes'}`;
  const lines: [string, string][] = [];
  if (combined !== null && camera && policy.microphone) {
    lines.push(['Face and voice together', strikes(combined)]);
  }
  if (voice !== null && policy.microphone) lines.push(['Voice/sound', strikes(voice)]);
  if (face !== null && camera) lines.push(['Face not detected', strikes(face)]);
  if (fullscreen !== null && policy.fullscreen) {
    lines.push(['Fullscreen exit', `${fullscreen} ${fullscreen === 1 ? 'warning' : 'warnings'}`]);
  }
  if (tabSwitchEnds(policy, mobile)) lines.push(['Tab switching', 'Immediate']);
  return lines;
}

/** On phones a switch counts with the fullscreen warnings instead (product 6). */
export function tabSwitchEnds(policy: Pick<Policy, 'tabHidden'>, mobile: boolean): boolean {
  return policy.tabHidden === 'dismiss' && !mobile;
}

/** 'Violations allowed' of the card, or what is done instead. */
export function violationsAllowed({ limits, camera, microphone }: Policy): string | null {
  if (!camera && !microphone) return null;
  return limits.combined === null ? 'Recorded for review' : `Maximum ${limits.combined}`;
}

export interface Guideline {
  name: 'camera' | 'microphone' | 'face' | 'security' | 'violations';
  title: string;
  text: string;
}

/** The rules of this quiz in plain words; what its policy does not ask for is not mentioned. */
export function guidelines(
  policy: Policy,
  device: { mobile: boolean; fullscreen: boolean },
): Guideline[] {
  const camera = policy.camera && !device.mobile;
  const rules: Guideline[] = [];
  if (camera) {
    rules.push({
      name: 'camera',
      title: 'Camera',
      text: `Your camera stays on while you write. Stills are kept ${policy.stillEveryMs === null ? 'only when something is noticed' : `${everyText(policy.stillEveryMs)}, and when something is noticed`}.`,
    });
  }
  if (policy.microphone) {
    rules.push({
      name: 'microphone',
      title: 'Microphone',
      text: 'Your microphone measures the sound level and notices speech. Choose a quiet room.',
    });
  }
  if (camera) {
    rules.push({
      name: 'face',
      title: 'Face detection',
      text: 'Keep your face in view. When the picture is too dark or unclear to tell, that never counts against you.',
    });
  }
  const security = securityText(policy, device);
  if (security !== '') rules.push({ name: 'security', title: 'Strict security', text: security });
  rules.push(...violationRule(policy));
  return rules;
}

function securityText(policy: Policy, device: { mobile: boolean; fullscreen: boolean }): string {
  const sentences: string[] = [];
  const { fullscreen } = policy.limits;
  if (policy.fullscreen && device.fullscreen) {
    sentences.push('The assessment runs in fullscreen.');
    sentences.push(
      fullscreen === null
        ? 'Leaving it is recorded.'
        : `Each time you leave fullscreen you get a warning; the ${ordinal(fullscreen)} ends the assessment.`,
    );
  }
  if (tabSwitchEnds(policy, device.mobile)) {
    sentences.push('Switching to another tab or app ends it at once.');
  } else if (policy.tabHidden === 'record') {
    sentences.push('Switching to another tab or app is recorded.');
  } else {
    sentences.push('Each switch to another tab or app counts as a warning.');
  }
  return sentences.join(' ');
}

function violationRule(policy: Policy): Guideline[] {
  if (!policy.camera && !policy.microphone && !policy.fullscreen) return [];
  const { combined } = policy.limits;
  const text =
    combined === null
      ? 'Nothing ends your assessment by itself. What is noticed is recorded and judged by a person.'
      : `Maximum ${combined} ${combined === 1 ? 'violation' : 'violations'}. After the ${ordinal(combined)}, your answers are submitted automatically.`;
  return [{ name: 'violations', title: 'Violation policy', text }];
}

/** 'every second', 'every 30 seconds', 'every 2 minutes': what is agreed to is never rounded. */
export function everyText(ms: number): string {
  const [n, unit] = ms % 60_000 === 0 ? [ms / 60_000, 'minute'] : [ms / 1_000, 'second'];
  return n === 1 ? `every ${unit}` : `every ${n} ${unit}s`;
}

/** '25 minutes' */
export function durationText(minutes: number): string {
  return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

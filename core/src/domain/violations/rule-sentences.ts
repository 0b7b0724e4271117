import { ordinal } from './ordinal.ts';
import { type PolicySettings, tabSwitchLimit } from './violation-policy.ts';

type Rules = Pick<PolicySettings, 'camera' | 'microphone' | 'face' | 'sound' | 'tabHidden'> & {
  faceCovered?: true | undefined;
};

/** 'one second', '6 seconds' */
export function secondsText(ms: number): string {
  return ms === 1_000 ? 'one second' : `${ms / 1_000} seconds`;
}

/** The sentence about how long a face may be out of view; `null`: it does not count. */
export function faceRule({ camera, face, faceCovered }: Rules): string | null {
  if (!camera || faceCovered) return null;
  return `Keep your face in view: ${secondsText(face.misses * face.everyMs)} out of view count.`;
}

/** Whether a voice warns before it counts; `null` without a microphone. */
export function voiceRule({ microphone, sound: { warnMs } }: Rules): string | null {
  if (!microphone) return null;
  return warnMs === undefined
    ? 'A voice counts without a warning before it.'
    : `When a voice is heard, you are warned first; it counts if it goes on for ${secondsText(warnMs)}.`;
}

/** The effect of a tab switch alone; `null`: it is a warning like leaving fullscreen, or only recorded. */
export function tabRule({ tabHidden }: Rules, isPhone: boolean): string | null {
  const most = tabSwitchLimit({ tabHidden }, isPhone);
  if (most === 1) return 'Switching to another tab or app ends it at once.';
  return most === 2
    ? 'Switching to another tab or app gets a warning the first time; the second time ends the assessment.'
    : null;
}

/** The warning that ends it, of fullscreen exits, tab switches, or both. */
export function warningRule({
  limit,
  exits,
  switches,
}: {
  limit: number;
  exits: boolean;
  switches: boolean;
}): string {
  const last = `; the ${ordinal(limit)} ends the assessment.`;
  if (!exits) return `Each switch to another tab or app counts as a warning${last}`;
  return `Each time you leave fullscreen${switches ? ' or switch to another tab or app' : ''} you get a warning${last}`;
}

/** The rules by which a candidate's attempt can end on a computer, as mails and the form state them. */
export function ruleSentences(
  policy: Rules & Pick<PolicySettings, 'limits' | 'fullscreen'>,
): string[] {
  const { limits, fullscreen: exits, tabHidden } = policy;
  const counts = Object.values(limits).some((limit) => limit !== null);
  const sensors = counts ? [faceRule(policy), voiceRule(policy)] : [];
  const [limit, switches] = [limits.fullscreen, tabHidden === 'warn'];
  const hasWarnings = limit !== null && (exits || switches);
  const warnings = hasWarnings ? warningRule({ limit, exits, switches }) : null;
  return [...sensors, warnings, tabRule(policy, false)].filter((sentence) => sentence !== null);
}

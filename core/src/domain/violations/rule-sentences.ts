import { ordinal } from './ordinal.ts';
import { type PolicySettings, tabSwitchLimit } from './violation-policy.ts';

type Rules = Pick<PolicySettings, 'camera' | 'microphone' | 'face' | 'sound' | 'tabHidden'> & {
  faceCovered?: true | undefined;
};

/** 'one second', '6 seconds' */
export function secondsText(ms: number): string {
  return ms === 1_000 ? 'one second' : `${ms / 1_000} seconds`;
}

/** A rule by which an attempt can end, as mails store it. */
export type EndingRule =
  | { rule: 'face'; ms: number }
  /** `warnMs`: null without a warning before it counts. */
  | { rule: 'voice'; warnMs: number | null }
  | ({ rule: 'warnings' } & Warnings)
  /** `limit`: how many switches end it, 1 or 2. */
  | { rule: 'tab'; limit: number };

/** The warning that ends it, of fullscreen exits, tab switches, or both. */
interface Warnings {
  limit: number;
  exits: boolean;
  switches: boolean;
}

/** A rule in words. */
export function ruleText(rule: EndingRule): string {
  switch (rule.rule) {
    case 'face':
      return `Keep your face in view: ${secondsText(rule.ms)} out of view count.`;
    case 'voice':
      return rule.warnMs === null
        ? 'A voice counts without a warning before it.'
        : `When a voice is heard, you are warned first; it counts if it goes on for ${secondsText(rule.warnMs)}.`;
    case 'warnings':
      return warningRule(rule);
    case 'tab':
      return rule.limit === 1
        ? 'Switching to another tab or app ends it at once.'
        : 'Switching to another tab or app gets a warning the first time; the second time ends the assessment.';
  }
}

export function warningRule({ limit, exits, switches }: Warnings): string {
  const last = `; the ${ordinal(limit)} ends the assessment.`;
  if (!exits) return `Each switch to another tab or app counts as a warning${last}`;
  return `Each time you leave fullscreen${switches ? ' or switch to another tab or app' : ''} you get a warning${last}`;
}

const inWords = (rule: EndingRule | null) => rule && ruleText(rule);

function faceOf({ camera, face, faceCovered }: Rules): EndingRule | null {
  return !camera || faceCovered ? null : { rule: 'face', ms: face.misses * face.everyMs };
}

function voiceOf({ microphone, sound }: Rules): EndingRule | null {
  return microphone ? { rule: 'voice', warnMs: sound.warnMs ?? null } : null;
}

function tabOf({ tabHidden }: Rules, isPhone: boolean): EndingRule | null {
  const limit = tabSwitchLimit({ tabHidden }, isPhone);
  return limit === 1 || limit === 2 ? { rule: 'tab', limit } : null;
}

/** How long a face may be out of view; `null`: it does not count. */
export const faceRule = (policy: Rules) => inWords(faceOf(policy));

/** Whether a voice warns before it counts; `null` without a microphone. */
export const voiceRule = (policy: Rules) => inWords(voiceOf(policy));

/** The effect of a tab switch alone; `null`: it is a warning like leaving fullscreen, or only recorded. */
export const tabRule = (policy: Rules, isPhone: boolean) => inWords(tabOf(policy, isPhone));

/** The rules by which a candidate's attempt can end on a computer. */
export function endingRules(
  policy: Rules & Pick<PolicySettings, 'limits' | 'fullscreen'>,
): EndingRule[] {
  const { limits, fullscreen: exits, tabHidden } = policy;
  const counts = Object.values(limits).some((limit) => limit !== null);
  const sensors = counts ? [faceOf(policy), voiceOf(policy)] : [];
  const [limit, switches] = [limits.fullscreen, tabHidden === 'warn'];
  const warnings =
    limit !== null && (exits || switches)
      ? { rule: 'warnings' as const, limit, exits, switches }
      : null;
  return [...sensors, warnings, tabOf(policy, false)].filter((rule) => rule !== null);
}

/** The same in words, as the form states them. */
export const ruleSentences = (policy: Parameters<typeof endingRules>[0]): string[] =>
  endingRules(policy).map(ruleText);

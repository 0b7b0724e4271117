import {
  type AppliedLimits,
  appliedLimits,
  type EndingRule,
  endingRules,
  faceRule,
  type RuledDevice,
  reachableLimits,
  voiceRule,
  type Warnings,
} from '../domain/violations/applied-limits.ts';
import type { PolicySettings, ViolationPolicy } from '../domain/violations/violation-policy.ts';
import { LONG_MS, LOOKING_AWAY } from '../domain/violations/violation-types.ts';
import { everyText, minutesText, ordinal, secondsText } from './amounts.ts';

/*
 * The rules of a policy, in the same words in the form, the invitation, the instructions and after an end. The id
 * of a text is its path, such as `policy.rule.face`.
 */

type Policy = Omit<ViolationPolicy, 'version'>;

const inWords = (ms: number) => (ms === 1_000 ? 'one second' : secondsText(ms));

/** The sentences about rules; each has its rule in stated-rules.test.ts, which plays it. */
export const POLICY_SENTENCES = {
  rule: {
    face: ({ ms }: { ms: number }) => `Keep your face in view: ${inWords(ms)} out of view count.`,
    lowered: ({ ms }: { ms: number }) =>
      `Pen and paper are allowed, and looking down to write is fine: your face may be out of view for ${inWords(ms)} then.`,
    voice: 'A voice counts without a warning before it.',
    voiceWarned: ({ ms }: { ms: number }) =>
      `When a voice is heard, you are warned first; it counts if it goes on for ${inWords(ms)}.`,
    exits: ({ limit }: { limit: number }) =>
      `Each time you leave fullscreen you get a warning; the ${ordinal(limit)} ends the assessment.`,
    switches: ({ limit }: { limit: number }) =>
      `Each switch to another tab or app counts as a warning; the ${ordinal(limit)} ends the assessment.`,
    exitsAndSwitches: ({ limit }: { limit: number }) =>
      `Each time you leave fullscreen or switch to another tab or app you get a warning; the ${ordinal(limit)} ends the assessment.`,
    firstSwitch: 'Switching to another tab or app ends it at once.',
    secondSwitch:
      'Switching to another tab or app gets a warning the first time; the second time ends the assessment.',
  },
  guideline: {
    stills:
      'Your camera stays on during the assessment. Photos are kept only if something is flagged.',
    stillsEvery: ({ ms }: { ms: number }) =>
      `Your camera stays on during the assessment. Photos are kept ${everyText(ms)}, and if something is flagged.`,
    microphone: 'Your microphone measures the sound level and detects speech. Sit in a quiet room.',
    faceCovered:
      'Your face may be partly covered. If it is not detected, that never counts against you.',
    /** Said if a missing face does not count anyway. */
    paper: 'Pen and paper are allowed.',
    lookingAway: ({ afterMs, withinMs }: typeof LOOKING_AWAY) =>
      `Looking away from the screen for ${inWords(afterMs)} is noted and never counts; when such times add up to ${minutesText(LONG_MS.looking_away)} within ${minutesText(withinMs)}, they are marked for a reviewer.`,
    unclear: 'When the picture is too dark or unclear to tell, that never counts against you.',
    fullscreen: 'The assessment runs in fullscreen.',
    exitsRecorded: 'Leaving it is recorded.',
    switchesRecorded: 'Switching to another tab or app is recorded.',
    most: ({ n }: { n: number }) =>
      `Maximum ${n} ${n === 1 ? 'violation' : 'violations'}. After the ${ordinal(n)}, your answers are submitted automatically.`,
    ownLimits:
      'Each kind has its own limit. When one is reached, your answers are submitted automatically.',
    noLimit:
      'Nothing ends your assessment automatically. What is detected is recorded and reviewed by a person.',
  },
};

const warningsText = ({ limit, exits, switches }: Warnings) =>
  POLICY_SENTENCES.rule[exits ? (switches ? 'exitsAndSwitches' : 'exits') : 'switches']({ limit });

/** A rule in words. */
export function ruleText(rule: EndingRule): string {
  switch (rule.rule) {
    case 'face':
      return rule.loweredMs === null
        ? POLICY_SENTENCES.rule.face(rule)
        : `${POLICY_SENTENCES.rule.face(rule)} ${POLICY_SENTENCES.rule.lowered({ ms: rule.loweredMs })}`;
    case 'voice':
      return rule.warnMs === null
        ? POLICY_SENTENCES.rule.voice
        : POLICY_SENTENCES.rule.voiceWarned({ ms: rule.warnMs });
    case 'warnings':
      return warningsText(rule);
    case 'tab':
      return rule.limit === 1
        ? POLICY_SENTENCES.rule.firstSwitch
        : POLICY_SENTENCES.rule.secondSwitch;
  }
}

/** The rules by which a candidate's attempt can end on a computer, in words. */
export const ruleSentences = (settings: PolicySettings): string[] =>
  endingRules(settings).map(ruleText);

/** The limits for a candidate: a combined limit of a single kind is a limit of that kind. */
function strikes(limits: AppliedLimits) {
  const { adding, combined } = limits;
  const isShared = adding.length === 2;
  const alone = (kind: 'face' | 'voice') => {
    const all = [limits[kind], !isShared && adding.includes(kind) ? combined : null];
    const set = all.filter((limit) => limit !== null);
    return set.length === 0 ? null : Math.min(...set);
  };
  const together = isShared ? combined : null;
  return { ...limits, isShared, together, face: alone('face'), voice: alone('voice') };
}

/** The short table of limits under the violation policy: only rules that can end this attempt. */
export function limitCells(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice, isShared, warnings, tab } = strikes(
    reachableLimits(appliedLimits(policy, device)),
  );
  const cells: [label: string, limit: number | null][] = [
    ['Face or voice', together],
    [isShared ? 'Face alone' : 'Face', face],
    [isShared ? 'Voice alone' : 'Voice', voice],
    [warningsName(warnings), warnings?.limit ?? null],
  ];
  const limits = cells.flatMap(([label, limit]): [string, string][] =>
    limit === null ? [] : [[label, String(limit)]],
  );
  return tab === null ? limits : [...limits, ['Tab switch', tab === 1 ? 'At once' : 'The second']];
}

function warningsName(warnings: Warnings | null): string {
  if (!warnings?.switches) return 'Fullscreen exits';
  return warnings.exits ? 'Fullscreen exits and tab switches' : 'Tab switches';
}

/** The dismissed screen names the limits of this policy in the specification's wording. */
export function limitLines(policy: Policy, device: RuledDevice): [label: string, value: string][] {
  const { together, face, voice, warnings, tab } = strikes(appliedLimits(policy, device));
  const strikesOf = (n: number) => `${n} ${n === 1 ? 'strike' : 'strikes'}`;
  const lines: [string, string][] = [];
  if (together !== null) lines.push(['Face and voice together', strikesOf(together)]);
  if (voice !== null) lines.push(['Voice/sound', strikesOf(voice)]);
  if (face !== null) lines.push(['Face not detected', strikesOf(face)]);
  if (warnings !== null) {
    const { limit, exits, switches } = warnings;
    const both = exits && switches ? 'Fullscreen exit or tab switching' : null;
    const label = both ?? (exits ? 'Fullscreen exit' : 'Tab switching');
    lines.push([label, `${limit} ${limit === 1 ? 'warning' : 'warnings'}`]);
  }
  if (tab !== null) lines.push(['Tab switching', tab === 1 ? 'Immediate' : 'The second time']);
  return lines;
}

/** 'Violations allowed' of the card, or what is done instead. */
export function violationsAllowed(policy: Policy, device: RuledDevice): string | null {
  if (!policy.camera && !policy.microphone) return null;
  const { combined } = appliedLimits(policy, device);
  if (combined !== null) return `Maximum ${combined}`;
  const { face, voice } = policy.limits;
  return face === null && voice === null ? 'Recorded for review' : 'See the limits';
}

export interface Guideline {
  name: 'camera' | 'microphone' | 'face' | 'security' | 'violations';
  title: string;
  text: string;
}

/** The rules of this assessment; only those in its policy are mentioned. */
export function guidelines(policy: Policy, device: RuledDevice): Guideline[] {
  const { guideline } = POLICY_SENTENCES;
  const camera = policy.camera && !device.mobile;
  const { combined, voice } = policy.limits;
  const rules: Guideline[] = [];
  const add = (name: Guideline['name'], title: string, ...sentences: (string | false)[]) =>
    rules.push({ name, title, text: sentences.filter(Boolean).join(' ') });
  if (camera) {
    const ms = policy.stillEveryMs;
    add('camera', 'Camera', ms === null ? guideline.stills : guideline.stillsEvery({ ms }));
  }
  if (policy.microphone) {
    // Nothing counts where there is no limit.
    const counts = combined !== null || voice !== null;
    add('microphone', 'Microphone', guideline.microphone, counts && ruleText(voiceRule(policy)));
  }
  const paper = policy.mayUsePaper === true && guideline.paper;
  if (camera) {
    const away = guideline.lookingAway(LOOKING_AWAY);
    const seen = policy.faceCovered
      ? [guideline.faceCovered, paper]
      : [ruleText(faceRule(policy)), guideline.unclear];
    add('face', 'Face detection', ...seen, away);
  }
  const isRecorded = !policy.fullscreen && policy.tabHidden === 'record';
  const title =
    policy.preset === 'strict' ? 'Strict security' : isRecorded ? 'This page' : 'Security';
  add('security', title, ...securitySentences(policy, device), !camera && paper);
  const hasLimits = limitCells(policy, device).length > 0;
  if (policy.camera || policy.microphone || policy.fullscreen || hasLimits) {
    const n = appliedLimits(policy, device).combined;
    const own = hasLimits ? guideline.ownLimits : guideline.noLimit;
    add('violations', 'Violation policy', n === null ? own : guideline.most({ n }));
  }
  return rules;
}

function securitySentences(policy: Policy, device: RuledDevice): string[] {
  const { guideline } = POLICY_SENTENCES;
  const { warnings, tab } = appliedLimits(policy, device);
  const sentences: string[] = [];
  if (policy.fullscreen && device.fullscreen) {
    sentences.push(guideline.fullscreen);
    if (warnings === null) sentences.push(guideline.exitsRecorded);
    else if (!warnings.switches) sentences.push(warningsText(warnings));
  }
  if (tab !== null) sentences.push(ruleText({ rule: 'tab', limit: tab }));
  else if (warnings?.switches) sentences.push(warningsText(warnings));
  else sentences.push(guideline.switchesRecorded);
  return sentences;
}
